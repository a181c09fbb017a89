"""Where a dataset's portable baseline lies."""

from pathlib import Path
from typing import Any

from eval.errors import InputError
from runner.dataset_files import file_for
from runner.places import START

DEFAULT = Path("eval") / "baseline-report.json"


def anchor_path(given: str | None, dataset: str) -> Path:
    """The path given, or the default; a second dataset has a file of its own beside the first one's.

    Raises:
        InputError: the path given is none of a file.
    """
    if given is not None:
        path = START / given
        if not given.strip() or not path.name or path.is_dir():
            raise InputError(f"the portable report is a file, and {given!r} names none: baseline.json, for example")
        return path
    return file_for(START / DEFAULT, dataset, _dataset_of)


def _dataset_of(report: dict[str, Any]) -> Any:
    run = report.get("run")
    return run.get("dataset") if isinstance(run, dict) else None
