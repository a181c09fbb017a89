"""Measures of one ranking. Input is which places are relevant, best first; order is rank order and is never redone."""

from functools import cache, lru_cache

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
    place = int(relevant.argmax()) if len(relevant) else 0
    return place + 1 if len(relevant) and relevant[place] else None


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
    gained = tuple(relevant[:cutoff].nonzero()[0].tolist())
    return _gain(gained, cutoff) / _gain(tuple(range(min(possible, cutoff))), cutoff)


@lru_cache(maxsize=4096)  # over thousands of questions the same few places are relevant again and again
def _gain(places: tuple[int, ...], cutoff: int) -> float:
    return float(_discounts(cutoff)[list(places)].sum())


@cache
def _discounts(cutoff: int) -> NDArray[np.float64]:
    return 1.0 / np.log2(np.arange(2, cutoff + 2))


def first_appearances(documents: NDArray[np.int32], at_most: int | None = None) -> NDArray[np.int32]:
    """Collapse a ranking of chunks, given as document numbers, to documents by first appearance.

    Args:
        documents: shape (n,), best first.
        at_most: how many documents are asked for, where not all; the head of the ranking is often enough to say.
    """
    head = documents if at_most is None else documents[: 4 * at_most]
    found = list(dict.fromkeys(head.tolist()))
    if at_most is not None and len(found) < at_most:
        found = list(dict.fromkeys(documents.tolist()))
    return np.array(found[:at_most], dtype=documents.dtype)
