"""Vectors that a model gave, checked and brought to unit length, so that a scalar product is their cosine."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.errors import EvalfirstError

_SHOWN = 60  # characters of a text in a message


def unit_vectors(vectors: NDArray[np.float32], texts: Sequence[str], model: str) -> NDArray[np.float32]:
    """One vector of length 1 for each text, shape (texts, dimensions).

    Args:
        vectors: as the model gave them, of any length and kind of number.
        texts: what they are for, in the same order.
        model: its identity, for messages.

    Raises:
        EvalfirstError: there is not one vector for each text, or one that has no direction; it would sort somewhere.
    """
    if vectors.ndim != 2 or len(vectors) != len(texts) or vectors.shape[1] == 0:
        raise EvalfirstError(
            f"the model {model} must give one vector for each text (got shape {vectors.shape} for {len(texts)} texts); "
            "check that it is an embedding model"
        )
    exact = vectors.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", exact, exact))
    wrong = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if len(wrong):
        what = "only zeros" if lengths[wrong[0]] == 0 else "NaN or infinity"
        raise EvalfirstError(
            f"the model {model} gave {what} as the vector of {len(wrong)} of {len(texts)} texts, the first of them "
            f"{texts[wrong[0]][:_SHOWN]!r}; such a vector can't be compared: use another model, or leave the text out"
        )
    unit: NDArray[np.float32] = (exact / lengths[:, None]).astype(np.float32)
    return unit


def cosines(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scalar product of each row with ``query`` (dimensions,), shape (rows,).

    A product of matrices would be faster and would give other last digits for one query than for several: equal texts
    would no longer tie, and a ranking would depend on which queries are asked together. ``einsum`` sums each row alone.
    """
    found: NDArray[np.float32] = np.einsum("ij,j->i", vectors, query)
    return found
