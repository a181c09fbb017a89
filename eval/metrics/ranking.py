"""Measures of one ranking. Input is which places are relevant, best first; order is rank order and is never redone."""

import numpy as np
from numpy.typing import NDArray

CUTOFF = 10


def reciprocal_rank(relevant: NDArray[np.bool_]) -> float:
    """1 / rank of the first relevant place, 0 if there is none (Voorhees, TREC-8 question answering track, 1999).

    Args:
        relevant: shape (n,), True where the place is relevant; the whole ranking, not its head.
    """
    rank = first_rank(relevant)
    return 1.0 / rank if rank else 0.0


def first_rank(relevant: NDArray[np.bool_]) -> int | None:
    """Rank of the first relevant place, counted from 1; ``None`` if there is none."""
    places = np.flatnonzero(relevant)
    return int(places[0]) + 1 if len(places) else None


def ndcg(relevant: NDArray[np.bool_], possible: int, cutoff: int = CUTOFF) -> float:
    """Normalised discounted cumulative gain with binary gain (Järvelin & Kekäläinen, ACM TOIS 20(4), 2002).

    The discount at rank r is 1 / log2(r + 1). The ideal ranking has min(possible, cutoff) relevant places at its top,
    so the value is within 0 and 1 as long as ``relevant`` marks at most ``possible`` places.

    Args:
        relevant: shape (n,), True where the place is relevant.
        possible: how many relevant things there are in all, retrieved or not; with none the value is 0.
        cutoff: ranks that count, at least 1.
    """
    if possible == 0:
        return 0.0
    discounts = 1.0 / np.log2(np.arange(2, cutoff + 2))
    head = relevant[:cutoff]
    return float(discounts[: len(head)][head].sum() / discounts[: min(possible, cutoff)].sum())


def first_appearances(documents: NDArray[np.int32]) -> NDArray[np.int32]:
    """Collapse a ranking of chunks, given as document numbers, to documents by first appearance."""
    _, places = np.unique(documents, return_index=True)
    return documents[np.sort(places)]
