"""The portable baseline in this repository is what the shipped system gives on the shipped handbook."""

import json
import shutil
from pathlib import Path

from tests.runner.commands import ROOT, python


def test_the_shipped_system_passes_the_shipped_gate_without_any_difference(tmp_path: Path) -> None:
    (tmp_path / "eval").mkdir()
    shutil.copyfile(ROOT / "eval" / "baseline-report.json", tmp_path / "eval" / "baseline-report.json")
    done = python(tmp_path, "runner", "gate=enforce", "gate.tolerance=0", "tracking=none")
    assert done.returncode == 0, done.stderr
    gate = json.loads((tmp_path / "mlruns" / "reports" / "latest.json").read_text())["gate"]
    assert {finding["delta"] for finding in gate["metrics"].values()} == {0.0}
    assert not any(finding["evidence"]["flips"] for finding in gate["metrics"].values())
