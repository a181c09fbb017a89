"""A ranking with its head in the order of a reranker's scores."""

import numpy as np
from numpy.typing import NDArray

from eval.errors import EvalfirstError
from eval.records import Ranking


def reordered(ranking: Ranking, scores: NDArray[np.float64]) -> Ranking:
    """The first chunks by their new scores, equal ones as they stood; the rest below them, in its order.

    Scores of the rest are moved below the head's, as the two are on different scales.

    Args:
        ranking: as the retriever gave it.
        scores: shape (n,), for its first n chunks.

    Raises:
        EvalfirstError: a score is no number, or there are more than chunks.
    """
    if not np.isfinite(scores).all() or len(scores) > len(ranking.positions):
        raise EvalfirstError(
            f"the reranker gave {len(scores)} scores for {len(ranking.positions)} chunks, or none that are numbers"
        )
    head = np.argsort(-scores, kind="stable")
    below = ranking.scores[len(scores) :]
    if len(scores) and len(below):
        below = below - below[0] + scores.min() - 1.0
    positions = np.concatenate([ranking.positions[head], ranking.positions[len(scores) :]])
    return Ranking(positions, np.concatenate([scores[head], below]))
