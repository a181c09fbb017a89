"""A sweep whose jobs run in several processes, by Hydra's joblib launcher: it ends as one in a single process does."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.runner.commands import ROOT
from tests.runner.handbook import complaint, run

pytest.importorskip("hydra_plugins.hydra_joblib_launcher", reason="the extra joblib is not installed")

LAUNCHER = ("hydra/launcher=joblib", "hydra.launcher.n_jobs=2")
PARTS = """
import os, signal, time
from eval.records import Answer
from eval.component import component

@component
class Broken:
    def generate(self, question, context):
        raise ZeroDivisionError("no such luck")

@component
class Dead:
    def generate(self, question, context):
        os.kill(os.getpid(), signal.SIGKILL)

@component
class Slow:
    seconds: float = 0.0
    def generate(self, question, context):
        time.sleep(self.seconds)
        return Answer(context.text)
"""


@pytest.fixture
def own_parts(handbook: Path) -> dict[str, str]:
    """Generators of one's own, as a module beside the documents; the environment that finds it."""
    (handbook / "parts.py").write_text(PARTS, encoding="utf-8")
    (handbook / "my" / "generator").mkdir(parents=True)
    for name in ("Broken", "Dead", "Slow"):
        target = f"_target_: parts.{name}\n" + ("seconds: 0.0\n" if name == "Slow" else "")
        (handbook / "my" / "generator" / f"{name.lower()}.yaml").write_text(target, encoding="utf-8")
    return {"PYTHONPATH": f"{ROOT}{os.pathsep}{handbook}"}


def the_sweep(folder: Path) -> Path:
    (sweep,) = (folder / "mlruns" / "sweeps").iterdir()
    return sweep


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_jobs_in_two_processes_are_logged_below_one_parent_and_each_work_is_done_once(handbook: Path):
    done = run(handbook, *LAUNCHER, "retriever.k1=1.2,1.5", "budget.tokens=300,600", flags=("-m",), tracked=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "4/4 ok" in done.stdout
    names = [f"{k1}k1-{tokens}tokens" for k1 in (1.2, 1.5) for tokens in (300, 600)]
    for name in names:
        assert f"{name}: recall" in done.stdout
        assert f"| {name} |" in done.stdout
    with closing(sqlite3.connect(handbook / "mlruns" / "mlflow.db")) as database:
        runs = dict(database.execute("SELECT run_uuid, name FROM runs WHERE status = 'FINISHED'").fetchall())
        parents = database.execute("SELECT run_uuid, value FROM tags WHERE key = 'mlflow.parentRunId'").fetchall()
    assert sorted(runs[child] for child, _ in parents) == names
    assert {runs[parent] for _, parent in parents} == {"k1×tokens"}
    assert len(runs) == 5
    reports = [read(the_sweep(handbook) / str(number) / "report.json") for number in range(4)]
    done_anew = Counter(
        stage for report in reports for stage, took in report["bills"]["latency_ms"].items() if not took["reused"]
    )
    once = {"chunk": 1, "count": 1, "index": 2, "rank": 2, "pack": 4, "answer": 4, "judge": 4, "probe": 1}
    assert {stage: done_anew[stage] for stage in once} == once


def test_it_measures_what_a_sweep_in_one_process_does(handbook: Path):
    for launcher in ((), LAUNCHER):
        assert run(handbook, *launcher, "budget.tokens=20,600", "cache=off", flags=("-m",)).returncode == 0
    alone, together = sorted((handbook / "mlruns" / "sweeps").iterdir())
    for number in "01":
        one, other = (read(sweep / number / "report.json") for sweep in (alone, together))
        assert one["metrics"] == other["metrics"]
        assert one["run"]["name"] == other["run"]["name"]
    assert read(alone / "sweep.json")["metrics"] == read(together / "sweep.json")["metrics"]


def test_a_job_that_fails_does_not_stop_the_others(handbook: Path, own_parts: dict[str, str]):
    overrides = ("generator=broken,extractive", "budget.tokens=300,600")
    done = run(handbook, *LAUNCHER, *overrides, flags=("--config-dir", "my", "-m"), **own_parts)
    assert done.returncode == 3, done.stderr
    assert "2/4 ok" in done.stdout
    assert done.stdout.count("failed: broken-") == 2
    assert done.stderr.count("ZeroDivisionError: no such luck") == 2
    assert "Traceback" not in done.stderr


def test_a_process_that_dies_is_told_in_a_line_and_leaves_what_was_finished(handbook: Path, own_parts: dict[str, str]):
    done = run(handbook, *LAUNCHER, "generator=extractive,dead", flags=("--config-dir", "my", "-m"), **own_parts)
    assert done.returncode == 3, done.stderr
    assert "error: a process that ran jobs died" in done.stderr
    assert "Traceback" not in done.stderr
    assert "left no record" in done.stdout
    assert read(the_sweep(handbook) / "sweep.json")["status"] == "FAILED"


@pytest.mark.parametrize("to_all", [True, False], ids=["typed on a terminal", "sent to the command"])
def test_an_interrupted_sweep_keeps_what_was_finished(handbook: Path, own_parts: dict[str, str], to_all: bool):
    command = [sys.executable, "-m", "runner", "--config-dir", "my", "-m", "dataset=folder", "dataset.path=docs"]
    command += ["dataset.golden=golden.json", "tracking=none", *LAUNCHER]
    command += ["generator=slow", "generator.seconds=0.0,60.0,61.0,0.1"]
    with subprocess.Popen(
        command, cwd=handbook, env=os.environ | own_parts, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        deadline = time.monotonic() + 60
        while not list((handbook / "mlruns").glob("sweeps/*/0/run.json")) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)
        if to_all:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.terminate()
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    sweep = the_sweep(handbook)
    assert read(sweep / "sweep.json")["status"] == "KILLED"
    statuses = {path.parent.name: read(path)["status"] for path in sweep.glob("*/run.json")}
    assert statuses.pop("0") == "FINISHED"
    assert set(statuses.values()) <= {"KILLED"}
    assert "| 0.0seconds |" in out
    assert "1/4 ok" in out


def test_a_cap_on_money_that_processes_can_not_share_is_refused(handbook: Path):
    told = complaint(run(handbook, *LAUNCHER, "max_usd=1.5", "budget.tokens=300,600", flags=("-m",)))
    assert "max_usd=1.5 caps all jobs of a sweep together" in told
    assert "leave out hydra/launcher=joblib" in told
    assert not (handbook / "mlruns" / "sweeps").exists()


def test_an_estimate_is_the_same_as_without_the_launcher(handbook: Path):
    overrides = ("estimate=true", "max_usd=1.5", "budget.tokens=300,600")
    alone, together = (run(handbook, *launcher, *overrides, flags=("-m",)) for launcher in ((), LAUNCHER))
    assert (together.returncode, together.stderr) == (0, "")
    assert together.stdout == alone.stdout
    assert "Together: " in together.stdout
