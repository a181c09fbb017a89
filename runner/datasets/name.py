"""What may name a dataset: the name becomes a registered model, an experiment and part of file names."""

import unicodedata
from typing import Annotated

import regex
from pydantic import AfterValidator

from eval.fingerprints import fingerprint

_NAME = regex.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_OTHER = regex.compile(r"[^A-Za-z0-9._-]+")
_TELLING = regex.compile(r"(?![A-Za-z0-9])[\p{L}\p{M}\p{N}\p{So}]")  # by which people tell names apart
_NAMELESS = "dataset"
LONGEST = 100


def named(name: str | None, found: str) -> str:
    """The name given, or else that of what is read, with other characters replaced.

    Where letters or digits are lost by that, the fingerprint of the whole keeps two such names apart.
    """
    if name:
        return name
    whole = unicodedata.normalize("NFC", found)  # file systems differ in how they write an accent
    safe = _OTHER.sub("-", whole).strip("-.")
    if len(safe) <= LONGEST and not _TELLING.search(whole):
        return safe or _NAMELESS
    mark = f"-{fingerprint(whole)[:8]}"
    return (safe[: LONGEST - len(mark)].rstrip("-.") or _NAMELESS) + mark


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        rule = f"up to {LONGEST} English letters, digits and - _ . and does not begin with - or ."
        raise ValueError(f"a dataset's name is {rule} (got {name!r})")
    return name


DatasetName = Annotated[str | None, AfterValidator(lambda name: None if name is None else _checked(name))]
