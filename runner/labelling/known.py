"""The labels that a run's judge is held against."""

from eval.errors import InputError
from eval.labels.file import read_labels
from eval.labels.items import Labels
from runner.labelling.places import labels_path


def known_labels(dataset: str) -> tuple[Labels | None, tuple[str, ...]]:
    """The labels of a dataset, and why they don't count where their file can't be read: no run fails over that."""
    path = labels_path(None, dataset)
    if not path.exists():
        return None, ()
    try:
        return read_labels(path), ()
    except InputError as error:
        return None, (f"the labels of people don't count in this run: {error.problems[0]}",)
