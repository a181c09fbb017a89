"""Where things land: everything that a run leaves is below ``mlruns`` in the folder that the command started in."""

import os
from pathlib import Path

# A job of a sweep may work in another folder than the one in which the paths were written down.
START = Path.cwd()


def mlruns() -> Path:
    """The folder that holds tracking database, runs, sweeps and reports."""
    return START / "mlruns"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old content or the new, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
