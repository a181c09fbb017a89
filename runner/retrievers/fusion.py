"""Several rankings of the same chunks made into one."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from eval.records import Ranking

Contribution = tuple[NDArray[np.int32], NDArray[np.float64]]
"""Places in the corpus, none twice, and what one ranking adds to the score of each; both of shape (n,)."""


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking], weights: Sequence[float], k: int = 60, depth: int | None = None
) -> Ranking:
    """Reciprocal rank fusion (Cormack, Clarke & Büttcher, SIGIR 2009).

    A chunk's score is the sum of weight / (k + rank) over the rankings that hold it, ranks counted from 1. A ranking
    without the chunk adds nothing. Weights of 1 give the scores of the paper.

    Args:
        rankings: of one question, over the same chunks.
        weights: one per ranking, above 0.
        k: the larger, the less the first ranks stand out; at least 0.
        depth: the longest ranking that is made; ``None`` keeps every chunk.
    """
    return _summed(
        (
            (ranking.positions, weight / np.arange(k + 1.0, k + 1.0 + len(ranking.positions)))
            for ranking, weight in zip(rankings, weights, strict=True)
        ),
        depth,
    )


def weighted_fusion(rankings: Sequence[Ranking], weights: Sequence[float], depth: int | None = None) -> Ranking:
    """Weighted sum of normalised scores, a convex combination (Bruch, Gai & Ingber, ACM TOIS 42(1), 2023).

    Each ranking's scores are normalised by ``min_max``; a ranking without the chunk adds 0, as does one that has it
    last. With weights that sum to 1 the fused scores are within 0 and 1.

    Args:
        rankings: of one question, over the same chunks.
        weights: one per ranking, above 0.
        depth: the longest ranking that is made; ``None`` keeps every chunk.
    """
    return _summed(
        (
            (ranking.positions, weight * min_max(ranking.scores))
            for ranking, weight in zip(rankings, weights, strict=True)
        ),
        depth,
    )


def min_max(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """(score - lowest) / (highest - lowest) of falling scores, shape (n,): 1 for the best, 0 for the last.

    Where all are equal, and so for a single one, each is as good as the best: 1.
    """
    if len(scores) == 0 or scores[0] == scores[-1]:
        return np.ones(len(scores))
    normal: NDArray[np.float64] = (scores - scores[-1]) / (scores[0] - scores[-1])
    return normal


def head(ranking: Ranking, depth: int | None) -> Ranking:
    """The first ``depth`` chunks of a ranking, all of it for ``None``."""
    return Ranking(ranking.positions[:depth], ranking.scores[:depth])


def _summed(contributions: Iterable[Contribution], depth: int | None) -> Ranking:
    """Chunks by the sum of what is contributed to each, in the order of the rankings; equal sums in corpus order."""
    parts = list(contributions)
    positions = np.concatenate([positions for positions, _ in parts])
    by_chunk = np.argsort(positions, kind="stable")
    positions = positions[by_chunk]
    starts = np.flatnonzero(np.diff(positions, prepend=-1))
    if not len(starts):  # reduceat can't sum nothing
        return Ranking(positions, np.zeros(0))
    sums = np.add.reduceat(np.concatenate([values for _, values in parts])[by_chunk], starts)
    order = np.argsort(-sums, kind="stable")[:depth]
    return Ranking(positions[starts][order], sums[order])
