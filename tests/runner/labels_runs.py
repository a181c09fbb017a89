"""Runs whose answers can be labelled, as the experiment loop writes and logs them."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from eval.records import Judgement, RunRecord, Statement
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import Logged
from tests.runner.measured import a_run, log_measured

FOUND = Judgement(refused=False, statements=(Statement("It is so.", "unsupported", "not there"),), relevancy=0.5)


def answered_run(found: Collection[int] = (), changed: Collection[int] = (), *, traces: bool = False) -> RunRecord:
    """Sixteen answered questions and four refused ones; the judge finds those in ``found`` unsupported.

    The answers to the questions in ``changed`` are others than they are without.
    """
    run = a_run(name="answered")
    records = list(run.records)
    for number in range(16):
        again = " Again." if number in changed else ""
        texts = {"answer": f"It is {number}.{again}", "material": f"The number {number}."}
        records[number] = replace(records[number], **texts, **({"judgement": FOUND} if number in found else {}))
    records[16:] = [replace(record, answer="I can't tell.", material="Nothing.") for record in records[16:]]
    return replace(run, records=records, config={**run.config, "tracking": {"traces": traces}})


def log_answered(
    project: Path, found: Collection[int] = (), changed: Collection[int] = (), *, name: str = "a", traces: bool = False
) -> Logged:
    """Measure it into the folder of a project."""
    tracking = MlflowTracking(root=project / "mlruns", traces=traces)
    return log_measured(tracking, answered_run(found, changed, traces=traces), project / "mlruns" / "runs" / name)
