"""The head of a ranking, as a record keeps it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.metrics.ranking import CUTOFF
from eval.records import Chunk, RankedChunk, Ranking

FEWEST_KEPT, MOST_KEPT = 20, 200
DOCUMENTS_KEPT = CUTOFF  # so that measures of documents with this cutoff can be computed from what is kept


@dataclass(frozen=True, slots=True, eq=False)
class Head(Collection[RankedChunk]):
    """The first ``kept`` lines of a ranking over ``chunks`` of ``sizes`` tokens.

    A line becomes an object when it is read: a run has hundreds of thousands, and most are read once, for the report.
    """

    ranking: Ranking
    chunks: Sequence[Chunk]
    sizes: NDArray[np.int64]
    kept: int

    def __iter__(self) -> Iterator[RankedChunk]:
        places = self.ranking.positions[: self.kept]
        scores, tokens = self.ranking.scores[: self.kept].tolist(), self.sizes[places].tolist()
        for place, score, size in zip(places.tolist(), scores, tokens, strict=True):
            chunk = self.chunks[place]
            yield RankedChunk(chunk.doc_id, chunk.id, score, size)

    def __len__(self) -> int:
        return self.kept

    def __contains__(self, line: object) -> bool:
        return any(line == each for each in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Collection) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # equal to any collection of the same lines


def lines_kept(documents: NDArray[np.int32]) -> int:
    """How many lines of a ranking are kept: some, and on until ten documents stand there, up to a limit.

    Args:
        documents: shape (n,), the number of each ranked chunk's document.
    """
    head = documents[:FEWEST_KEPT].tolist()
    found = set(head)
    if len(found) >= DOCUMENTS_KEPT or len(documents) <= FEWEST_KEPT:
        return len(head)
    for number, document in enumerate(documents[FEWEST_KEPT:MOST_KEPT].tolist(), FEWEST_KEPT + 1):
        found.add(document)
        if len(found) == DOCUMENTS_KEPT:
            return number
    return min(len(documents), MOST_KEPT)
