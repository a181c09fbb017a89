"""How a sweep ended, read from its folder: it does not matter in which processes its jobs ran."""

import json
from pathlib import Path
from typing import Any

from runner.sweep import Sweep, experiment_of, open_sweep, read_result, write_result


def opened(folder: Path, jobs: int) -> Path:
    open_sweep(
        folder,
        name="sizes",
        experiment="tiny",
        config={"tracking": {"_target_": "runner.tracking.nothing.NoTracking"}},
        overrides=["chunker.size=1,2"],
        swept=["chunker.size"],
        jobs=jobs,
    )
    return folder


def job(sweep: Path, number: int, **changes: Any) -> None:
    """A job's folder; a finished one has a report of no questions."""
    folder = sweep / str(number)
    folder.mkdir()
    metrics = {"run/context_tokens_per_question": 5.0}
    summary = {"name": f"job-{number}", "status": "FINISHED", "error": None, "exit_code": 0, "overrides": ["x=1"]}
    (folder / "run.json").write_text(json.dumps(summary | {"metrics": metrics} | changes), encoding="utf-8")
    recall = {"value": 1.0, "attempted": 1, "scored": 1, "unscored": {}}
    report = {
        "metrics": {"recall": recall},
        "questions": [],
        "config": {"chunker": {}},
        "bills": {"latency_ms": {"rank": {"p50": 0.1}}},
    }
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")


def test_a_job_learns_of_its_sweep_from_the_folder(tmp_path: Path):
    assert Sweep.read(opened(tmp_path / "s", 2)) == Sweep("s", "tiny", ("chunker.size",))


def test_a_sweep_whose_jobs_all_ended_well_is_finished(tmp_path: Path):
    sweep = opened(tmp_path / "s", 2)
    job(sweep, 0)
    job(sweep, 1)
    result = write_result(sweep, interrupted=False)
    assert (result.status, result.exit_code, result.finished, result.jobs) == ("FINISHED", 0, 2, 2)
    record = json.loads((sweep / "sweep.json").read_text(encoding="utf-8"))
    assert (record["status"], record["metrics"]) == ("FINISHED", {"sweep/finished": 2, "sweep/jobs": 2})
    assert record["tags"]["mlflow.note.content"] == (sweep / "leaderboard.md").read_text(encoding="utf-8")


def test_a_failed_job_makes_the_sweep_fail_with_its_code_and_its_overrides(tmp_path: Path):
    sweep = opened(tmp_path / "s", 2)
    job(sweep, 0)
    job(sweep, 1, status="FAILED", error="boom", exit_code=3)
    result = read_result(sweep, interrupted=False)
    assert (result.status, result.exit_code, result.finished) == ("FAILED", 3, 1)
    assert result.failures == ("job-1: boom [x=1]",)


def test_a_job_without_a_record_is_not_taken_for_one_that_ended_well(tmp_path: Path):
    sweep = opened(tmp_path / "s", 2)
    job(sweep, 0)
    result = read_result(sweep, interrupted=False)
    assert (result.status, result.exit_code, result.failures) == ("FAILED", 3, ("1 of 2 jobs left no record",))
    assert read_result(sweep, interrupted=True).status == "KILLED"


def test_a_record_that_cannot_be_read_is_a_failed_row_and_stops_nothing(tmp_path: Path):
    sweep = opened(tmp_path / "s", 2)
    job(sweep, 0)
    job(sweep, 1)
    (sweep / "1" / "run.json").write_text("{", encoding="utf-8")
    result = read_result(sweep, interrupted=False)
    assert (result.status, result.exit_code, result.finished) == ("FAILED", 3, 1)
    assert "its record can't be read" in result.failures[0]


def test_runs_of_several_datasets_share_the_experiment_of_their_sweep():
    assert experiment_of({"en"}, "languages") == "en"
    assert experiment_of({"en", "zh"}, "languages") == "languages"
