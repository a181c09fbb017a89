"""Logging later what could not be logged at once."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from mlflow import MlflowClient
from mlflow.entities import Run

from runner.relog import relog
from runner.tracking.address import locate
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.process import this_process

Write = Callable[..., Path]


def _runs(root: Path, experiment: str = "handbook-en") -> list[Run]:
    client = MlflowClient(locate(None, root).uri)
    found = client.get_experiment_by_name(experiment)
    return list(client.search_runs([found.experiment_id], order_by=["attributes.start_time"])) if found else []


def _command(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "runner.relog", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_the_command_says_that_there_is_nothing_to_log_where_nothing_was_run(tmp_path: Path) -> None:
    ended = _command(tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "Nothing to log.\n", "")
    assert not (tmp_path / "mlruns").exists()


def test_the_command_logs_what_is_pending_with_a_line_each_and_nothing_more(root: Path, write_run: Write) -> None:
    write_run(root / "runs" / "a")
    ended = _command(root.parent)
    (run,) = _runs(root)
    link = f"http://127.0.0.1:5000/#/experiments/1/runs/{run.info.run_id}"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"mlruns/runs/a: logged, {link}\n", "")
    assert _command(root.parent).stdout == "Nothing to log.\n"


def test_the_command_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    ended = _command(tmp_path, "mlrunz")
    assert ended.returncode == 2
    assert ended.stderr == "error: mlrunz is not there: name the mlruns folder, or a run or sweep folder in it\n"


def test_runs_are_logged_oldest_first_and_only_those_that_wait(
    root: Path, write_run: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    MlflowTracking(root=root).log_run(write_run(root / "runs" / "done"))
    for name, started in (("b", 1), ("c", 3), ("a", 2)):
        write_run(root / "runs" / name, started=started)
    assert relog(root, None) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [Path(line.partition(": logged, ")[0]).name for line in lines] == ["b", "a", "c"]
    assert len(_runs(root)) == 4


def test_one_run_folder_can_be_named_and_goes_to_the_database_that_it_lies_beside(root: Path, write_run: Write) -> None:
    write_run(root / "runs" / "a")
    assert relog(write_run(root / "runs" / "b"), None) == 0
    assert len(_runs(root)) == 1


def test_an_interrupted_sweep_is_closed_as_killed_with_its_jobs_below(
    root: Path, write_run: Write, write_sweep: Write
) -> None:
    gone = replace(this_process(), pid=2**30, started="1")
    sweep = write_sweep(root / "sweeps" / "s", tags={"evalfirst.process": str(gone)})
    for number in range(2):
        write_run(sweep / str(number), sweep="s", name=f"job-{number}")
    assert relog(root, None) == 0
    runs = {run.info.run_name: run for run in _runs(root)}
    assert runs["chunk_small"].info.status == "KILLED"
    parent = runs["chunk_small"].info.run_id
    assert {runs[f"job-{number}"].data.tags["mlflow.parentRunId"] for number in range(2)} == {parent}
    record = json.loads((sweep / "sweep.json").read_text(encoding="utf-8"))
    assert (record["status"], record["metrics"]["sweep/jobs"]) == ("KILLED", 2)
    assert runs["chunk_small"].data.tags["mlflow.note.content"].startswith("| run |")
    assert (sweep / "leaderboard.md").is_file()
    assert relog(root, None) == 0
    assert len(_runs(root)) == 3


def test_the_parts_of_a_sweep_are_kept_together(
    root: Path, write_run: Write, write_sweep: Write, tmp_path: Path
) -> None:
    sweep = write_sweep(root / "sweeps" / "s", status="FINISHED")
    write_run(sweep / "0", sweep="s", name="job-0")
    assert relog(root, None) == 0
    write_run(sweep / "1", sweep="s", name="job-1")
    assert relog(root, f"sqlite:///{tmp_path}/other.db") == 3
    assert not (tmp_path / "other.db").exists()
    assert relog(root, None) == 0


def test_a_run_whose_files_are_gone_is_not_logged_as_whole(
    root: Path, write_run: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_run(root / "runs" / "a", files=["gone.json"])
    assert relog(root, None) == 3
    assert "gone.json is gone, so the run is not whole" in capsys.readouterr().err
    (folder / "gone.json").write_text("{}", encoding="utf-8")
    assert relog(root, None) == 0


def test_runs_that_nobody_wanted_tracked_are_logged_only_when_asked_for(root: Path, write_run: Write) -> None:
    write_run(root / "runs" / "a", tracking={"uri": None, "experiment": None, "wanted": False})
    assert relog(root, None) == 0
    assert not (root / "mlflow.db").exists() or _runs(root) == []
    assert relog(root, None, everything=True) == 0
    assert len(_runs(root)) == 1


def test_runs_can_be_logged_to_another_experiment(root: Path, write_run: Write) -> None:
    write_run(root / "runs" / "a")
    assert relog(root, None, "elsewhere") == 0
    assert len(_runs(root, "elsewhere")) == 1


def test_a_sweep_that_still_runs_is_left_alone(
    root: Path, write_run: Write, write_sweep: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep = write_sweep(root / "sweeps" / "s", tags={"evalfirst.process": str(this_process())})
    write_run(sweep / "0", sweep="s")
    assert relog(root, None) == 0
    assert f"{sweep}: still running" in capsys.readouterr().out
    assert sorted(run.info.status for run in _runs(root)) == ["FINISHED", "RUNNING"]


def test_a_broken_folder_is_named_and_the_others_are_logged(
    root: Path, write_run: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    (write_run(root / "runs" / "a") / "run.json").write_text("{")
    write_run(root / "runs" / "b", metrics={"recall@5": 1.0})
    write_run(root / "runs" / "c")
    assert relog(root, None) == 3
    told = capsys.readouterr()
    assert f"error: {root / 'runs' / 'a' / 'run.json'}: can't be read" in told.err
    assert f"error: {root / 'runs' / 'b'}: metric name 'recall@5' can't be logged" in told.err
    assert told.out.startswith(f"{root / 'runs' / 'c'}: logged, ")


def test_a_silent_server_is_asked_once_and_all_its_runs_stay_pending(
    root: Path, write_run: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        uri = f"http://127.0.0.1:{listener.getsockname()[1]}"
    for name in ("a", "b"):
        write_run(root / "runs" / name, tracking={"uri": uri, "experiment": None})
    write_run(root / "runs" / "c")
    assert relog(root, None) == 3
    told = capsys.readouterr()
    assert told.err == "".join(
        f"error: {root / 'runs' / name}: the MLflow server at {uri} does not answer, or only with errors\n"
        for name in ("a", "b")
    )
    assert len(told.out.splitlines()) == 1


def test_runs_go_where_they_were_meant_to_go_unless_another_place_is_named(
    root: Path, tmp_path: Path, write_run: Write
) -> None:
    team = tmp_path / "team"
    team.mkdir()
    (team / "mlflow.db").write_bytes((root / "mlflow.db").read_bytes())
    uri = f"sqlite:///{team}/mlflow.db"
    write_run(root / "runs" / "a", tracking={"uri": uri, "experiment": "ours"})
    assert relog(root, None) == 0
    assert (len(_runs(team, "ours")), _runs(root)) == (1, [])

    write_run(root / "runs" / "b")
    assert relog(root, uri) == 0
    assert len(_runs(team)) == 1
    assert json.loads((root / "runs" / "b" / "tracking.json").read_text())["uri"] == uri


def test_a_place_that_cannot_be_is_told_and_the_run_stays_pending(
    root: Path, write_run: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_run(root / "runs" / "a")
    assert relog(root, "file:./mlruns") == 3
    assert f"error: {folder}: tracking.uri 'file:./mlruns' names a folder" in capsys.readouterr().err
    assert not (folder / "tracking.json").exists()
