"""Run and sweep folders in a real tracking database."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient
from mlflow.entities import Run, ViewType

from eval.errors import InputError
from runner.tracking.address import locate
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.nothing import NoTracking
from runner.tracking.process import this_process

Write = Callable[..., Path]


def _client(root: Path) -> MlflowClient:
    return MlflowClient(locate(None, root).uri)


def _runs(root: Path, experiment: str = "handbook-en", view: int = ViewType.ACTIVE_ONLY) -> list[Run]:
    found = _client(root).get_experiment_by_name(experiment)
    return list(_client(root).search_runs([found.experiment_id], "", view)) if found else []


def test_a_run_folder_is_in_the_database_with_everything(root: Path, write_run: Write) -> None:
    folder = write_run(root / "runs" / "a")
    logged = MlflowTracking(root=root).log_run(folder)
    run = _client(root).get_run(logged.run_id)
    assert (run.info.run_name, run.info.status) == ("s200-bm25-b600", "FINISHED")
    assert (run.info.start_time, run.info.end_time) == (1_700_000_000_000, 1_700_000_060_000)
    assert run.data.params == {"chunker": "sentence", "chunker.size": "200", "judge": "null"}
    assert run.data.metrics == {"retrieval/recall": 0.875, "cost/usd": 0.0}
    assert run.data.tags["evalfirst.fingerprint.corpus"] == "0011223344556677"
    assert run.data.tags["evalfirst.complete"] == "true"
    assert json.loads(run.data.tags["mlflow.loggedArtifacts"]) == [{"path": "per_question.json", "type": "table"}]
    (data,) = run.inputs.dataset_inputs
    assert (data.dataset.name, data.dataset.digest) == ("handbook-en", "00ff-11ee")
    assert json.loads(data.dataset.source) == {"path": "corpus/en"}
    assert json.loads(data.dataset.profile) == {"documents": 30}
    files = {item.path for item in _client(root).list_artifacts(logged.run_id)}
    assert files == {"per_question.json", "report.md"}
    assert (root / "artifacts" / "handbook-en" / logged.run_id / "artifacts" / "report.md").read_text() == "# Report\n"
    note = json.loads((folder / "tracking.json").read_text())
    assert (note["run_id"], note["experiment_id"], note["uri"]) == (logged.run_id, logged.experiment_id, logged.uri)
    assert logged.url == f"http://127.0.0.1:5000/#/experiments/{logged.experiment_id}/runs/{logged.run_id}"


def test_the_table_per_question_is_read_back_by_mlflow(
    root: Path, write_run: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged = MlflowTracking(root=root).log_run(write_run(root / "runs" / "a"))
    monkeypatch.setenv("MLFLOW_TRACKING_URI", logged.uri)
    table = _client(root).load_table(logged.experiment_id, "per_question.json", [logged.run_id])
    assert table.to_dict("list") == {"id": ["q1"], "hit": [True]}


def test_a_folder_that_was_logged_is_not_logged_again(root: Path, write_run: Write) -> None:
    folder = write_run(root / "runs" / "a")
    first = MlflowTracking(root=root).log_run(folder)
    assert MlflowTracking(root=root).log_run(folder) == first
    assert len(_runs(root)) == 1


def test_a_failed_run_is_failed_incomplete_and_in_nobodys_way(root: Path, write_run: Write) -> None:
    tracking = MlflowTracking(root=root)
    failed = tracking.log_run(
        write_run(root / "runs" / "a", status="FAILED", complete=False, error="no such corpus", dataset=None)
    )
    after = tracking.log_run(write_run(root / "runs" / "b"))
    tags = _client(root).get_run(failed.run_id).data.tags
    assert _client(root).get_run(failed.run_id).info.status == "FAILED"
    assert (tags["evalfirst.complete"], tags["evalfirst.error"]) == ("false", "no such corpus")
    assert "mlflow.parentRunId" not in _client(root).get_run(after.run_id).data.tags


def test_a_run_cannot_call_itself_complete_by_a_tag(root: Path, write_run: Write) -> None:
    folder = write_run(root / "runs" / "a", complete=False, tags={"evalfirst.complete": "true"})
    logged = MlflowTracking(root=root).log_run(folder)
    assert _client(root).get_run(logged.run_id).data.tags["evalfirst.complete"] == "false"


def test_more_values_than_mlflow_takes_at_once_all_arrive(root: Path, write_run: Write) -> None:
    params = {f"p.{number}": number for number in range(250)}
    metrics = {f"m/{number}": float(number) for number in range(1200)}
    tags = {f"t.{number}": str(number) for number in range(150)}
    folder = write_run(root / "runs" / "a", params=params, metrics=metrics, tags=tags)
    run = _client(root).get_run(MlflowTracking(root=root).log_run(folder).run_id)
    assert run.data.params == {name: str(value) for name, value in params.items()}
    assert run.data.metrics == metrics
    assert tags.items() <= run.data.tags.items()


def test_a_metric_name_that_mlflow_refuses_is_told_before_anything_is_logged(root: Path, write_run: Write) -> None:
    folder = write_run(root / "runs" / "a", metrics={"recall@5": 1.0, "mrr": 0.5})
    with pytest.raises(InputError, match="recall@5"):
        MlflowTracking(root=root).log_run(folder)
    assert not (folder / "tracking.json").exists()
    assert _client(root).get_experiment_by_name("handbook-en") is None


def test_a_judge_that_failed_everywhere_leaves_no_metric_but_a_tag(root: Path, write_run: Write) -> None:
    folder = write_run(root / "runs" / "a", metrics={"answer/faithfulness": None, "retrieval/mrr": 0.5})
    run = _client(root).get_run(MlflowTracking(root=root).log_run(folder).run_id)
    assert run.data.metrics == {"retrieval/mrr": 0.5}
    assert json.loads(run.data.tags["evalfirst.unlogged_metrics"]) == ["answer/faithfulness"]


def test_an_experiment_given_in_the_configuration_replaces_the_one_of_the_run(root: Path, write_run: Write) -> None:
    MlflowTracking(root=root, experiment="team/handbook").log_run(write_run(root / "runs" / "a"))
    assert len(_runs(root, "team/handbook")) == 1


def test_a_sweep_is_one_parent_with_its_jobs_below(root: Path, write_run: Write, write_sweep: Write) -> None:
    tracking = MlflowTracking(root=root)
    sweep = write_sweep(root / "sweeps" / "s")
    jobs = [tracking.log_run(write_run(sweep / str(number), sweep="s")) for number in range(2)]
    (parent,) = {_client(root).get_run(job.run_id).data.tags["mlflow.parentRunId"] for job in jobs}
    assert _client(root).get_run(parent).info.status == "RUNNING"
    assert tracking.log_sweep(sweep).run_id == parent
    assert _client(root).get_run(parent).info.status == "RUNNING"

    write_sweep(sweep, status="FAILED", ended=1_700_000_090_000, metrics={"sweep/jobs": 2}, tags={"note": "x"})
    (sweep / "leaderboard.md").write_text("# Leaderboard\n")
    assert tracking.log_sweep(sweep).run_id == parent
    run = _client(root).get_run(parent)
    assert (run.info.run_name, run.info.status, run.info.end_time) == ("chunk_small", "FAILED", 1_700_000_090_000)
    assert run.data.metrics == {"sweep/jobs": 2.0}
    assert (run.data.tags["note"], run.data.tags["evalfirst.overrides"]) == ("x", '["chunker.size=128,256"]')
    assert "evalfirst.complete" not in run.data.tags
    assert [item.path for item in _client(root).list_artifacts(parent)] == ["leaderboard.md"]
    assert len(_runs(root)) == 3


def test_jobs_with_experiments_of_their_own_share_the_parent(root: Path, write_run: Write, write_sweep: Write) -> None:
    tracking = MlflowTracking(root=root)
    sweep = write_sweep(root / "sweeps" / "s", experiment="sweeps")
    jobs = [tracking.log_run(write_run(sweep / name, sweep="s", experiment=name)) for name in ("en", "zh")]
    assert len({_client(root).get_run(job.run_id).data.tags["mlflow.parentRunId"] for job in jobs}) == 1
    assert [len(_runs(root, name)) for name in ("sweeps", "en", "zh")] == [1, 1, 1]


def test_a_parent_that_was_deleted_is_made_anew(root: Path, write_run: Write, write_sweep: Write) -> None:
    tracking = MlflowTracking(root=root)
    sweep = write_sweep(root / "sweeps" / "s", status="FINISHED", ended=1_700_000_090_000)
    first = tracking.log_sweep(sweep).run_id
    _client(root).delete_run(first)
    job = tracking.log_run(write_run(sweep / "0", sweep="s"))
    assert _client(root).get_run(job.run_id).data.tags["mlflow.parentRunId"] not in {first, None}


def test_runs_left_running_by_a_process_that_is_gone_are_closed_and_no_others(root: Path, write_run: Write) -> None:
    tracking, client = MlflowTracking(root=root), _client(root)
    tracking.check("handbook-en")
    experiment = client.get_experiment_by_name("handbook-en")
    assert experiment is not None
    gone = replace(this_process(), pid=2**30, started="1")
    owners = {"dead": str(gone), "alive": str(this_process()), "far": str(replace(gone, host="far")), "foreign": None}
    made: dict[str, Any] = {
        name: client.create_run(experiment.experiment_id, tags={"evalfirst.process": owner} if owner else {})
        for name, owner in owners.items()
    }
    tracking.log_run(write_run(root / "runs" / "a"))
    states = {name: client.get_run(run.info.run_id).info.status for name, run in made.items()}
    assert states == {"dead": "KILLED", "alive": "RUNNING", "far": "RUNNING", "foreign": "RUNNING"}


def test_without_tracking_the_run_stays_in_its_folder(tmp_path: Path, write_run: Write) -> None:
    folder = write_run(tmp_path / "a")
    before = sorted(folder.iterdir())
    tracking = NoTracking()
    tracking.check("handbook-en")
    assert tracking.log_run(folder) is None  # type: ignore[func-returns-value]  # that is the point
    assert tracking.log_sweep(folder) is None  # type: ignore[func-returns-value]
    assert sorted(folder.iterdir()) == before
