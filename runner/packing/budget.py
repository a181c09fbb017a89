"""Fill a context in rank order, never above the budget."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from eval.component import component
from eval.records import Chunk, Context, PackedChunk, Ranking
from eval.text.graphemes import whole_until
from runner.tokens import CounterName, TokenCounter, token_counter

Policy = Literal["stop", "skip", "truncate"]

# Flags of a context that is out of the ordinary.
FIRST_CUT = "first_chunk_cut"  # the best chunk alone is above the budget; its beginning was taken
FIRST_SKIPPED = "first_chunk_skipped"  # the best chunk alone is above the budget; later ones were taken
LAST_CUT = "last_chunk_cut"  # policy truncate: the last chunk fills what was left
NOTHING_FITS = "nothing_fits"  # not even one character of the best chunk fits
LAST_GIVEN_UP = "last_chunk_given_up"  # the joined text counts more than its parts, and was above the budget


@component
class TokenBudget:
    """A budget in tokens of the named counter, and what to do with a chunk that does not fit.

    ``stop`` ends at the first chunk that does not fit, ``skip`` passes over it and goes on, ``truncate`` cuts it to
    what is left and ends. When nothing would fit whole, the best chunk is cut to the budget under every policy, so that
    a context is never empty in silence. A chunk costs its tokens as shown plus, from the second on, the separator's.

    ``ladder``: budgets for which recall is reported beside this one, from the same ranking.
    """

    tokens: Annotated[int, Field(ge=1)] = 600
    policy: Policy = "stop"
    separator: str = "\n\n"
    counter: CounterName = "o200k_base"
    ladder: list[Annotated[int, Field(ge=1)]] = Field(default_factory=list)

    @cached_property
    def budgets(self) -> tuple[int, ...]:
        """The ladder with this budget in its place, rising."""
        return tuple(sorted({*self.ladder, self.tokens}))

    @cached_property
    def joint(self) -> int:
        """Tokens of the separator."""
        return token_counter(self.counter).count(self.separator)

    def warm(self) -> None:
        """Load the tokenizer, which takes longer than a question should seem to."""
        token_counter(self.counter)

    def sizes(self, chunks: Sequence[Chunk]) -> NDArray[np.int64]:
        """Tokens of each chunk as shown, shape (n,)."""
        counter = token_counter(self.counter)
        return np.array([counter.count(chunk.shown) for chunk in chunks], dtype=np.int64)

    def pack(self, ranking: Ranking, chunks: Sequence[Chunk], sizes: NDArray[np.int64]) -> Context:
        """The context of a ranking over ``chunks``, whose ``sizes`` come from this budget."""
        costs = sizes[ranking.positions] + self.joint
        taken = select(costs, self.tokens + self.joint, self.policy)
        packed = [
            PackedChunk(chunks[ranking.positions[place]], place + 1, int(sizes[ranking.positions[place]]))
            for place in taken
        ]
        flags: tuple[str, ...] = ()
        if taken and taken[0] > 0:
            flags = (FIRST_SKIPPED,)
        elif not taken and len(costs):
            packed, flags = self._first_cut(chunks[ranking.positions[0]])
        elif self.policy == "truncate" and len(taken) < len(costs):
            packed, flags = self._last_cut(packed, chunks[ranking.positions[len(taken)]])
        return self._context(packed, flags)

    def _first_cut(self, chunk: Chunk) -> tuple[list[PackedChunk], tuple[str, ...]]:
        cut = cut_to(chunk, self.tokens, token_counter(self.counter))
        return ([replace(cut, rank=1)], (FIRST_CUT,)) if cut else ([], (NOTHING_FITS,))

    def _last_cut(self, packed: list[PackedChunk], following: Chunk) -> tuple[list[PackedChunk], tuple[str, ...]]:
        room = self.tokens - sum(item.tokens for item in packed) - self.joint * len(packed)
        cut = cut_to(following, room, token_counter(self.counter))
        return ([*packed, replace(cut, rank=len(packed) + 1)], (LAST_CUT,)) if cut else (packed, ())

    def _context(self, packed: list[PackedChunk], flags: tuple[str, ...]) -> Context:
        """Join the chunks. Joined text can, rarely, count more than its parts: then the last chunk is given up."""
        counter = token_counter(self.counter)
        for kept in range(len(packed), -1, -1):
            text = self.separator.join(item.chunk.shown for item in packed[:kept])
            if (tokens := counter.count(text)) <= self.tokens:
                break
        given_up = (LAST_GIVEN_UP,) if kept < len(packed) else ()
        return Context(tuple(packed[:kept]), text, tokens, (*flags, *given_up))


def select(costs: NDArray[np.int64], room: int, policy: Policy) -> list[int]:
    """Places of the chunks that are taken whole, rising.

    Args:
        costs: shape (n,), tokens of each chunk in rank order with one separator each.
        room: the budget with one separator on top, so that the first chunk's separator is free.
        policy: what happens at a chunk that does not fit.
    """
    if policy != "skip":
        return list(range(int(np.searchsorted(np.cumsum(costs), room, side="right"))))
    taken: list[int] = []
    place = 0
    while len(fitting := np.flatnonzero(costs[place:] <= room)):
        place += int(fitting[0])
        taken.append(place)
        room -= int(costs[place])
        place += 1
    return taken


def cut_to(chunk: Chunk, tokens: int, counter: TokenCounter) -> PackedChunk | None:
    """The longest beginning of a chunk that counts at most ``tokens``; ``None`` if not even one character does.

    Characters that a reader sees as one are kept whole. Where title and lead leave no room they are left out.
    """
    for bare in (chunk, replace(chunk, title="", lead="")):
        header = counter.count(replace(bare, text="").shown)
        places = counter.boundaries(bare.text)
        for kept in range(min(tokens - header, len(places)), 0, -1):
            end = whole_until(bare.text, int(places[kept - 1]))
            text = bare.text[:end].rstrip()
            cut = replace(bare, text=text, end=bare.start + len(text))
            if text and (size := counter.count(cut.shown)) <= tokens:
                return PackedChunk(cut, 1, size, cut=True)
    return None
