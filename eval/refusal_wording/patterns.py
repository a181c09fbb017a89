"""How patterns of wording are put together from lists of words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import regex


def one_of(words: str) -> str:
    """A group that matches any of ``words``, which stand with blanks between them; ``_`` is a blank in a word."""
    return f"(?:{'|'.join(word.replace('_', ' ') for word in words.split())})"


@dataclass(frozen=True)
class Wording:
    """One pattern out of many; ``whole``: they must reach the end of the text.

    It is compiled when it is first needed: all of them take a third of a second, and most runs meet few.
    """

    patterns: tuple[str, ...]
    whole: bool = False

    def match(self, text: str) -> regex.Match[str] | None:
        """Where ``text`` begins so."""
        return self._compiled.match(text)

    def search(self, text: str) -> regex.Match[str] | None:
        """The first place where ``text`` says so."""
        return self._compiled.search(text)

    def finditer(self, text: str) -> Iterator[regex.Match[str]]:
        """Every place where ``text`` says so."""
        return self._compiled.finditer(text)

    @cached_property
    def _compiled(self) -> regex.Pattern[str]:
        joined = "|".join(f"(?:{pattern})" for pattern in self.patterns)
        return regex.compile(f"(?:{joined})$" if self.whole else joined)


def any_of(patterns: Iterable[str], whole: bool = False) -> Wording:
    """The wording that any of the patterns matches."""
    return Wording(tuple(patterns), whole)
