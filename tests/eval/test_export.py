"""`python -m eval export`: BEIR and TREC files, and what other evaluators read in them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.exporting.run_report import RankedQuestion
from eval.exporting.trec import encoded, qrels, run
from eval.metrics.ranking import ndcg, reciprocal_rank
from eval.records import Document, Question
from eval.sources.beir import read_beir
from tests.eval.exported_sets import command, fails, golden_file, report_file
from tests.eval.foreign_sets import lines, written

DOCUMENTS = [Document(f"d{number}", f"Text {number}", f"Title {number}") for number in range(30)]


QUESTIONS = [
    Question("q1", "One?", "single", ("d3",)),
    Question("q2", "Two?", "multi", ("d1", "d2")),
    Question("q3", "Three?", "single", ("d9", "d8")),
    Question("q4", "Four?", "none"),
]
RANKED = {
    "q1": ["d1", "d1", "d2", "d3", "d1"],  # the third document answers; all scores tie
    "q2": ["d2", "d2", "d5", "d1"],
    "q3": [],
    "q4": ["d1"],
}


def exported(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two files as pytrec_eval reads them."""
    golden = golden_file(folder / "in" / "golden.json", QUESTIONS)
    report = report_file(folder / "in" / "report.json", RANKED, QUESTIONS)
    command(golden, "--trec", folder / "out", "--report", report)
    with (folder / "out" / "qrels.txt").open() as judged, (folder / "out" / "run.txt").open() as ranking:
        return pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(ranking)


def values(ranked: Sequence[str], question: Question) -> tuple[float, float]:
    """Our nDCG@10 and reciprocal rank over documents."""
    relevant = np.array([doc in question.answer_doc_ids for doc in dict.fromkeys(ranked)], dtype=bool)
    return ndcg(relevant, len(question.answer_doc_ids)), reciprocal_rank(relevant)


def test_the_files_have_the_columns_of_trec(tmp_path: Path) -> None:
    exported(tmp_path)
    assert (tmp_path / "out" / "qrels.txt").read_text() == "q1 0 d3 1\nq2 0 d1 1\nq2 0 d2 1\nq3 0 d9 1\nq3 0 d8 1\n"
    assert (tmp_path / "out" / "run.txt").read_text().splitlines()[:3] == [
        "q1 Q0 d1 1 3 s200%20bm25",
        "q1 Q0 d2 2 2 s200%20bm25",
        "q1 Q0 d3 3 1 s200%20bm25",
    ]


def test_another_evaluator_finds_our_values_although_all_scores_tied(tmp_path: Path) -> None:
    judged, ranking = exported(tmp_path)
    found = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_10", "recip_rank"}).evaluate(ranking)
    assert found["q1"] == pytest.approx({"ndcg_cut_10": 0.5, "recip_rank": 1 / 3})
    for question in QUESTIONS[:2]:
        expected = values(RANKED[question.id], question)
        assert (found[question.id]["ndcg_cut_10"], found[question.id]["recip_rank"]) == pytest.approx(expected)
    assert "q3" not in found  # it has no line in the run, and ours counts it as 0


def test_ir_measures_gives_a_question_without_results_its_zero(tmp_path: Path) -> None:
    measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    exported(tmp_path)
    judged = list(measures.read_trec_qrels(str(tmp_path / "out" / "qrels.txt")))
    ranking = list(measures.read_trec_run(str(tmp_path / "out" / "run.txt")))
    found = measures.calc_aggregate([measures.nDCG @ 10, measures.RR], judged, ranking)
    expected = np.mean([values(RANKED[question.id], question) for question in QUESTIONS[:3]], axis=0)
    assert [found[measures.nDCG @ 10], found[measures.RR]] == pytest.approx(list(expected))


RANKINGS = st.lists(
    st.lists(st.sampled_from([document.id for document in DOCUMENTS]), max_size=25), min_size=1, max_size=5
)
WANTED = st.lists(st.sampled_from([document.id for document in DOCUMENTS]), min_size=1, max_size=12, unique=True)


@settings(max_examples=100, deadline=None)
@given(RANKINGS, st.lists(WANTED, min_size=5, max_size=5))
def test_any_run_has_our_values_in_another_evaluator(rankings: list[list[str]], wanted: list[list[str]]) -> None:
    questions = [Question(f"q{place}", "?", "single", tuple(docs)) for place, docs in enumerate(wanted)]
    ranked = [
        RankedQuestion(f"q{place}", "", tuple(dict.fromkeys(docs)), len(docs), len(docs))
        for place, docs in enumerate(rankings)
    ]
    judged = pytrec_eval.parse_qrel(qrels(questions).splitlines())
    lists = pytrec_eval.parse_run(run(ranked, "tag").splitlines())
    found = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_10", "recip_rank"}).evaluate(lists)
    for docs, question in zip(rankings, questions, strict=False):
        theirs = found.get(question.id, {"ndcg_cut_10": 0.0, "recip_rank": 0.0})
        assert (theirs["ndcg_cut_10"], theirs["recip_rank"]) == pytest.approx(values(docs, question))


@given(st.text(), st.text())
def test_ids_stay_different_and_can_be_had_back(one: str, other: str) -> None:
    assert len(f"a {encoded(one)} b".split()) == (3 if one else 2)
    assert unquote(encoded(one)) == one
    assert (encoded(one) == encoded(other)) == (one == other)


def test_ids_with_blanks_are_written_so_that_judgements_and_rankings_still_meet(tmp_path: Path) -> None:
    questions = [Question("q 1", "One?", "single", ("Staff Handbook/001", "100%"))]
    golden = golden_file(tmp_path / "in" / "golden.json", questions)
    report = report_file(tmp_path / "in" / "report.json", {"q 1": ["100%", "Staff Handbook/001"]}, questions)
    printed = command(golden, "--trec", tmp_path / "out", "--report", report)
    assert (tmp_path / "out" / "qrels.txt").read_text() == "q%201 0 Staff%20Handbook/001 1\nq%201 0 100%25 1\n"
    assert "q%201 Q0 100%25 1 2" in (tmp_path / "out" / "run.txt").read_text()
    assert "blanks and % in ids are written as %20 and %25" in printed


def test_a_head_that_is_too_short_is_told_and_one_that_suffices_is_not(tmp_path: Path) -> None:
    found = [Question("short", "?", "single", ("d9",)), Question("told", "?", "single", ("d1",)),
             Question("ten", "?", "single", ("d29",))]  # fmt: skip
    ten = [f"d{number}" for number in range(10)]
    ranked = {"short": ["d1", "d2"], "told": ["d1", "d1"], "ten": ten}
    golden = golden_file(tmp_path / "in" / "golden.json", found)
    printed = command(
        golden, "--trec", tmp_path / "a", "--report", report_file(tmp_path / "in" / "r.json", ranked, found, total=99)
    )
    assert "1 questions have fewer than 10 documents in the part of their ranking that the report keeps" in printed
    assert "nDCG@10 is a lower bound there: short" in printed
    whole = report_file(tmp_path / "in" / "w.json", ranked, found)
    assert "lower bound" not in command(golden, "--trec", tmp_path / "b", "--report", whole)


def test_a_first_hit_beyond_the_head_and_questions_that_differ_are_told(tmp_path: Path) -> None:
    report = report_file(tmp_path / "in" / "r.json", {"q1": ["d1"], "q9": [], "q2": ["d1"]}, QUESTIONS, total=40)
    content = json.loads(report.read_text())
    content["questions"][0] |= {"first_hit_rank": 33, "unretrieved": "call failed"}
    content["questions"][2] |= {"fingerprint": "edited", "question": "What?"}
    report.write_text(json.dumps(content))
    golden = golden_file(tmp_path / "in" / "golden.json", QUESTIONS)
    printed = command(golden, "--trec", tmp_path / "out", "--report", report)
    for told in (
        "2 questions of the golden set are not in the report: evaluators count 0: q3, q4",
        "1 questions of the report are not in the golden set, and evaluators leave them out: q9",
        "1 questions were put otherwise when the run asked them; their rankings are left out: evaluators count 0: q2",
        "1 questions are first answered beyond the part that the report keeps: RR is 0 there: q1",
        "1 questions could not be ranked: the report leaves them unscored, evaluators count 0: q1",
        "TREC's files can't say that a multi question needs all its documents",
        "1 questions of type none have no judgement",
    ):
        assert told in printed


def test_a_golden_set_alone_gives_judgements_alone(tmp_path: Path) -> None:
    golden = golden_file(tmp_path / "in" / "golden.json", QUESTIONS)
    command(golden, "--trec", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["qrels.txt"]


def test_beir_files_are_read_again_as_the_same_set(tmp_path: Path) -> None:
    golden = golden_file(tmp_path / "in" / "golden.json", QUESTIONS)
    corpus = lines(
        tmp_path / "in" / "c.jsonl", [{"_id": each.id, "text": each.text, "title": each.title} for each in DOCUMENTS]
    )
    command(golden, "--corpus", corpus, "--beir", tmp_path / "out")
    documents, again = read_beir(tmp_path / "out")
    assert documents == DOCUMENTS
    assert list(again.questions) == QUESTIONS
    assert again.findings == ()


def test_mistakes_in_the_command_are_told_together(tmp_path: Path) -> None:
    golden = golden_file(tmp_path / "golden.json", QUESTIONS)
    assert fails(golden, "--corpus", golden, "--report", golden) == (
        "say what to write: --beir FOLDER, --trec FOLDER or both",
        "--corpus is of no use without --beir",
        "--report is of no use without --trec",
    )
    assert fails(golden, "--beir", tmp_path / "b") == ("--beir needs the corpus, too: --corpus",)
    (problem,) = fails(golden, "--trec", tmp_path)
    assert "is where the sources lie" in problem
    report = written(tmp_path / "in" / "r.json", '{"run": {}}')
    assert fails(golden, "--trec", tmp_path / "t", "--report", report)[0].endswith(
        "is no report of a run (report.json or latest.json)"
    )
    broken = golden_file(tmp_path / "in" / "broken.json", [Question("q", "?", "single", ("gone",))])
    corpus = lines(tmp_path / "in" / "c.jsonl", [{"_id": "d", "text": "x"}])
    assert "lists what the corpus does not hold: gone" in fails(broken, "--corpus", corpus, "--beir", tmp_path / "b")[0]
    assert not (tmp_path / "b").exists()
