"""A run as files: names for the tracking UI, and all that is needed to log it later."""

import json
from pathlib import Path

import pytest

from eval.records import (
    Chunk,
    Dataset,
    Document,
    Judgement,
    PackedChunk,
    Question,
    QuestionRecord,
    RunRecord,
    StageTimes,
)
from eval.report.build import build_report
from runner.places import write_whole
from runner.run_folder import Job, write_failure, write_run

QUESTION = Question("q1", "How long?", "single", ("a",))
CONFIG = {
    "dataset": {"_target_": "x.Y", "name": "tiny", "path": "docs"},
    "chunker": {"_target_": "x.Chunker", "size": 200, "title": None},
    "budget": {"_target_": "x.Budget", "tokens": 600, "policy": "stop", "ladder": [100, 200]},
    "retriever": {"k1": 1.5, "analyzer": {"_target_": "x.Analyzer", "stemmer": "english"}},
    "tracking": {"uri": None, "experiment": "mine", "timeout_s": 5},
}
CHOICES = {"chunker": "sentence", "budget": "stop", "dataset": "folder", "retriever": "bm25"}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    record = QuestionRecord(
        QUESTION,
        ranked=(),
        ranked_total=3,
        context=(PackedChunk(Chunk("a#0", "a", 0, 1, "x"), 1, 30),),
        context_tokens=30,
        hit=True,
        reciprocal_rank=1.0,
        ndcg_at_10=0.5,
        doc_ndcg_at_10=1.0,
        budget_hits={600: True},
        answer="Ten days.",
        judgement=Judgement(refused=False, statements=(), relevancy=0.25),
    )
    run = RunRecord(
        name="a-run",
        dataset=Dataset("tiny", (Document("a", "x"),), (QUESTION,)),
        records=[record],
        tier="full",
        config=CONFIG,
        budget_tokens=600,
        fingerprints={"corpus": "c" * 16, "golden_set": "g" * 16, "counter": "o200k_base", "config": "f"},
        times=(StageTimes("rank", (2.0,)),),
        counts={"documents": 1, "chunks": 4, "chunk_tokens": 100, "context_tokens": 30},
    )
    job = Job(tmp_path / "runs" / "stamp", CHOICES, ("chunker=sentence",), None, tmp_path / "reports", "tiny", 1000)
    report = build_report(run, job.run_id)
    write_run(job, run, report, "# The report\n", 0, 2000)
    return job.folder


def test_the_summary_has_what_the_tracking_needs(written: Path):
    summary = json.loads((written / "run.json").read_text(encoding="utf-8"))
    assert (summary["id"], summary["name"], summary["experiment"]) == ("stamp", "a-run", "tiny")
    assert (summary["started"], summary["ended"], summary["status"], summary["complete"]) == (
        1000,
        2000,
        "FINISHED",
        True,
    )
    assert summary["tracking"] == {"uri": None, "experiment": "mine", "wanted": True}
    assert summary["dataset"]["digest"] == f"{'c' * 16}-{'g' * 16}"
    assert len(summary["dataset"]["digest"]) <= 36  # what MLflow keeps of a digest


def test_parameters_are_choices_and_plain_values_under_dotted_keys(written: Path):
    params = json.loads((written / "run.json").read_text(encoding="utf-8"))["params"]
    assert params["chunker"] == "sentence"
    assert params["chunker.size"] == 200
    assert params["chunker.title"] is None
    assert params["retriever.analyzer.stemmer"] == "english"
    assert not [key for key in params if "_target_" in key or "ladder" in key or key.startswith("tracking")]


def test_metrics_have_section_names_and_none_is_without_a_value(written: Path):
    metrics = json.loads((written / "run.json").read_text(encoding="utf-8"))["metrics"]
    assert metrics["gated/recall"] == 1.0
    assert metrics["measures/answer_relevancy"] == 0.25
    assert metrics["run/context_tokens_per_question"] == 30.0
    assert metrics["run/latency_rank_p50_ms"] == 2.0
    assert "gated/refusal_rate" not in metrics  # no question of type none: there is no such value
    assert all(isinstance(value, (int, float)) for value in metrics.values())


def test_the_table_per_question_is_in_split_orientation(written: Path):
    found = json.loads((written / "per_question.json").read_text(encoding="utf-8"))
    (row,) = found["data"]
    named = dict(zip(found["columns"], row, strict=True))
    assert (named["id"], named["hit"], named["faithfulness"], named["answer"]) == ("q1", True, 0.0, "Ten days.")


def test_records_are_a_line_per_question_and_the_latest_report_is_the_same_as_the_runs(written: Path):
    (line,) = (written / "records.jsonl").read_text(encoding="utf-8").splitlines()
    report = json.loads((written / "report.json").read_text(encoding="utf-8"))
    assert json.loads(line) == report["questions"][0]
    assert json.loads((written.parents[1] / "reports" / "latest.json").read_text(encoding="utf-8")) == report


def test_values_that_would_not_show_are_quoted(tmp_path: Path):
    job = Job(tmp_path / "7", {}, (), None, tmp_path, "tiny")
    write_failure(job, "x", {"budget": {"separator": "\n\n", "policy": "stop"}}, "FAILED", "boom", 3, 5)
    params = json.loads((tmp_path / "7" / "run.json").read_text(encoding="utf-8"))["params"]
    assert (params["budget.separator"], params["budget.policy"]) == (r'"\n\n"', "stop")


def test_a_failed_run_is_written_with_its_error_and_what_was_asked_for(tmp_path: Path):
    job = Job(tmp_path / "7", {"chunker": "fixed"}, ("chunker.size=9",), "a-sweep", tmp_path, "tiny", 1)
    write_failure(job, "size9", {"chunker": {"size": "${x}"}}, "FAILED", "chunker.size: wrong", 2, 5)
    summary = json.loads((tmp_path / "7" / "run.json").read_text(encoding="utf-8"))
    assert (summary["status"], summary["complete"], summary["error"]) == ("FAILED", False, "chunker.size: wrong")
    assert (summary["id"], summary["sweep"], summary["experiment"]) == ("a-sweep/7", "a-sweep", "tiny")
    assert (summary["overrides"], summary["exit_code"]) == (["chunker.size=9"], 2)
    assert summary["params"]["chunker.size"] == "${x}"


def test_a_file_is_replaced_whole(tmp_path: Path):
    target = tmp_path / "deep" / "file.txt"
    write_whole(target, "old")
    write_whole(target, "年假")
    assert target.read_text(encoding="utf-8") == "年假"
    assert [path.name for path in target.parent.iterdir()] == ["file.txt"]
