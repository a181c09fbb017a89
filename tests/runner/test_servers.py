"""The servers that other tests use take runs, are there alone for the tests, and go away."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from mlflow import MlflowClient

from runner.tracking.mlflow_store import MlflowTracking

Write = Callable[..., Path]
CHECKOUT = Path(__file__).parents[2]
START_AND_WAIT = """
import sys; from pathlib import Path; from tests.runner.servers import running
with running(["sh", "-c", "sleep 600 & echo started; wait"], Path(sys.argv[1])) as process:
    print(process.pid, flush=True); sys.stdin.read()
"""

pytestmark = pytest.mark.xdist_group("servers")


def _is_logged_and_found(uri: str, folder: Path) -> None:
    logged = MlflowTracking(uri=uri, root=folder.parent, timeout_s=60).log_run(folder)
    client = MlflowClient(uri)
    (found,) = client.search_runs([logged.experiment_id], "metrics.`retrieval/recall` = 0.875")
    assert (found.info.run_id, found.info.status) == (logged.run_id, "FINISHED")
    assert found.data.params["chunker.size"] == "200"
    assert [item.path for item in client.list_artifacts(found.info.run_id)] == ["per_question.json", "report.md"]


def test_a_run_is_logged_to_a_server_which_keeps_its_files(
    mlflow_server: str, tmp_path: Path, write_run: Write
) -> None:
    _is_logged_and_found(mlflow_server, write_run(tmp_path / "run"))
    (experiment,) = MlflowClient(mlflow_server).search_experiments(filter_string="name = 'handbook-en'")
    assert experiment.artifact_location.startswith("mlflow-artifacts:/")


def test_a_run_is_logged_to_postgresql(postgres_uri: str, tmp_path: Path, write_run: Write) -> None:
    _is_logged_and_found(postgres_uri, write_run(tmp_path / "run"))


def test_each_test_has_a_postgresql_database_of_its_own(postgres_uri: str) -> None:
    assert [experiment.name for experiment in MlflowClient(postgres_uri).search_experiments()] == ["Default"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("kill", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_ends_with_the_tests_even_if_they_are_killed(tmp_path: Path, kill: signal.Signals) -> None:
    log = tmp_path / "log"
    with subprocess.Popen(
        [sys.executable, "-c", START_AND_WAIT, str(log)],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as tests:
        assert tests.stdout is not None
        group = tests.stdout.readline().strip()
        assert _members(group)
        tests.send_signal(kill)
    end = time.monotonic() + 30
    while _members(group):
        assert time.monotonic() < end, "the server is still there"
        time.sleep(0.02)


def _members(group: str) -> list[str]:
    """States of the processes of a group that are not dead."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended since
            state, _parent, its_group, *_ = path.read_text().rpartition(")")[2].split()
            found += [state] if its_group == group and state not in "ZX" else []
    return found
