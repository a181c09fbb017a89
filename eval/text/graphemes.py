"""Graphemes, what a reader takes for one character (Unicode Annex 29): no cut goes through an emoji or an accent."""

import re
from collections.abc import Sequence

import regex

_GRAPHEME = regex.compile(r"\X")
# Without any of these, every code point is a grapheme of its own; \r\n is one too, but no cut needs to mind blanks.
_JOINING = regex.compile(
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=Regional_Indicator}"
    r"\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=LV}\p{GCB=LVT}]"
)
# What may join its neighbours to one grapheme. Latin letters, kana, Chinese and their punctuation never do.
MAY_JOIN = re.compile(
    r"[^\0-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u25aa"
    r"\u3000-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uff9d]"
)
_FIRST_LOOK = 32  # code points; few graphemes are longer
# How far back a grapheme that holds a place may begin; longer ones exist only as mischief, and may be cut.
_REACH = 64


def grapheme_ends(text: str, start: int, end: int) -> Sequence[int]:
    """Rising places after ``start``, a grapheme's start, up to and including ``end`` where a grapheme ends.

    The work grows with the square of ``end - start`` where flags stand in a row, else linearly: ask for short ranges.
    """
    piece = text[start : end + 1]  # the character after ``end`` decides whether a grapheme ends there
    if piece.isascii() or not _JOINING.search("".join(MAY_JOIN.findall(piece))):  # the second look is slow
        return range(start + 1, end + 1)
    return [place for match in _GRAPHEME.finditer(piece) if (place := start + match.end()) <= end]


def parts_graphemes(text: str, place: int) -> bool:
    """Whether a grapheme ends at ``place``, judged by the characters beside it: enough anywhere but among emoji."""
    return place in grapheme_ends(text, place - 1, place)


def grapheme_end(text: str, start: int) -> int:
    """Where the grapheme that starts at ``start`` ends; linear in its length, which has no bound."""
    look = _FIRST_LOOK
    while True:
        piece = text[start : start + look]
        match = _GRAPHEME.match(piece)
        end = start + (match.end() if match else 0)
        if end < start + len(piece) or end == len(text):
            return end
        look *= 2


def whole_until(text: str, place: int) -> int:
    """The last place at or before ``place`` where no grapheme is cut in two; ``place`` itself if one is too long."""
    if place >= len(text):
        return len(text)
    start = max(0, place - _REACH)
    for match in _GRAPHEME.finditer(text, start, min(len(text), place + _REACH)):
        if match.end() >= place:
            return place if match.end() == place or match.start() == start > 0 else match.start()
    return place
