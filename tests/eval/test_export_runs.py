"""What a run's exported rankings are worth: how deep they are, of which questions, and what no report has."""

import json
from pathlib import Path
from typing import Any

from eval.records import Question
from tests.eval.exported_sets import command, fails, golden_file, report_file
from tests.eval.foreign_sets import lines, written

QUESTIONS = [Question("q1", "One?", "single", ("d3",)), Question("q2", "Two?", "single", ("d40",))]
HEAD = [f"d{number}" for number in range(12)]


def exported(folder: Path, ranked: dict[str, list[str]], total: int = 0) -> str:
    golden = golden_file(folder / "in" / "golden.json", QUESTIONS)
    report = report_file(folder / "in" / "r.json", ranked, QUESTIONS, total=total)
    return command(golden, "--trec", folder / "out", "--report", report)


def test_how_deep_the_heads_are_and_which_measures_are_exact_is_told(tmp_path: Path) -> None:
    printed = exported(tmp_path, {"q1": HEAD, "q2": [*HEAD, *HEAD]}, total=1000)
    assert "run.txt holds the heads of 2 rankings, 12 documents deep or deeper" in printed
    assert "no more of up to 1000 chunks" in printed
    assert "measures that look at the first 12 documents or fewer are exact (nDCG@12, R@12, P@12, RR@12)" in printed
    assert "deeper ones and those without a cutoff (AP, RR, Rprec, R@100, nDCG) can be too low" in printed
    assert "1 questions have an answer that is not in the head: q2" in printed


def test_heads_that_hold_all_answers_are_exact_for_every_measure(tmp_path: Path) -> None:
    assert "all answers stand in the heads" in exported(tmp_path, {"q1": HEAD, "q2": ["d40"]}, total=1000)


def test_whole_rankings_are_exact_for_every_measure(tmp_path: Path) -> None:
    assert "run.txt holds whole rankings" in exported(tmp_path, {"q1": HEAD, "q2": ["d1"]})


def test_a_report_of_another_golden_set_is_wrong_input(tmp_path: Path) -> None:
    golden = golden_file(tmp_path / "in" / "golden.json", QUESTIONS)
    report = report_file(tmp_path / "in" / "r.json", {"x1": HEAD}, QUESTIONS)
    (problem,) = fails(golden, "--trec", tmp_path / "out", "--report", report)
    assert problem == f"{report}: ranks no question of {golden}; name the report of a run on this golden set"
    assert not (tmp_path / "out").exists()


def edited(folder: Path, **changes: Any) -> str:
    """Exported after the second question was changed since the run."""
    golden = golden_file(folder / "in" / "golden.json", QUESTIONS)
    report = report_file(folder / "in" / "r.json", {"q1": HEAD, "q2": HEAD}, QUESTIONS)
    content = json.loads(report.read_text())
    content["questions"][1] |= {"fingerprint": "before", **changes}
    written(report, json.dumps(content))
    return command(golden, "--trec", folder / "out", "--report", report)


def test_the_ranking_of_a_question_that_was_put_otherwise_is_left_out(tmp_path: Path) -> None:
    printed = edited(tmp_path, question="Too?")
    assert "1 questions were put otherwise when the run asked them; their rankings are left out" in printed
    assert {line.split()[0] for line in (tmp_path / "out" / "run.txt").read_text().splitlines()} == {"q1"}


def test_the_ranking_of_a_question_with_other_judgements_alone_still_holds(tmp_path: Path) -> None:
    printed = edited(tmp_path, question="Two?")
    assert "1 questions have other documents or another type than in the run" in printed
    assert {line.split()[0] for line in (tmp_path / "out" / "run.txt").read_text().splitlines()} == {"q1", "q2"}


def test_an_earlier_run_does_not_stay_beside_new_judgements(tmp_path: Path) -> None:
    exported(tmp_path, {"q1": HEAD, "q2": HEAD})
    kept = written(tmp_path / "out" / "mine.txt", "mine")
    printed = command(tmp_path / "in" / "golden.json", "--trec", tmp_path / "out", "--replace")
    assert "note: run.txt of an earlier export was removed" in printed
    assert sorted(path.name for path in kept.parent.iterdir()) == ["mine.txt", "qrels.txt"]


def test_judgements_of_another_split_beside_an_export_are_told(tmp_path: Path) -> None:
    golden = golden_file(tmp_path / "in" / "golden.json", QUESTIONS)
    corpus = lines(tmp_path / "in" / "c.jsonl", [{"_id": name, "text": "x"} for name in ("d3", "d40")])
    written(tmp_path / "out" / "qrels" / "dev.tsv", "old")
    printed = command(golden, "--corpus", corpus, "--beir", tmp_path / "out", "--replace")
    assert "qrels stays, and is of another export: dev.tsv" in printed


def test_a_portable_baseline_is_said_to_keep_no_rankings(tmp_path: Path) -> None:
    golden = golden_file(tmp_path / "in" / "golden.json", QUESTIONS)
    baseline = {"run": {"name": "b"}, "questions": [{"id": "q1", "fingerprint": "0"}, {"id": "q2", "fingerprint": "1"}]}
    report = written(tmp_path / "in" / "b.json", json.dumps(baseline))
    (problem,) = fails(golden, "--trec", tmp_path / "out", "--report", report)
    assert problem.startswith(f"{report}: keeps no rankings, as a portable baseline does not; name the run's report")


def test_another_corpus_is_told_by_a_few_questions_and_their_number(tmp_path: Path) -> None:
    many = [Question(f"q{number}", f"Q {number}?", "single", (f"d{number}",)) for number in range(200)]
    golden = golden_file(tmp_path / "in" / "golden.json", many)
    corpus = lines(tmp_path / "in" / "c.jsonl", [{"_id": "x", "text": "x"}])
    problems = fails(golden, "--corpus", corpus, "--beir", tmp_path / "out")
    assert len(problems) == 6
    assert problems[-1] == f"and 195 more like these; is {corpus} the corpus of {golden}?"
