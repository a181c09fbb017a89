"""How far a slice may reach so that its chunk, counted as it is shown, stays within a size."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval.records import Chunk
from runner.tokens import TokenCounter

SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class Frame:
    """What is shown before a slice."""

    title: str = ""
    lead: str = ""

    def shown(self, text: str) -> str:
        """The chunk of ``text`` as it is shown."""
        return Chunk(id="", doc_id="", start=0, end=len(text), text=text, title=self.title, lead=self.lead).shown


BARE = Frame()


class Fitting:
    """Measures slices of one text; ``size`` is in tokens of ``counter``."""

    def __init__(self, text: str, size: int, counter: TokenCounter) -> None:
        self.text = text
        self.size = size
        self._counter = counter
        self._token_ends: list[int] = counter.boundaries(text).tolist()

    def count(self, start: int, end: int, frame: Frame = BARE) -> int:
        """Tokens of the slice, without blanks at its end, as shown in ``frame``."""
        return self._counter.count(frame.shown(self.text[start:end].rstrip()))

    def fits(self, start: int, end: int, frame: Frame) -> bool:
        """Whether the slice stays within the size."""
        return self.count(start, end, frame) <= self.size

    def token_ends(self, start: int, end: int) -> list[int]:
        """Places after ``start``, up to and including ``end``, where a token of the whole text ends."""
        return self._token_ends[bisect_right(self._token_ends, start) : bisect_right(self._token_ends, end)]

    def along(self, place: int, tokens: int) -> int:
        """The place so many tokens of the whole text after ``place`` (before it, where negative)."""
        index = bisect_right(self._token_ends, place) - 1 + tokens
        return self._token_ends[min(index, len(self._token_ends) - 1)] if index >= 0 else 0

    def horizon(self, start: int) -> int:
        """A place beyond which nothing fits: a slice has other tokens than the whole text only at its edges."""
        return self.along(start, 2 * self.size + 16)

    def furthest(self, start: int, ends: Sequence[int], frame: Frame) -> int | None:
        """The last of the rising ``ends`` at which a slice from ``start`` fits; ``None`` if it fits at none of them."""
        room = self.size - self._counter.count(frame.shown(""))
        guess = bisect_right(ends, self.along(start, room)) - 1
        index = last_holding(len(ends), guess, lambda i: self.fits(start, ends[i], frame))
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


def last_holding(total: int, guess: int, holds: Callable[[int], bool]) -> int | None:
    """The last of the numbers below ``total`` that holds, where those that hold come first; ``None`` if none does.

    Looks outward from ``guess`` in doubling steps, then halves: few looks for a good guess, logarithmic for a bad one.
    What is returned was looked at, also where what holds does not strictly come first.
    """
    good, bad, step = -1, total, 1
    probe = min(max(guess, 0), total - 1)
    while bad - good > 1:
        if holds(probe):
            good, probe = probe, probe + step
        else:
            bad, probe = probe, probe - step
        step *= 2
        if not good < probe < bad:
            probe = (good + bad) // 2
    return None if good < 0 else good
