"""Promotions that are killed, that run at once, and that meet a store or a disk which does not take them."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from eval.gate.anchor import read_anchor
from eval.gate.decide import Baseline
from eval.gate.rules import Gate
from runner.baseline.find import Baselines
from runner.baseline.promotion import Reason, beside, promote, repair
from runner.baseline.registry import Registry
from runner.baseline.runs import Runs
from runner.tracking.mlflow_store import MlflowTracking
from tests.runner.commands import ROOT, python
from tests.runner.deadly import promote_and_die
from tests.runner.measured import a_run, log_measured


@pytest.fixture
def anchor(tmp_path: Path) -> Path:
    return tmp_path / "eval" / "baseline-report.json"


@pytest.fixture
def promoted(root: Path, anchor: Path) -> tuple[str, str]:
    """A store with a baseline, and a run that is to be the next; their ids."""
    tracking = MlflowTracking(root=root)
    first = log_measured(tracking, a_run(), root / "runs" / "a")
    second = log_measured(tracking, a_run(name="second"), root / "runs" / "b")
    with tracking.opened() as address:
        registry = Registry.at(address)
        promote(registry, Runs(registry.client).find(first.run_id), Reason("Ada", "first"), str(anchor))
    return first.run_id, second.run_id


def registry_at(root: Path) -> Registry:
    with MlflowTracking(root=root).opened() as address:
        return Registry.at(address)


def command(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "runner.promote", *arguments, **environment)


def test_a_promotion_killed_at_any_call_leaves_the_old_baseline_or_the_new_one(
    root: Path, anchor: Path, promoted: tuple[str, str], tmp_path: Path
) -> None:
    first, second = promoted
    # one process loads the libraries, and each promotion is a fork of it
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.runner.deadly"])
    kept, kept_anchor = tmp_path / "kept.db", anchor.read_bytes()
    shutil.copyfile(root / "mlflow.db", kept)
    seen, number, finished = set(), 0, False
    while not finished:
        number += 1
        for when in ("before", "after"):
            shutil.copyfile(kept, root / "mlflow.db")
            anchor.write_bytes(kept_anchor)
            beside(anchor).unlink(missing_ok=True)
            dying = context.Process(target=promote_and_die, args=(root, second, anchor, number, when))
            dying.start()
            dying.join()
            finished = dying.exitcode == 0
            assert finished or dying.exitcode == -signal.SIGKILL
            seen.add(_check_whole(root, anchor, {first, second}))
    assert seen == {first, second}
    assert number > 15  # calls to the store, and one more at which nothing was killed


def _check_whole(root: Path, anchor: Path, runs: set[str]) -> str:
    """Whatever was cut short: both places hold a whole baseline, and agree after the next command."""
    assert read_anchor(anchor).promotion["run"] in runs
    judged = Baselines().find(MlflowTracking(root=root), "tiny", Gate(anchor=str(anchor)), silent=None)
    assert isinstance(judged, Baseline)
    assert judged.against["run"] in runs
    registry = registry_at(root)
    now = repair(registry, "tiny", anchor)
    assert now.run_id == judged.against["run"]
    assert read_anchor(anchor).promotion["run"] == now.run_id
    assert not beside(anchor).exists()
    assert registry.client.get_run(now.run_id).data.tags["evalfirst.baseline"] == now.title
    return now.run_id


def test_four_promotions_at_once_give_four_versions_and_one_baseline(tmp_path: Path, root: Path) -> None:
    tracking = MlflowTracking(root=root)
    runs = [log_measured(tracking, a_run(name=f"r{n}"), root / "runs" / str(n)).run_id for n in range(4)]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "runner.promote", run, "--why", f"number {run}"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for run in runs
    ]
    ended = [(process.communicate(timeout=300), process.returncode) for process in started]
    assert [code for _, code in ended] == [0] * 4, ended
    registry = registry_at(root)
    versions = registry.versions("tiny")
    assert [version.version for version in versions] == [1, 2, 3, 4]
    assert {version.run_id for version in versions} == set(runs)
    assert [version.is_baseline for version in versions] == [False, False, False, True]
    anchor = tmp_path / "eval" / "baseline-report.json"
    held = read_anchor(anchor)
    assert held.promotion == versions[3].promotion
    assert [path.name for path in anchor.parent.iterdir()] == [anchor.name]
    tagged = [run for run in runs if "evalfirst.baseline" in registry.client.get_run(run).data.tags]
    assert tagged == [versions[3].run_id]


def test_a_place_that_takes_no_file_leaves_the_old_baseline(root: Path, promoted: tuple[str, str], tmp_path: Path):
    (tmp_path / "blocked").write_text("a file where a folder is needed")
    (tmp_path / "folder").mkdir()
    told = {
        "blocked/baseline.json": (3, "the portable report can't be written: "),
        "folder": (2, "the portable report is"),
    }
    for place, (code, words) in told.items():
        done = command(tmp_path, promoted[1], "--anchor", place)
        assert done.returncode == code
        assert done.stderr.startswith(f"error: {words}")
        assert done.stderr.count("\n") == 1
    current = registry_at(root).current("tiny")
    assert current is not None
    assert current.run_id == promoted[0]


@pytest.mark.skipif(sys.platform == "win32", reason="a full disk is played by a limit on the size of files")
def test_a_full_disk_leaves_the_old_baseline(anchor: Path, promoted: tuple[str, str], tmp_path: Path):
    before = anchor.read_bytes()
    done = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -f 8; exec "$0" -m runner.promote {promoted[1]}', sys.executable],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert done.stderr.count("\n") == 1
    assert anchor.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_database_that_may_not_be_written_leaves_the_old_baseline(
    root: Path, anchor: Path, promoted: tuple[str, str], tmp_path: Path
):
    before = anchor.read_bytes()
    (root / "mlflow.db").chmod(0o444)
    root.chmod(0o555)
    try:
        done = command(tmp_path, promoted[1])
    finally:
        root.chmod(0o755)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert anchor.read_bytes() == before


def test_a_server_that_is_down_is_told_in_one_line(tmp_path: Path) -> None:
    done = command(tmp_path, "latest", "--uri", "http://127.0.0.1:9", MLFLOW_HTTP_REQUEST_MAX_RETRIES="0")
    assert done.returncode == 3
    assert done.stderr == "error: the MLflow server at http://127.0.0.1:9 does not answer, or only with errors\n"
