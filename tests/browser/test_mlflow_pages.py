"""What a person sees of baseline and verdict in the MLflow UI."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from eval.gate.decide import Baseline
from eval.gate.rules import Gate
from runner.baseline.find import Baselines
from runner.baseline.promotion import Reason, promote
from runner.baseline.registry import Registry
from runner.baseline.runs import Runs
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import Logged
from tests.runner.measured import a_run, log_measured

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.xdist_group("servers")
GATED = ("recall", "mrr", "ndcg_at_10", "faithfulness", "refusal_rate")
DATA = "seen-in-a-browser"
# The panel of the assistant would cover a quarter of the page.
CALM = """
localStorage.setItem('mlflow.assistant.fab.autoOpenedOnFirstLoad_v1', 'true');
localStorage.setItem('mlflow.assistant.panelOpen_v1', 'false');
"""


@pytest.fixture
def logged(mlflow_server: str, tmp_path: Path) -> tuple[Logged, Logged]:
    """A baseline, and a run that is worse."""
    tracking = MlflowTracking(uri=mlflow_server, root=tmp_path, timeout_s=60)
    first = log_measured(tracking, a_run(name="accepted", dataset=DATA), tmp_path / "runs" / "a")
    with tracking.opened() as address:
        registry = Registry.at(address)
        anchor = str(tmp_path / "baseline.json")
        promote(registry, Runs(registry.client).find(first.run_id), Reason("Ada", "fewer chunks lost"), anchor)
    baseline = Baselines().find(tracking, DATA, Gate(anchor=anchor), silent=None)
    assert isinstance(baseline, Baseline)
    worse = a_run({1, 2}, name="candidate", dataset=DATA)
    return first, log_measured(tracking, worse, tmp_path / "runs" / "b", baseline)


def visit(page: "Page", uri: str, path: str) -> None:
    page.goto("about:blank")  # else a change behind the # loads nothing anew
    page.goto(f"{uri}/#/{path}")


def test_the_pages_show_the_five_measures_the_alias_and_the_verdict(
    browser_page: "Page", foreign_requests: list[str], mlflow_server: str, logged: tuple[Logged, Logged]
) -> None:
    page, (first, second) = browser_page, logged
    page.add_init_script(CALM)

    visit(page, mlflow_server, f"experiments/{first.experiment_id}/evaluation-runs")
    for name in ("accepted", "candidate"):
        page.get_by_text(name, exact=True).first.wait_for()
    for metric in GATED:
        page.get_by_text(f"gated/{metric}").first.wait_for()

    visit(page, mlflow_server, f"experiments/{second.experiment_id}/runs/{second.run_id}")
    note = page.get_by_test_id("note-editor-preview-content")
    note.wait_for()
    assert "Gate: regressed against seen-in-a-browser v1" in note.inner_text()
    assert "recall fell from 1.0000 to 0.8750" in note.inner_text()

    visit(page, mlflow_server, f"experiments/{first.experiment_id}/runs/{first.run_id}")
    note.wait_for()
    assert "Baseline seen-in-a-browser v1 since" in note.inner_text()
    page.get_by_text("evalfirst.baseline").first.wait_for()

    ids = quote(json.dumps([first.run_id, second.run_id]))
    visit(page, mlflow_server, f"compare-runs?runs={ids}&experiments={quote(json.dumps([first.experiment_id]))}")
    page.get_by_text("Comparing 2 Runs").first.wait_for()
    for metric in GATED:
        page.get_by_role("grid").get_by_text(f"gated/{metric}").first.wait_for()

    visit(page, mlflow_server, f"models/{DATA}")
    page.get_by_role("row").filter(has_text="@ baseline").wait_for()
    shown = page.locator("body").inner_text()
    assert "Baseline: version 1, because: fewer chunks lost." in shown
    for metric in GATED:
        assert re.search(rf"^{metric}\s+1\.0000", shown, re.MULTILINE), metric
    assert foreign_requests == []
