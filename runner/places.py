"""Where things land: everything that a run leaves is below ``mlruns`` in the folder that the command started in."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

# A job of a sweep may work in another folder than the one in which the paths were written down.
START = Path.cwd()


def mlruns() -> Path:
    """The folder that holds tracking database, runs, sweeps and reports."""
    return START / "mlruns"


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a file, given whole or piece by piece, so that a reader sees the old content or the new, never a part."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8") as file:
            file.writelines([text] if isinstance(text, str) else text)
        beside.replace(path)
    except OSError as error:  # a full disk is told without the file that it hit
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
