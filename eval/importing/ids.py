"""Names from elsewhere made into ids of ours: text, in normal form C, without control characters, none twice."""

import unicodedata

import regex

from eval.fingerprints import fingerprint
from eval.importing.ledger import Ledger, Thing
from eval.sources.text_file import is_blank

_CONTROL = regex.compile(r"[\p{Cc}\p{Cs}]+")
_RENAMED = "renamed, as an id is text in normal form C without control characters"
_NUMBERED = "numbered, as the name is that of one before it, and an id names one thing"
_DIGITS = 12  # of the 16 of a fingerprint: enough to tell a few million texts apart


class Names:
    """Hands out ids, and tells the ledger of each that is not what the source says."""

    def __init__(self, thing: Thing, prefix: str, ledger: Ledger) -> None:
        self._thing, self._prefix, self._ledger = thing, prefix, ledger
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}  # the last number given to each name

    def give(self, wanted: object, content: list[str], where: str) -> str:
        """An id as near to ``wanted`` as the rules allow; ``None`` asks for one made from ``content``.

        A made id depends on nothing but the content, so a source that grows keeps the ids of what it had.
        """
        made = f"{self._prefix}-{fingerprint(content)[:_DIGITS]}"
        if wanted is None:
            self._ledger.note(f"{self._thing} without an id are given one made from their text: {self._prefix}-…")
        plain = made if wanted is None else _plain(wanted) or made
        name = self._free(plain)
        if wanted is not None and name != wanted:
            reason = _NUMBERED if name != plain else _RENAMED
            self._ledger.change(self._thing, reason, where, f"{wanted!r} is now {name!r}")
        return name

    def _free(self, plain: str) -> str:
        """``plain``, or the first of ``plain (2)``, ``plain (3)`` … that is not taken."""
        name, number = plain, self._last.get(plain, 1)
        while name in self._taken:
            number += 1
            name = f"{plain} ({number})"
        self._last[plain] = number
        self._taken.add(name)
        return name


def _plain(wanted: object) -> str:
    """The name as an id, or nothing where there is none to see."""
    if isinstance(wanted, bool) or not isinstance(wanted, str | int):
        return ""
    name = unicodedata.normalize("NFC", _CONTROL.sub(" ", str(wanted)))
    return "" if is_blank(name) else name
