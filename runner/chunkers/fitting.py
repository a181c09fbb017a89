"""How far a slice may reach so that its chunk, counted as it is shown, stays within a size."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval.records import Chunk
from runner.tokens import TokenCounter

SEPARATOR = " > "
EDGE = 8  # tokens by which a longer slice may count less than its tokens in the whole text, ample: only its end changes


# A seam: a letter or digit before a blank or a mark. Both encodings cut text into words before they look for tokens,
# no word reaches across a seam, and none looks back, so tokens before and behind one add up. (An apostrophe may stand
# within a word.)
_SEAM = r"[0-9A-Za-z\u4e00-\u9fff](?=[\s!-&(-/:-@\[-`{-~\u3001-\u3011\uff0c\uff01\uff1a\uff1b\uff1f\u201c-\u201f])"
_FIRST_SEAM = re.compile(_SEAM)
_LAST_SEAM = re.compile(rf"(?s:.*){_SEAM}")
_NEAR = 64  # characters looked at for a seam
_BYTES = 5  # of a token, on the average and rather more; what may fit by this measure is counted at once


@dataclass(frozen=True, slots=True)
class Frame:
    """What is shown before a slice."""

    title: str = ""
    lead: str = ""

    def shown(self, text: str) -> str:
        """The chunk of ``text`` as it is shown."""
        if not self.title and not self.lead:
            return text
        return Chunk(id="", doc_id="", start=0, end=len(text), text=text, title=self.title, lead=self.lead).shown


BARE = Frame()


class Fitting:
    """Measures slices of one text; ``size`` is in tokens of ``counter``."""

    def __init__(self, text: str, size: int, counter: TokenCounter) -> None:
        self.text = text
        self.size = size
        self._counter = counter
        self._framed_last: tuple[Frame, int] = BARE, 0
        self._edge_last: tuple[int, int | None] = -1, None
        self._token_ends: list[int] = []  # of the whole text, once something does not fit at once
        self._numbers: Sequence[int] = ()  # how many tokens end up to each of them

    def count(self, start: int, end: int, frame: Frame = BARE) -> int:
        """Tokens of the slice, without blanks at its end, as shown in ``frame``."""
        if self.text[end - 1 : end].isspace():
            end = start + len(self.text[start:end].rstrip())
        taken = self._taken(frame)
        if taken and self.text.startswith("/", start):  # a slash may continue the word that ends the frame
            return self._counter.count(frame.shown(self.text[start:end]))
        return taken + self._count(start, end)

    def _count(self, start: int, end: int) -> int:
        """Tokens of the slice: those of the whole text between its outer seams, and those of its two edges."""
        if not self._token_ends or end - start <= 2 * _NEAR:
            return self._counter.count(self.text[start:end])
        if start != self._edge_last[0]:
            self._edge_last = start, self._edge(start)
        before = self._edge_last[1]
        last = _LAST_SEAM.match(self.text, end - _NEAR, end) if before is not None else None
        if before is None or last is None:
            return self._counter.count(self.text[start:end])
        return before + self._tokens_until(last.end()) + self._counter.count(self.text[last.end() : end])

    def _edge(self, start: int) -> int | None:
        """By how many tokens a slice from ``start`` differs from the whole text up to its end; ``None`` if unknown."""
        first = _FIRST_SEAM.search(self.text, start, start + _NEAR)
        return first and self._counter.count(self.text[start : first.end()]) - self._tokens_until(first.end())

    def _taken(self, frame: Frame) -> int:
        """Tokens that a frame takes; slices come in rows with the same one."""
        if frame is not self._framed_last[0]:
            shown = frame.shown("")
            self._framed_last = frame, self._counter.count(f"{shown}\n") if shown else 0
        return self._framed_last[1]

    def fits(self, start: int, end: int, frame: Frame) -> bool:
        """Whether the slice stays within the size."""
        return self.count(start, end, frame) <= self.size

    def fits_at_once(self, start: int, end: int, frame: Frame) -> bool:
        """Whether the slice stays within the size, and is short enough to try that before any other."""
        most = _BYTES * self.size
        return end - start <= most >= len(self.text[start:end].encode()) and self.fits(start, end, frame)

    def _read(self) -> None:
        places, numbers = self._counter.numbered_boundaries(self.text)
        self._token_ends = [0, *places.tolist()]
        self._numbers = range(len(places) + 1) if numbers is None else [0, *numbers.tolist()]

    def _tokens_until(self, place: int) -> int:
        """How many tokens of the whole text end up to a place."""
        return self._numbers[bisect_right(self._token_ends, place) - 1]

    def token_ends(self, start: int, end: int) -> list[int]:
        """Places after ``start``, up to and including ``end``, where a token of the whole text ends."""
        return self._token_ends[bisect_right(self._token_ends, start) : bisect_right(self._token_ends, end)]

    def along(self, place: int, tokens: int) -> int:
        """The place so many tokens of the whole text after ``place`` (before it, where negative)."""
        index = bisect_right(self._token_ends, place) - 1 + tokens
        return self._token_ends[min(max(index, 0), len(self._token_ends) - 1)]

    def horizon(self, start: int) -> int:
        """A place beyond which nothing fits: a slice has other tokens than the whole text only at its edges."""
        if not self._token_ends:
            self._read()
        return self.along(start, 2 * self.size + 16)

    def furthest(self, start: int, ends: Sequence[int], frame: Frame) -> int | None:
        """The last of the rising ``ends`` at which a slice from ``start`` fits; ``None`` if it fits at none of them."""
        room = self.size - max(self._taken(frame) - 1, 0)  # the break after a frame is often part of its last token
        guess = bisect_right(ends, self.along(start, room)) - 1

        def limit(index: int) -> int:
            left = self.size - self.count(start, ends[index], frame)
            return 0 if left < 0 else bisect_right(ends, self.along(ends[index], left + EDGE))

        index = last_holding(len(ends), guess, limit)
        return None if index is None else ends[index]

    def framed(self, path: Sequence[str], lead: str = "") -> Frame:
        """The path as a title over the lead, together within half of the size.

        A lead that is longer than that is left out, then names of the path, the outermost first.
        """
        if 2 * self._counter.count(lead) > self.size:
            lead = ""
        names = [name for part in path if (name := " ".join(part.split()))]
        for first in range(len(names)):
            frame = Frame(SEPARATOR.join(names[first:]), lead)
            if 2 * self._counter.count(frame.shown("")) <= self.size:
                return frame
        return Frame("", lead)


def last_holding(total: int, guess: int, limit: Callable[[int], int]) -> int | None:
    """The last of the numbers below ``total`` that holds, where those that hold come first; ``None`` if none does.

    Looks outward from ``guess`` in doubling steps, then halves: few looks for a good guess, logarithmic for a bad one.
    What is returned was looked at, also where what holds does not strictly come first.

    Args:
        total: how many numbers there are.
        guess: where to look first.
        limit: 0 for a number that does not hold, for another the first after it that is known not to, or ``total``.
    """
    good, bad, step = -1, total, 1
    probe = min(max(guess, 0), total - 1)
    while bad - good > 1:
        if known := limit(probe):
            good, bad, probe = probe, min(bad, known), probe + step
        else:
            bad, probe = probe, probe - step
        step *= 2
        if not good < probe < bad:
            probe = (good + bad) // 2
    return None if good < 0 else good
