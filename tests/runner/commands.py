"""The commands as a person starts them, for the tests that need a process."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def python(folder: Path, module: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """``python -m module`` with this checkout, in a folder; bounded in time, and what it prints is kept."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
