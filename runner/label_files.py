"""The files of labels: where a dataset's lies, and what it holds for a run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.labels.file import read_labels
from eval.labels.items import Labels
from eval.labels.standing import report_agreement
from runner.dataset_files import file_for
from runner.places import START

DEFAULT = Path("eval") / "human-labels.json"
HOW_TO = "python -m runner.labels sample RUN writes the file to fill in"


def labels_path(given: str | None, dataset: str, start: Path = START) -> Path:
    """The path given, or the default below ``start``; a second dataset has a file of its own beside the first one's.

    Raises:
        InputError: the path given is none of a file.
    """
    if given is not None:
        return _given(given, start)
    return file_for(start / DEFAULT, dataset, lambda labels: labels.get("dataset"))


def only_labels_path(given: str | None, start: Path = START) -> Path:
    """The path given, or the only file of labels that there is below ``start``.

    Raises:
        InputError: there is none, or there are several.
    """
    if given is not None:
        return _given(given, start)
    folder = (start / DEFAULT).parent
    found = sorted({*folder.glob("human-labels.json"), *folder.glob("human-labels.*.json")})
    if not found:
        raise InputError(f"{DEFAULT} is not there: {HOW_TO}")
    if len(found) > 1:
        listed = ", ".join(str(path.relative_to(start)) for path in found)
        raise InputError(f"there are labels of several datasets, name one with --file: {listed}")
    return found[0]


def _given(given: str, start: Path) -> Path:
    path = start / given
    if not given.strip() or not path.name or path.is_dir():
        raise InputError(f"--file is the file of labels, and {given!r} names none: eval/human-labels.json, for example")
    return path


def known_labels(dataset: str) -> Labels | None:
    """The labels of a dataset; ``None`` where there are none.

    Raises:
        InputError: there is a file, and it can't be read: a judge that people trust would be taken for one that
            nobody knows.
    """
    path = labels_path(None, dataset)
    if not path.exists():
        return None
    try:
        return read_labels(path)
    except InputError as error:
        raise InputError(*(f"{problem}; mend the file, or move it away" for problem in error.problems)) from error


def with_agreement(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report with the agreement as the labels have it now, where it holds the answers that they may be about.

    Raises:
        InputError: as for ``known_labels``.
    """
    data = dict(report)
    run = data.get("run")
    labels = known_labels(str(run.get("dataset"))) if isinstance(run, dict) and "checksum" not in data else None
    return data if labels is None else {**data, "agreement": report_agreement(labels, data)}
