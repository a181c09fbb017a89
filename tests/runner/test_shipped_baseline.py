"""The portable baseline in this repository is what the shipped system gives on the shipped handbook."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_shipped_system_passes_the_shipped_gate_without_any_difference(tmp_path: Path) -> None:
    (tmp_path / "eval").mkdir()
    shutil.copyfile(ROOT / "eval" / "baseline-report.json", tmp_path / "eval" / "baseline-report.json")
    done = subprocess.run(
        [sys.executable, "-m", "runner", "gate=enforce", "gate.tolerance=0", "tracking=none"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    gate = json.loads((tmp_path / "mlruns" / "reports" / "latest.json").read_text())["gate"]
    assert {finding["delta"] for finding in gate["metrics"].values()} == {0.0}
    assert not any(finding["evidence"]["flips"] for finding in gate["metrics"].values())
