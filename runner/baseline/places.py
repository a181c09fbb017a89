"""Where a dataset's portable baseline lies."""

from pathlib import Path

from eval.errors import InputError
from eval.gate.results import read_object
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
    first = START / DEFAULT
    own = first.with_name(f"baseline-report.{dataset}.json")
    if own.exists():
        return own
    return own if _belongs_to_another(first, dataset) else first


def _belongs_to_another(path: Path, dataset: str) -> bool:
    """Whether a file is there that says so; one that can't be read is nobody else's, and is told when it is read."""
    try:
        run = read_object(path).get("run")
    except InputError:
        return False
    return isinstance(run, dict) and run.get("dataset", dataset) != dataset
