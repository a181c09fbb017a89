"""Several ids in one cell of a table."""

import unicodedata
from collections.abc import Collection

import regex

from eval.importing.reading.printed_lists import parse_list

_BETWEEN = regex.compile(r"[;|；\n]")
_OR_COMMAS = regex.compile(r"[;|；\n,，、]")


def listed(cell: str, known: Collection[str]) -> list[str]:
    """The ids in normal form C, as a corpus has them.

    A cell that is an id itself is not taken apart, and none is at its commas unless every part is an id: names of
    documents hold them.

    Raises:
        UnusableError: it begins as a list and can't be read as one.
    """
    whole = unicodedata.normalize("NFC", cell)
    if whole in known:
        return [whole]
    parts = split(whole)
    if all(part in known for part in parts):
        return parts
    if whole.startswith("["):
        return [name.strip() for name in parse_list(whole, "docs") if name.strip()]
    finer = _parts(whole, _OR_COMMAS)
    return finer if all(part in known for part in finer) else parts


def split(cell: str) -> list[str]:
    """What stands between the marks that no list can do without."""
    return _parts(cell, _BETWEEN)


def _parts(cell: str, between: regex.Pattern[str]) -> list[str]:
    return [part.strip() for part in between.split(cell) if part.strip()]
