"""Files that a project keeps for a dataset: the first has the plain name, a second one's stands beside it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.gate.results import read_object


def file_for(plain: Path, dataset: str, dataset_in: Callable[[dict[str, Any]], Any]) -> Path:
    """Where a dataset's file lies: ``plain``, or ``name.DATASET.json`` beside it where the plain one is another's.

    Args:
        plain: the first dataset's file.
        dataset: its name.
        dataset_in: reads the name of the dataset from a file's content; ``None`` where it does not say.
    """
    own = plain.with_name(f"{plain.stem}.{dataset}{plain.suffix}")
    if own.exists():
        return own
    try:
        named = dataset_in(read_object(plain))
    except InputError:  # there is none, or it can't be read: then it is nobody else's, and told when it is read
        return plain
    return plain if named in {None, dataset} else own
