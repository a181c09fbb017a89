"""Real servers as fixtures: an MLflow server and PostgreSQL, on free ports of this machine, gone after the tests.

Every process of pytest-xdist starts its own: a shared one would end with the worker that started it, or never.
``@pytest.mark.xdist_group("servers")`` with ``--dist loadgroup`` keeps tests of servers, and so the servers, together.
"""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

_PATIENCE_S = 120
_ENOUGH_S = 30  # to end in order; then by force
# The server runs as this shell's process. Beside it waits one that ends the whole group when the input does, which
# is when the tests are over, or killed.
_WATCHED = 'exec 3<&0; stop=$1; shift; (read -r _ <&3; kill -s "$stop" 0) & exec "$@" 3<&- </dev/null'

Process = subprocess.Popen[bytes]


@contextmanager
def running(command: list[str], log: Path, stop: str = "TERM", **how: Any) -> Iterator[Process]:
    """Run a server in a process group of its own; at the end the group is sent ``stop``, and killed if it stays."""
    start = ["/bin/sh", "-c", _WATCHED, "sh", stop, *command]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            start, stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True, **how
        ) as process,
    ):
        try:
            yield process
        finally:
            _end(process)


def _end(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_ENOUGH_S)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _await(ready: Callable[[], bool], process: Process, log: Path) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not ready():
        if process.poll() is not None or time.monotonic() > end:
            told = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
            pytest.fail(f"the server ended or is not ready after {_PATIENCE_S} s; it told:\n{told}", pytrace=False)
        time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="session")
def mlflow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URI of an MLflow server with a database of its own, which also keeps the files of runs."""
    folder, port = tmp_path_factory.mktemp("mlflow-server"), _free_port()
    stores = ["--backend-store-uri", f"sqlite:///{folder}/mlflow.db", "--artifacts-destination", f"{folder}/files"]
    options = ["--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    # Settings of the person who runs the tests would reach the server too.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MLFLOW_")}
    environment |= {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "MLFLOW_DISABLE_TELEMETRY": "true"}
    command, log = [sys.executable, "-m", "mlflow", "server", *options, *stores], folder / "server.log"
    with running(command, log, env=environment, cwd=folder) as process:
        _await(lambda: _is_healthy(port), process, log)
        yield f"http://127.0.0.1:{port}"


def _is_healthy(port: int) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False


@dataclass(frozen=True)
class Postgres:
    """A PostgreSQL of the tests, which lets in everybody on this machine."""

    port: int

    def uri(self, database: str) -> str:
        """Address of one of its databases; the driver is the one that SQLAlchemy takes unless told otherwise."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str) -> None:
        """Run a statement outside of any transaction, over a connection that is closed afterwards."""
        engine = sqlalchemy.create_engine(
            self.uri("postgres"), poolclass=sqlalchemy.NullPool, isolation_level="AUTOCOMMIT"
        )
        with engine.connect() as connection:
            connection.execute(sqlalchemy.text(statement))

    def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            self.execute("SELECT 1")
        except sqlalchemy.exc.OperationalError:
            return False
        return True


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL with no databases but its own ones."""
    pytest.importorskip("psycopg", exc_type=ImportError, reason="SQLAlchemy's driver for PostgreSQL is not installed")
    binaries, identity = _postgres_binaries(), _unprivileged()
    # pytest's own temporary folders are closed to other users, and too long a path for a socket.
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder, port = Path(name), _free_port()
        if identity:
            shutil.chown(folder, identity["user"])
        data, log, how = folder / "data", folder / "log", {**identity, "cwd": folder}
        _initialise(binaries, data, how)
        places = ["-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder)]
        careless = ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off"]
        # told to end by TERM it would wait for its clients
        with running([f"{binaries}/postgres", *places, *careless], log, stop="INT", **how) as process:
            server = Postgres(port)
            _await(server.answers, process, log)
            yield server


def _initialise(binaries: Path, data: Path, how: dict[str, Any]) -> None:
    command = [f"{binaries}/initdb", f"--pgdata={data}", "--auth=trust", "--username=postgres", "--no-sync"]
    options = ["--encoding=UTF8", "--locale=C"]
    done = subprocess.run(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **how
    )
    if done.returncode != 0:
        pytest.fail(f"PostgreSQL can't make a folder for its data:\n{done.stdout}", pytrace=False)


def _postgres_binaries() -> Path:
    """Folder of the newest PostgreSQL on this machine; Debian keeps them off the path."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    on_path = shutil.which("postgres")
    if not found and not on_path:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    return max(found, key=lambda path: float(path.parent.name)) if found else Path(str(on_path)).parent


def _unprivileged() -> dict[str, Any]:
    """How to start a process that PostgreSQL accepts: it refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("PostgreSQL refuses to run as root, and there is no user named postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> str:
    """Name of a database with MLflow's tables: making them takes seconds, copying them does not."""
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    postgres.execute("CREATE DATABASE migrated")
    # Nobody may be connected to what is copied, so nothing that keeps connections must have opened it.
    store = SqlAlchemyStore(postgres.uri("migrated"), "file:///nowhere")  # type: ignore[no-untyped-call]  # MLflow's
    store.engine.dispose()
    return "migrated"


@pytest.fixture
def postgres_uri(postgres: Postgres, postgres_template: str) -> Iterator[str]:
    """URI of a PostgreSQL database that nobody else uses, with MLflow's tables and nothing in them."""
    name = f"test_{uuid.uuid4().hex}"
    postgres.execute(f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    yield postgres.uri(name)
    # MLflow keeps connections open as long as the process lives; the server allows a hundred.
    postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")
