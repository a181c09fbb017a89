"""What a faithful copy of Markdown may leave out unmarked.

Targets of links, numbers of items and of sources, marks of quoted lines; what stands between a table's header and a row
of it, or between the line that introduces a list and an item of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, takewhile

import regex

_UNNEEDED = regex.compile(
    r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)"  # the target of a link
    r"|(?<=\])\[[^\[\]\n]*\]"  # its name
    r"|\[\^?\d+\]"  # a source
    r"|(?:(?<=^)|(?<=\n))[^\S\n]*\(?\d{1,3}[.)、](?=\D)"  # the number of an item
    r"|(?:(?<=^)|(?<=\n))[^\S\n]*>++"  # the mark of a quoted line
)
_DIVIDER = regex.compile(r"[\s|:-]*-[\s|:-]*")
_CELL_END = regex.compile(r"(?<=[^\s|]\s*)(?:\||$)")
_ITEM = regex.compile(r"(?P<indent>[^\S\n]*)(?:[-*+•·]\s|\(?\d{1,3}(?:[.)]\s|、))")
_INTRODUCES = regex.compile(r":[\s*_]*")


@dataclass(frozen=True, slots=True)
class Leap:
    """From one place of a text to a later one."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def indent(self) -> int | None:
        """How far an item of a list is moved in; ``None`` for other lines."""
        item = _ITEM.match(self.text)
        return len(item["indent"]) if item else None

    @property
    def left(self) -> int:
        """The blanks that the line begins with."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def introduces(self) -> bool:
        """Whether the line ends in a colon."""
        return ":" in self.text and bool(_INTRODUCES.fullmatch(self.text, self.text.rfind(":")))


def leaps(text: str) -> Iterator[Leap]:
    """All leaps of ``text``, whose dashes are hyphens. Linear in its length, but for a header's cells times its rows.

    Rows and items are left out only between what governs them and one of them: neighbours in between might govern too
    (an item "Not allowed:"), and cells of different rows make no row.
    """
    yield from (Leap(match.start(), match.end()) for match in _UNNEEDED.finditer(text))
    lines = _lines(text)
    for number, line in enumerate(lines[:-1]):
        if "|" in line.text and "|" in lines[number + 1].text and _DIVIDER.fullmatch(lines[number + 1].text):
            yield from _to_rows(line, islice(lines, number + 2, None))
        elif line.introduces:
            yield from _to_items(line, islice(lines, number + 1, None))


def _lines(text: str) -> list[_Line]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append(_Line(line, start))
        start += len(line) + 1
    return lines


def _to_rows(header: _Line, following: Iterable[_Line]) -> Iterator[Leap]:
    ends = [header.start + match.start() for match in _CELL_END.finditer(header.text)]
    for row in takewhile(lambda line: "|" in line.text, following):
        yield from (Leap(end, row.start) for end in ends)


def _to_items(line: _Line, following: Iterable[_Line]) -> Iterator[Leap]:
    filled = (each for each in following if each.text.strip())
    first = next(filled, None)
    level = first.indent if first else None
    if first is None or level is None or (line.indent is not None and level <= line.indent):
        return
    for each in chain([first], filled):
        if each.introduces or each.left < level or (each.indent is None and each.left == level):
            return
        if each.indent == level:
            yield Leap(line.end, each.start)
