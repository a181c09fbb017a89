"""Corpora too large to be listed in a portable baseline are compared by their answer documents, both ways."""

from pathlib import Path
from typing import Any

import pytest

from eval.gate.anchor import MOST_DOCUMENTS, anchor_text, make_anchor, read_anchor
from eval.gate.compare import compare
from eval.gate.pairing import Changes
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import Verdict


def judge(before: Results, now: Results) -> Verdict:
    return compare(before, now, Gate(), against={})


def through_file(report: Any, path: Path) -> Results:
    path.write_text(anchor_text(make_anchor(report, {})), encoding="utf-8")
    return read_anchor(path).results


def large(reports: Any, texts: dict[str, str]) -> Any:
    """Four questions over a corpus that is too large to be listed as a whole."""
    rest = {f"doc-x{number:05}": "Rest" for number in range(MOST_DOCUMENTS)}
    asked = [reports.question("m", "multi"), *(reports.question(f"q{number}") for number in range(2))]
    return reports.report([*asked, reports.question("n", "none")], texts=rest | texts)


def test_a_corpus_that_is_just_not_large_is_kept_as_a_whole(reports: Any):
    report = large(reports, {})
    for number in range(5):
        del report["documents"][f"doc-x{number:05}"]
    assert MOST_DOCUMENTS == len(make_anchor(report, {})["documents"]) == 5000


def test_of_a_large_corpus_only_answer_documents_are_kept(reports: Any, tmp_path: Path):
    results = through_file(large(reports, {}), tmp_path / "a.json")
    assert sorted(results.documents) == ["doc-m", "doc-q0", "doc-q1", "doc-shared"]
    assert results.documents_total == MOST_DOCUMENTS + 5
    assert (tmp_path / "a.json").stat().st_size < 8_000


@pytest.mark.parametrize("portable", ["baseline", "current"])
def test_a_large_corpus_is_compared_by_its_answer_documents_whichever_side_is_portable(
    reports: Any, tmp_path: Path, portable: str
):
    before, now = large(reports, {}), large(reports, {"doc-q1": "Edited", "doc-x00001": "Edited, too"})
    sides = [Results.of(before, "before"), Results.of(now, "now")]
    place = 0 if portable == "baseline" else 1
    sides[place] = through_file((before, now)[place], tmp_path / "a.json")
    verdict = judge(*sides)
    assert verdict.pairing is not None
    assert verdict.pairing.documents == Changes(edited=("doc-q1",))
    assert [pair.current.id for pair in verdict.pairing.pairs if pair.documents_changed] == ["q1"]
    assert verdict.verdict == "passed"
    assert verdict.notes[:2] == (
        "corpus: 1 edited (doc-q1)",
        "corpus: it changed, and only its answer documents are known one by one",
    )


def test_a_large_corpus_that_changed_beside_its_answers_is_told(reports: Any, tmp_path: Path):
    before = through_file(large(reports, {}), tmp_path / "a.json")
    verdict = judge(before, Results.of(large(reports, {"doc-x00001": "Edited"}), "now"))
    assert verdict.notes == ("corpus: it changed, and only its answer documents are known one by one",)
    assert verdict.verdict == "passed"


def test_a_large_corpus_that_is_another_one_as_far_as_is_known_is_incomparable(reports: Any, tmp_path: Path):
    before = through_file(large(reports, {}), tmp_path / "a.json")
    now = large(reports, dict.fromkeys(["doc-m", "doc-q0", "doc-q1", "doc-shared"], "Edited"))
    verdict = judge(before, Results.of(now, "now"))
    assert verdict.because.startswith("recall: no document of the corpus that is known is the same; ")
    assert verdict.exit_code(enforce=True) == 3
