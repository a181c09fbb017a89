"""Something noticed in a file: how bad it is, where it stands, and what it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

_SHOWN = 10  # ids named in one message


class WrongValueError(ValueError):
    """One value of a file breaks a rule; becomes a finding where its place is known."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a check; ``where`` is ``file:line``, or the file alone for what concerns all of it."""

    level: Literal["error", "warning"]
    where: str
    message: str

    def __str__(self) -> str:
        """Place and message, as an error prints it."""
        return f"{self.where}: {self.message}"


def some(ids: Sequence[str]) -> str:
    """The ids, comma-separated; of more than ten the first ten and how many there are in all."""
    shown = ", ".join(ids[:_SHOWN])
    return shown if len(ids) <= _SHOWN else f"{shown}, … ({len(ids)} in all)"


def repeated(placed: Iterable[tuple[str, str]]) -> list[Finding]:
    """One error for each id that stands in a second place; the pairs are (id, where)."""
    first: dict[str, str] = {}
    found: list[Finding] = []
    for name, where in placed:
        if name in first:
            found.append(Finding("error", where, f"id {name!r} is taken by {first[name]}; give each its own"))
        first.setdefault(name, where)
    return found
