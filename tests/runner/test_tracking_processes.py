"""Tracking from several processes, from processes that are killed, and through a real server."""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.error import URLError

import pytest
import sqlalchemy
from alembic import command
from alembic.script import ScriptDirectory
from mlflow import MlflowClient
from mlflow.store.db.utils import _get_alembic_config, _get_latest_schema_revision
from mlflow.store.tracking.dbmodels.initial_models import Base

from runner.tracking.address import locate
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import TrackingUnavailable

Write = Callable[..., Path]
LOG = (
    "import sys; from pathlib import Path; from runner.tracking.mlflow_store import MlflowTracking\n"
    "for folder in sys.argv[1:]: MlflowTracking().log_run(Path(folder))"
)


def _log(cwd: Path, *folders: Path) -> subprocess.Popen[str]:
    command_line = [sys.executable, "-c", LOG, *map(str, folders)]
    return subprocess.Popen(command_line, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _client(root: Path) -> MlflowClient:
    return MlflowClient(locate(None, root).uri)


def _wait_for(happened: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_processes_that_meet_on_a_fresh_folder_all_log_their_runs_in_silence(
    tmp_path: Path, write_run: Write, write_sweep: Write
) -> None:
    sweep = write_sweep(tmp_path / "mlruns" / "sweeps" / "s")
    jobs = [write_run(sweep / str(number), sweep="s") for number in range(6)]
    processes = [_log(tmp_path, *jobs[start::3]) for start in range(3)]
    told = [process.communicate(timeout=120)[0] for process in processes]
    assert (told, [process.returncode for process in processes]) == ([""] * 3, [0] * 3)
    client = _client(tmp_path / "mlruns")
    assert sorted(each.name for each in client.search_experiments()) == ["Default", "handbook-en"]
    experiment = client.get_experiment_by_name("handbook-en")
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    parents = {run.data.tags.get("mlflow.parentRunId") for run in runs} - {None}
    assert (len(runs), len(parents)) == (7, 1)
    complete = [run for run in runs if run.data.tags.get("evalfirst.complete") == "true"]
    assert len(complete) == 6
    assert all(len(run.data.params) == 3 and len(client.list_artifacts(run.info.run_id)) == 2 for run in complete)


def test_two_processes_that_log_the_same_folder_make_one_run(root: Path, write_run: Write) -> None:
    folder = write_run(root / "runs" / "a")
    processes = [_log(root.parent, folder) for _ in range(2)]
    assert [process.communicate(timeout=60)[0] for process in processes] == ["", ""]
    assert len(_client(root).search_runs(["1"])) == 1


def test_a_process_killed_while_it_makes_the_database_does_not_break_it(tmp_path: Path, write_run: Write) -> None:
    root = tmp_path / "mlruns"
    folder = write_run(root / "runs" / "a")
    with _log(tmp_path, folder) as process:
        _wait_for((root / ".mlflow.db.new").exists, 60)
        process.kill()
    assert not (root / "mlflow.db").exists()
    logged = MlflowTracking(root=root).log_run(folder)
    assert _client(root).get_run(logged.run_id).info.status == "FINISHED"


def test_a_process_killed_while_it_logs_leaves_an_orphan_and_the_run_is_logged_once(
    root: Path, write_run: Write
) -> None:
    folder = write_run(root / "runs" / "a")
    many = [folder / f"{number}.txt" for number in range(4000)]
    for path in many:
        path.write_text("x")
    with _log(root.parent, folder) as process:
        _wait_for(lambda: list(root.glob("artifacts/*/*/artifacts/*")), 60)
        process.send_signal(signal.SIGKILL)
    assert json.loads((folder / "tracking.json").read_text())["state"] == "started"
    for path in many[1:]:
        path.unlink()
    client = _client(root)
    (orphan,) = client.search_runs(["1"])
    assert orphan.info.status == "RUNNING"

    MlflowTracking(root=root).log_run(write_run(root / "runs" / "b", name="another"))
    assert client.get_run(orphan.info.run_id).info.status == "KILLED"
    logged = MlflowTracking(root=root).log_run(folder)
    assert client.get_run(orphan.info.run_id).info.lifecycle_stage == "deleted"
    copies = [run for run in client.search_runs(["1"]) if run.info.run_name == "s200-bm25-b600"]
    assert [run.info.run_id for run in copies] == [logged.run_id]
    assert len(client.list_artifacts(logged.run_id)) == 3


def test_a_database_of_an_older_mlflow_is_copied_before_it_is_migrated(
    tmp_path: Path, write_run: Write, caplog: pytest.LogCaptureFixture
) -> None:
    place = locate(None, tmp_path)
    engine = sqlalchemy.create_engine(place.uri)
    Base.metadata.create_all(engine)
    config = _get_alembic_config(place.uri)
    older = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][30]
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, older)
    engine.dispose()

    MlflowTracking(root=tmp_path).log_run(write_run(tmp_path / "runs" / "a"))
    assert _revision(tmp_path / "mlflow.db") == _get_latest_schema_revision()
    assert _revision(tmp_path / f"mlflow.db.before-migration-from-{older}") == older
    assert "a copy of it is kept in" in caplog.text


def test_a_database_that_mlflow_does_not_migrate_by_itself_is_copied_too_and_the_command_told(
    root: Path, write_run: Write
) -> None:
    with closing(sqlite3.connect(root / "mlflow.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'cafe00000000'")
    with pytest.raises(TrackingUnavailable, match="mlflow db upgrade"):
        MlflowTracking(root=root).log_run(write_run(root / "runs" / "a"))
    assert (root / "mlflow.db.before-migration-from-cafe00000000").exists()


def _revision(database: Path) -> str:
    with closing(sqlite3.connect(database)) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


@contextmanager
def _server(database: Path, files: Path) -> Iterator[str]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    uri = f"http://127.0.0.1:{port}"
    options = ["--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    stores = ["--backend-store-uri", f"sqlite:///{database}", "--artifacts-destination", str(files)]
    environment = {**os.environ, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    start = [sys.executable, "-m", "mlflow", "server", *options, *stores]
    # in a session of its own, so that its worker ends with it
    process = subprocess.Popen(
        start, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        _wait_for(lambda: _answers(f"{uri}/health"), 90)
        yield uri
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - the test's own server
            return bool(answer.status == 200)
    except (URLError, ConnectionError, TimeoutError):
        return False


def test_runs_go_through_a_server_that_decides_where_their_files_lie(
    migrated: Path, tmp_path: Path, write_run: Write, write_sweep: Write
) -> None:
    shutil.copyfile(migrated, tmp_path / "server.db")
    sweep = write_sweep(tmp_path / "sweeps" / "s", status="FINISHED", ended=1_700_000_090_000)
    job = write_run(sweep / "0", sweep="s", params={"prompt": "", "none": None})
    (job / "charts").mkdir()
    (job / "charts" / "a.svg").write_text("<svg/>")
    with _server(tmp_path / "server.db", tmp_path / "files") as uri:
        tracking = MlflowTracking(uri=uri, root=tmp_path, experiment="team/handbook")
        logged, parent = tracking.log_run(job), tracking.log_sweep(sweep)
        run = MlflowClient(uri).get_run(logged.run_id)
        files = {item.path for item in MlflowClient(uri).list_artifacts(logged.run_id)}
    assert logged.url == f"{uri}/#/experiments/{logged.experiment_id}/runs/{logged.run_id}"
    assert run.data.tags["mlflow.parentRunId"] == parent.run_id
    assert (run.info.status, run.data.tags["evalfirst.complete"]) == ("FINISHED", "true")
    assert run.data.params == {"prompt": "", "none": "null"}
    assert run.inputs.dataset_inputs[0].dataset.name == "handbook-en"
    assert files == {"charts", "per_question.json", "report.md"}
    assert len(list((tmp_path / "files").rglob("a.svg"))) == 1
    assert not (tmp_path / "artifacts").exists()
