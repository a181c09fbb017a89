"""Slices of a text, cut at the coarsest places that fit: blocks or sentences, then tokens, then graphemes."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from eval.records import Chunk, Document
from eval.text.graphemes import MAY_JOIN, grapheme_end, grapheme_ends, parts_graphemes
from runner.chunkers.fitting import BARE, Fitting, Frame, last_holding

_NON_BLANK = re.compile(r"\S")  # of the standard library: its \s is str.isspace
Cuts = Callable[[int, int], Sequence[int]]  # places after a start, up to and including an end, where a slice may end
_AHEAD = 4096  # characters looked at beyond those asked for; bounds the work of each look


@dataclass(frozen=True, slots=True)
class Slice:
    """A range of a text without blanks at its edges, and what is shown before it."""

    start: int
    end: int
    frame: Frame


def numbered(document: Document, slices: Iterable[Slice]) -> list[Chunk]:
    """The slices as chunks of the document, in order."""
    return [
        Chunk(
            id=f"{document.id}#{number}",
            doc_id=document.id,
            start=part.start,
            end=part.end,
            text=document.text[part.start : part.end],
            title=part.frame.title,
            lead=part.frame.lead,
        )
        for number, part in enumerate(slices)
    ]


def ends_before(text: str, places: Iterable[int]) -> list[int]:
    """For each of the rising ``places`` the end of the text before it without blanks.

    Repeats are left out, and places within a grapheme (an accent or a joiner may follow a full stop).
    """
    ends: list[int] = []
    last = 0
    for place in places:
        end = last + len(text[last:place].rstrip())
        if end > last and (not MAY_JOIN.search(text, end - 1, end + 1) or parts_graphemes(text, end)):
            ends.append(end)
        last = place
    return ends


class Slicer:
    """Cuts a text. ``levels`` give rising places where a slice may end, the most welcome ones first; asked when needed.

    Where no place of any level fits, cuts go between tokens, then between graphemes; a grapheme that does not fit
    under its frame stands without one; a grapheme that does not fit at all is cut between code points, of which
    a slice holds one at least. Linear in the length of the text.
    """

    def __init__(self, fitting: Fitting, *levels: Callable[[], Sequence[int]]) -> None:
        self._fitting = fitting
        self._text = fitting.text
        self._levels: list[Cuts] = [*map(_Level, levels), self._token_cuts, self._grapheme_cuts]
        self._broken_until = 0  # where the grapheme that is being cut ends: to look for it again would be quadratic
        # Places known to hold no character that may join its neighbours.
        self._plain = range(len(self._text) + 1 if self._text.isascii() else 0)

    def slices(self, start: int, end: int, frame_at: Callable[[int], Frame], overlap: int = 0) -> Iterator[Slice]:
        """Slices of a range, in order, their starts rising.

        A slice starts again with what is at most ``overlap`` tokens of the one before, back to a place of the first
        level, as far as that lets it reach beyond the one before.
        """
        start = self._skip_blanks(start, end)
        while start < end:
            frame = frame_at(start)
            stop, shown = self._stop(start, end, frame)
            stop = start + len(self._text[start:stop].rstrip())
            yield Slice(start, stop, shown)
            following = self._skip_blanks(stop, end)
            if overlap and following < end:
                following = self._step_back(start, stop, end, frame, overlap) or following
            start = following

    def _skip_blanks(self, place: int, end: int) -> int:
        match = _NON_BLANK.search(self._text, place, end)
        return match.start() if match else end

    def _stop(self, start: int, end: int, frame: Frame) -> tuple[int, Frame]:
        """Where a slice from ``start`` ends, and the frame with which it fits."""
        if start >= self._broken_until and self._fitting.fits_at_once(start, end, frame):
            return end, frame
        reach = min(end, self._fitting.horizon(start))
        if start >= self._broken_until:
            for cuts in self._levels:
                if (stop := self._fitting.furthest(start, cuts(start, reach), frame)) is not None:
                    return stop, frame
            if (stop := self._fitting.furthest(start, self._grapheme_cuts(start, reach), BARE)) is not None:
                return stop, BARE
            self._broken_until = grapheme_end(self._text, start)
        return self._stop_in_grapheme(start, min(reach, self._broken_until), frame)

    def _stop_in_grapheme(self, start: int, end: int, frame: Frame) -> tuple[int, Frame]:
        for shown in (frame, BARE):
            if (stop := self._fitting.furthest(start, range(start + 1, end + 1), shown)) is not None:
                return stop, shown
        return start + 1, BARE

    def _step_back(self, start: int, stop: int, end: int, frame: Frame, overlap: int) -> int | None:
        """Where a slice starts that shares the overlap with the one before and reaches beyond it, if there is one."""
        places = self._levels[0](start, stop - 1)
        following = self._skip_blanks(stop, end)
        beyond = self._levels[0](following, min(end, self._fitting.horizon(following)))
        if not beyond:
            return None

        def limit(index: int) -> int:
            place = self._skip_blanks(places[-1 - index], stop)
            held = self._fitting.count(place, stop) <= overlap and self._fitting.fits(place, beyond[0], frame)
            return len(places) if held else 0

        guess = len(places) - 1 - bisect_left(places, self._fitting.along(stop, -overlap))
        index = last_holding(len(places), guess, limit)
        if index is None:
            return None
        place = self._skip_blanks(places[-1 - index], stop)
        return place if self._stop(place, end, frame)[0] > following else None

    def _token_cuts(self, start: int, end: int) -> Sequence[int]:
        """Ends of tokens that are ends of graphemes too."""
        ends, graphemes = self._fitting.token_ends(start, end), self._grapheme_cuts(start, end)
        if isinstance(graphemes, range):  # every place is an end of a grapheme
            return ends
        whole = frozenset(graphemes)
        return [place for place in ends if place in whole]

    def _grapheme_cuts(self, start: int, end: int) -> Sequence[int]:
        if start not in self._plain:
            until = min(end + _AHEAD, len(self._text))
            match = MAY_JOIN.search(self._text, start, until)
            self._plain = range(start, match.start() if match else until + (until == len(self._text)))
        return range(start + 1, end + 1) if end in self._plain else grapheme_ends(self._text, start, end)


class _Level:
    """Cuts at given places, which are found when they are first asked for."""

    def __init__(self, find: Callable[[], Sequence[int]]) -> None:
        self._find = find
        self._places: Sequence[int] | None = None

    def __call__(self, start: int, end: int) -> Sequence[int]:
        if self._places is None:
            self._places = self._find()
        return self._places[bisect_right(self._places, start) : bisect_right(self._places, end)]
