"""What may name a dataset: the name becomes a registered model, an experiment and part of file names."""

from typing import Annotated

import regex
from pydantic import AfterValidator

_NAME = regex.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_OTHER = regex.compile(r"[^A-Za-z0-9._-]+")
LONGEST = 100


def named(name: str | None, found: str) -> str:
    """The name given, or else that of what is read, with other characters replaced."""
    safe = _OTHER.sub("-", found).strip("-.")[:LONGEST]
    return name or safe or "dataset"


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        rule = f"up to {LONGEST} letters, digits and - _ . and does not begin with - or ."
        raise ValueError(f"a dataset's name is {rule} (got {name!r})")
    return name


DatasetName = Annotated[str | None, AfterValidator(lambda name: None if name is None else _checked(name))]
