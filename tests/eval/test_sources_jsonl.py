"""JSON lines as a corpus: every bad line is told, with file and line."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError
from eval.records import Document
from eval.sources.json_array import read_array
from eval.sources.jsonl import read_corpus, read_rows
from eval.sources.strict_json import parse


def corpus(folder: Path, *lines: str, end: str = "\n") -> Path:
    path = folder / "corpus.jsonl"
    path.write_bytes(end.join(lines).encode())
    return path


def told(path: Path) -> list[str]:
    """The problems, each from its line number on."""
    with pytest.raises(InputError) as raised:
        read_corpus(path)
    assert all(problem.startswith(f"{path}") for problem in raised.value.problems)
    return [problem.removeprefix(f"{path}:") for problem in raised.value.problems]


def test_rows_may_name_their_id_both_ways_and_hold_further_keys(tmp_path: Path) -> None:
    path = corpus(
        tmp_path, '{"_id": "a", "text": "A", "title": "T"}', '{"id": "b", "text": "B", "title": null, "u": 1}'
    )
    assert read_corpus(path) == [Document("a", "A", "T"), Document("b", "B")]


def test_blank_lines_carriage_returns_and_a_byte_order_mark_are_no_rows(tmp_path: Path) -> None:
    path = corpus(tmp_path, '\ufeff{"_id": "a", "text": "A"}', "", "  ", '{"_id": "b", "text": "B"}', "", end="\r\n")
    assert [document.id for document in read_corpus(path)] == ["a", "b"]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    path = corpus(tmp_path, '{"_id": "a", "text": "x\u2028y\x85z"}')
    assert read_corpus(path)[0].text == "x\u2028y\x85z"


def test_texts_come_in_the_stated_form(tmp_path: Path) -> None:
    path = corpus(tmp_path, json.dumps({"_id": "a", "text": "\ufeff# A\r\nx", "title": "T\r"}))
    assert read_corpus(path) == [Document("a", "# A\nx", "T\n")]


def test_every_bad_line_is_told(tmp_path: Path) -> None:
    path = corpus(tmp_path, '{"_id": "a", "text": "A"}', "", '{"_id": "b", "text": "B"},', "[]", '{"_id": "c"', '"x"')
    assert [line.split(":")[0] for line in told(path)] == ["3", "4", "5", "6"]
    assert "no comma" in told(path)[0]
    assert "must be an object in {} (got a list)" in told(path)[1]
    assert "column" in told(path)[2]


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ('{"text": "x"}', '"_id" (or "id") is missing'),
        ('{"_id": "a"}', '"text" is missing'),
        ('{"_id": "a", "text": null}', "text must be text (got null)"),
        ('{"_id": "a", "text": 3}', "text must be text (got 3)"),
        ('{"_id": "a", "text": "x", "title": []}', "title must be text (got [])"),
        ('{"_id": 7, "text": "x"}', '_id must be text (got 7); write it in quotes, like "7"'),
        ('{"id": null, "text": "x"}', "id must be text (got None)"),
        ('{"_id": " ", "text": "x"}', "_id must not be blank"),
        ('{"_id": "a\\nb", "text": "x"}', "control"),
        ('{"_id": "a", "text": "x", "text": "y"}', "key 'text' stands twice"),
        ('{"_id": "a", "text": "x", "n": NaN}', "NaN is not JSON; write null"),
        ('{"_id": "a", "text": "x", "n": [-Infinity]}', "-Infinity is not JSON"),
        ('{"_id": "a", "text": "x\\ud83d"}', "\\ud83d, half of a character"),
        ('{"_id": "a", "text": "x", "m": {"k": ["\\uDC4D"]}}', "\\udc4d, half of a character"),
        ('{"_id": "a", "text": "x\\u0000"}', "a NUL character"),
        ('{"_id": "a", "n": ' + "[" * 100_000 + "}", "beyond reason"),
        ('{"_id": "a", "n": ' + "9" * 5000 + "}", "beyond reason"),
    ],
)
def test_a_row_that_breaks_a_rule_is_told_with_the_rule(tmp_path: Path, row: str, rule: str) -> None:
    first = told(corpus(tmp_path, '{"_id": "ok", "text": "fine"}', row))[0]
    assert first.startswith("2: ")
    assert rule.casefold() in first.casefold()


def test_all_that_is_wrong_with_one_row_is_told(tmp_path: Path) -> None:
    assert len(told(corpus(tmp_path, '{"_id": 1, "text": 2, "title": 3}'))) == 3


def test_whole_characters_and_escaped_backslashes_are_no_halves(tmp_path: Path) -> None:
    path = corpus(tmp_path, '{"_id": "a", "text": "\\ud83d\\udc4d \\\\u0000 \\\\ud83d"}')
    assert read_corpus(path)[0].text == "👍 \\u0000 \\ud83d"


def test_a_repeated_id_is_told_with_both_lines(tmp_path: Path) -> None:
    path = corpus(tmp_path, '{"_id": "a", "text": "x"}', '{"_id": "b", "text": "y"}', '{"_id": "a", "text": "z"}')
    assert told(path) == [f"3: id 'a' is taken by {path}:1; give each its own"]


def test_an_empty_corpus_is_told(tmp_path: Path) -> None:
    assert "holds no document" in told(corpus(tmp_path, "", ""))[0]


def test_equal_texts_under_two_ids_are_two_documents(tmp_path: Path) -> None:
    path = corpus(tmp_path, '{"_id": "d1", "text": "See FAQ"}', '{"_id": "d2", "text": "See FAQ"}')
    assert len(read_corpus(path)) == 2


def json_values() -> st.SearchStrategy[object]:
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
    return st.recursive(leaves | texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner))


@given(json_values(), st.booleans())
@settings(max_examples=100)
def test_what_is_plain_json_is_read_as_python_reads_it(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    parsed = parse(text)
    assert (parsed.value, parsed.end, parsed.problems) == (value, len(text), ())


@given(st.lists(st.dictionaries(st.text("ab\n", max_size=3), st.integers()), max_size=5), st.sampled_from([None, 2]))
@settings(max_examples=100)
def test_a_list_and_the_same_lines_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, objects: list[dict[str, int]], indent: int | None
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    (folder / "a.json").write_text(json.dumps(objects, indent=indent), encoding="utf-8")
    lines = corpus(folder, *map(json.dumps, objects))
    assert [row.value for row in read_array(folder / "a.json").rows] == objects
    assert [row.value for row in read_rows(lines).rows] == objects
