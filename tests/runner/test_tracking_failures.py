"""What happens when the store cannot take a run: one line, the run kept on disk, and never two copies later."""

import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import sqlalchemy
from mlflow import MlflowClient
from mlflow.entities import Run, ViewType

from runner.tracking.address import locate
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import ServerSilent, TrackingUnavailable

Write = Callable[..., Path]
RUNS: dict[str, str] = {}
REMEDY = "log it later with: python -m runner.relog"


def _client(root: Path) -> MlflowClient:
    return MlflowClient(locate(None, root).uri)


def _runs(root: Path, view: int = ViewType.ACTIVE_ONLY) -> list[Run]:
    experiment = _client(root).get_experiment_by_name("handbook-en")
    assert experiment is not None
    return list(_client(root).search_runs([experiment.experiment_id], "", view))


def _execute(root: Path, statement: str) -> None:
    with closing(sqlite3.connect(root / "mlflow.db")) as connection, connection:
        connection.execute(statement)


def test_a_deleted_experiment_is_told_with_the_way_back_before_anything_is_paid_for(
    root: Path, write_run: Write
) -> None:
    tracking, client = MlflowTracking(root=root), _client(root)
    tracking.check("handbook-en")
    experiment = client.get_experiment_by_name("handbook-en")
    assert experiment is not None
    gone = experiment.experiment_id
    client.delete_experiment(gone)
    with pytest.raises(TrackingUnavailable, match=f"mlflow experiments restore --experiment-id {gone}, or choose"):
        tracking.check("handbook-en")
    folder = write_run(root / "runs" / "a")
    with pytest.raises(TrackingUnavailable, match=f"the run is kept in {folder}; {REMEDY}"):
        tracking.log_run(folder)
    client.restore_experiment(gone)
    tracking.log_run(folder)
    assert len(_runs(root)) == 1


def test_an_mlruns_folder_that_was_moved_is_told_instead_of_writing_files_to_its_old_place(
    root: Path, tmp_path: Path, write_run: Write
) -> None:
    MlflowTracking(root=root).log_run(write_run(root / "runs" / "a"))
    moved = tmp_path / "elsewhere" / "mlruns"
    shutil.copytree(root, moved)
    with pytest.raises(TrackingUnavailable, match=r"keeps its files in .* but its database now lies elsewhere"):
        MlflowTracking(root=moved).log_run(write_run(moved / "runs" / "b"))


def test_an_attempt_that_failed_midway_leaves_one_copy_after_the_next(root: Path, write_run: Write) -> None:
    _execute(root, "CREATE TRIGGER full BEFORE INSERT ON params BEGIN SELECT RAISE(ABORT, 'no room left'); END")
    folder = write_run(root / "runs" / "a")
    with pytest.raises(TrackingUnavailable) as raised:
        MlflowTracking(root=root).log_run(folder)
    assert str(raised.value) == (
        f"runs can't be logged to sqlite:///{root}/mlflow.db: no room left; the run is kept in {folder}; {REMEDY}"
    )
    assert json.loads((folder / "tracking.json").read_text())["state"] == "started"
    assert [run.info.status for run in _runs(root)] == ["RUNNING"]

    _execute(root, "DROP TRIGGER full")
    logged = MlflowTracking(root=root).log_run(folder)
    (run,) = _runs(root)
    assert (run.info.run_id, run.info.status) == (logged.run_id, "FINISHED")
    assert len(run.data.params) == 3
    assert len(_runs(root, view=ViewType.DELETED_ONLY)) == 1


def test_an_attempt_whose_files_could_not_be_copied_is_not_called_complete(root: Path, write_run: Write) -> None:
    (root / "artifacts").write_text("in the way")
    folder = write_run(root / "runs" / "a")
    with pytest.raises(TrackingUnavailable, match=REMEDY):
        MlflowTracking(root=root).log_run(folder)
    (half,) = _runs(root)
    assert "evalfirst.complete" not in half.data.tags
    (root / "artifacts").unlink()
    MlflowTracking(root=root).log_run(folder)
    assert [run.data.tags["evalfirst.complete"] for run in _runs(root)] == ["true"]


def test_a_database_that_is_none_is_told_in_one_line(tmp_path: Path, write_run: Write) -> None:
    folder = write_run(tmp_path / "runs" / "a")
    (tmp_path / "mlflow.db").write_text("This is a shopping list, and a long one at that.\n" * 50)
    with pytest.raises(TrackingUnavailable, match=r"file is not a database; the run is kept in \S+; log it later"):
        MlflowTracking(root=tmp_path).log_run(folder)


def test_a_folder_where_no_database_can_be_is_told_in_one_line(tmp_path: Path, write_run: Write) -> None:
    (tmp_path / "mlruns").write_text("a file")
    with pytest.raises(TrackingUnavailable) as raised:
        MlflowTracking(root=tmp_path / "mlruns").log_run(write_run(tmp_path / "a"))
    assert "\n" not in str(raised.value)


def test_a_server_that_is_not_there_is_told_in_one_line(tmp_path: Path, write_run: Write) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        uri = f"http://127.0.0.1:{listener.getsockname()[1]}"
    folder = write_run(tmp_path / "runs" / "a")
    with pytest.raises(ServerSilent) as raised:
        MlflowTracking(uri=uri, root=tmp_path).log_run(folder)
    assert (
        str(raised.value)
        == f"the MLflow server at {uri} does not answer, or only with errors; the run is kept in {folder}; {REMEDY}"
    )
    assert not (folder / "tracking.json").exists()


def test_a_database_whose_driver_is_not_installed_is_told_in_one_line(tmp_path: Path, write_run: Write) -> None:
    tracking = MlflowTracking(uri="postgresql+nodriver://127.0.0.1:9/x", root=tmp_path)
    with pytest.raises(TrackingUnavailable, match=REMEDY) as raised:
        tracking.log_run(write_run(tmp_path / "runs" / "a"))
    assert "\n" not in str(raised.value)


def test_a_full_disk_is_told_in_one_line_and_the_run_is_logged_when_there_is_room(root: Path, write_run: Write) -> None:
    # a process that may write no file beyond the size that the database has
    script = (
        "import resource, sys; from pathlib import Path; from runner.tracking.mlflow_store import MlflowTracking\n"
        "root = Path('mlruns'); size = (root / 'mlflow.db').stat().st_size\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        "try: MlflowTracking().log_run(root / 'runs' / 'a')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    folder = write_run(root / "runs" / "a", tags={f"t{number}": "x" * 8000 for number in range(60)})
    ended = subprocess.run([sys.executable, "-c", script], cwd=root.parent, capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("TrackingUnavailable runs can't be logged to sqlite:///")
    assert ended.stdout.endswith(f"{REMEDY}\n")
    assert (ended.stdout.count("\n"), ended.stderr) == (1, "")
    logged = MlflowTracking(root=root).log_run(folder)
    assert [run.info.run_id for run in _runs(root)] == [logged.run_id]


@contextmanager
def _answering(body: str) -> Iterator[str]:
    """Address of a web server that answers whatever is asked with ``body``."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        do_POST = do_GET  # noqa: N815 – the library's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 – the library's name
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize(
    "body", ["{}", "", "<html>Welcome</html>", "[]", "null", '{"experiment": 5}', '{"experiment": {}}']
)
def test_a_server_that_is_none_of_mlflow_is_told_before_anything_is_paid_for(body: str, tmp_path: Path) -> None:
    with _answering(body) as uri, pytest.raises(TrackingUnavailable) as raised:
        MlflowTracking(uri=uri, root=tmp_path).check("handbook-en")
    assert str(raised.value).startswith(f"runs can't be logged to {uri}: the server's answer is not MLflow's")
    assert "\n" not in str(raised.value)


def test_what_only_the_library_of_databases_finds_wrong_with_an_address_is_told(tmp_path: Path) -> None:
    uri = "databricks://scope:prefix"  # which this one does not know, and says so in a way of its own
    with pytest.raises(TrackingUnavailable, match=f"runs can't be logged to {uri}: ValueError: invalid literal"):
        MlflowTracking(uri=uri, root=tmp_path).check("handbook-en")


@pytest.mark.parametrize("slip", [lambda: json.loads(""), lambda: int("x"), lambda: RUNS["x"]])
def test_a_slip_of_our_own_is_not_taken_for_a_failure_of_the_store(slip: Callable[[], object], root: Path) -> None:
    with pytest.raises((ValueError, LookupError)), MlflowTracking(root=root).opened():
        slip()


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL's limits as they are where nobody set them, before and after the test."""
    for name in ("PGCONNECT_TIMEOUT", "PGOPTIONS"):
        monkeypatch.setenv(name, "")  # noted, so that what the test makes of it is undone
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("no_limits")
def test_a_database_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", exc_type=ImportError, reason="SQLAlchemy's driver for PostgreSQL is not installed")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        uri = f"postgresql+psycopg://postgres@127.0.0.1:{listener.getsockname()[1]}/db"
        with pytest.raises(TrackingUnavailable, match=r"timeout expired"):
            MlflowTracking(uri=uri, root=tmp_path, timeout_s=1).check("handbook-en")


@pytest.mark.xdist_group("servers")
@pytest.mark.usefixtures("no_limits")
@pytest.mark.parametrize("table", ["experiments", "runs", "params"])
def test_a_table_that_somebody_holds_is_waited_for_no_longer_than_said(
    table: str, postgres_uri: str, tmp_path: Path, write_run: Write
) -> None:
    folder = write_run(tmp_path / "runs" / "a")
    engine = sqlalchemy.create_engine(postgres_uri, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"))
        with pytest.raises(TrackingUnavailable, match=f"timeout; the run is kept in {folder}"):
            MlflowTracking(uri=postgres_uri, root=tmp_path, timeout_s=1).log_run(folder)
    MlflowTracking(uri=postgres_uri, root=tmp_path, timeout_s=1).log_run(folder)


@pytest.mark.xdist_group("servers")
def test_a_second_project_at_one_database_server_is_told_how_to_keep_its_own_files(
    postgres_uri: str, tmp_path: Path
) -> None:
    MlflowTracking(uri=postgres_uri, root=tmp_path / "ours" / "mlruns").check("handbook-en")
    theirs = MlflowTracking(uri=postgres_uri, root=tmp_path / "theirs" / "mlruns")
    with pytest.raises(TrackingUnavailable) as raised:
        theirs.check("handbook-en")
    told = str(raised.value)
    assert f"experiment 'handbook-en' keeps its files in file://{tmp_path}/ours/mlruns/artifacts/handbook-en" in told
    assert "tracking.experiment=NAME" in told
    assert "MLflow server" in told
    assert "move the folder" not in told
    theirs.check("another")
