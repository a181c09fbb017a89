"""What may name a dataset: the name becomes a registered model, an experiment and part of file names."""

from typing import Annotated

import regex
from pydantic import AfterValidator

from eval.errors import InputError

_NAME = regex.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def named(name: str | None, found: str) -> str:
    """The name given, or else that of what is read.

    Raises:
        InputError: none was given, and what is read has a name that cannot be a dataset's.
    """
    try:
        return name or _checked(found)
    except ValueError as error:
        raise InputError(f"{error}; give one with dataset.name=…") from error


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"a dataset's name is letters, digits and - _ . and does not begin with - or . (got {name!r})")
    return name


DatasetName = Annotated[str | None, AfterValidator(lambda name: None if name is None else _checked(name))]
