"""Whatever stands in a file, an import keeps it or tells of it; and what it needs is named where it is absent."""

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError, MissingExtraError
from eval.importing.draft import Request
from eval.importing.reading.parquet import read_parquet
from eval.importing.registry import read_format
from eval.importing.result import settle
from tests.eval.foreign_sets import FORMATS, LEAVE, written

LEAVES = st.none() | st.booleans() | st.integers(-1, 9) | st.floats(allow_nan=False) | st.text(max_size=6)
VALUES = st.recursive(
    LEAVES | st.sampled_from(["null_query", "is-refusal", "multi", "none", "Leave"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
PROMPTFOO_TESTS = [
    {"vars": {"question": "How long?", "context": LEAVE}, "assert": [{"type": "equals", "value": "25 days"}]},
    {"vars": {"question": "How ill?"}, "assert": [{"type": "assert-set", "assert": [{"type": "is-refusal"}]}]},
]
SAMPLES = ("beir", "squad", "hotpotqa", "multihop-rag", "ragas", "promptfoo")


def outcome(name: str, sources: list[Path]) -> None:
    """Read and settle; a mistake of the file may be told, and nothing else may happen."""
    told: tuple[str, ...] = ()
    try:
        result = settle(read_format(name, Request(tuple(sources))))
    except InputError as error:
        told = error.problems
    else:
        ledger = result.ledger
        assert ledger.read["questions"] == len(result.questions) + ledger.dropped("questions")
        assert ledger.read["documents"] == len(result.documents) + ledger.dropped("documents")
    assert all("\n" not in problem for problem in told)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value, as its holder and the key in it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def spoil(path: Path, draw: st.DataObject) -> None:
    """Put another value, or nothing, in one or two places of a file of JSON or JSON lines."""
    text = path.read_text(encoding="utf-8")
    whole = json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
    for _ in range(draw.draw(st.integers(1, 2))):
        if not whole:
            break
        holder, key = draw.draw(st.sampled_from(list(places(whole))))
        if draw.draw(st.booleans()):
            holder[key] = draw.draw(VALUES)
        else:
            del holder[key]
    rows = [json.dumps(whole)] if path.suffix == ".json" else map(json.dumps, whole)
    path.write_text("\n".join(rows), encoding="utf-8")


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SAMPLES), st.data())
def test_a_file_spoilt_in_any_place_is_kept_or_told(name: str, draw: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        sources = [Path(source) for source in FORMATS[name](Path(folder))]
        if name == "promptfoo":
            sources = [written(Path(folder, "tests.json"), json.dumps({"tests": PROMPTFOO_TESTS, "defaultTest": {}}))]
        files = [path for path in sorted(Path(folder).rglob("*")) if path.suffix in {".json", ".jsonl"}]
        spoil(draw.draw(st.sampled_from(files)), draw)
        outcome(name, sources)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["ragas", "promptfoo"]),
    st.sampled_from([".csv", ".tsv", ".yaml", ".jsonl"]),
    st.binary(max_size=60),
)
def test_bytes_of_any_kind_are_kept_or_told(name: str, suffix: str, content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"set{suffix}")
        path.write_bytes(content)
        outcome(name, [path])


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is not None, reason="pyarrow is installed")
def test_without_pyarrow_the_extra_that_has_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match=r"needs the package pyarrow: pip install 'evalfirst\[parquet\]'"):
        read_parquet(tmp_path / "qa.parquet", ["qid"])
