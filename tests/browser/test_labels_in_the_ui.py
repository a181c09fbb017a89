"""A person reads an answer's trace in the MLflow UI, labels it there, and the label arrives."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from runner.tracking.mlflow_store import MlflowTracking
from tests.runner.labels_runs import answered_run
from tests.runner.measured import log_measured

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.xdist_group("servers")
# The panel of the assistant would cover a quarter of the page.
CALM = """
localStorage.setItem('mlflow.assistant.fab.autoOpenedOnFirstLoad_v1', 'true');
localStorage.setItem('mlflow.assistant.panelOpen_v1', 'false');
"""


def test_a_label_given_in_the_traces_tab_of_a_run_is_read_back(
    browser_page: "Page", foreign_requests: list[str], mlflow_server: str, tmp_path: Path
) -> None:
    tracking = MlflowTracking(uri=mlflow_server, root=tmp_path, traces=True, timeout_s=60)
    logged = log_measured(tracking, answered_run(traces=True), tmp_path / "runs" / "a")
    page = browser_page
    page.add_init_script(CALM)
    page.goto(f"{mlflow_server}/#/experiments/{logged.experiment_id}/runs/{logged.run_id}/traces")
    page.get_by_text("What is 3?").first.click()
    page.get_by_text("The number 3.").first.wait_for()
    page.get_by_text("Assess", exact=True).first.click()
    page.get_by_role("button", name="Add feedback").click()
    page.get_by_placeholder("Enter a feedback name").fill("unsupported")
    page.get_by_text("True", exact=True).last.click()
    page.get_by_role("button", name="Create").click()
    page.get_by_role("button", name="Create").wait_for(state="detached")
    with tracking.opened() as address:
        from runner.tracking.database import open_client
        from runner.tracking.traces import feedback_of

        found = feedback_of(open_client(address), logged.experiment_id, logged.run_id)
    assert {name: each.label for (name, _), each in found.items()} == {"q03": "yes"}
    assert foreign_requests == []
