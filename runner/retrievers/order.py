"""The best of many scores in order, sorting only what can be among them."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Score = TypeVar("Score", np.float32, np.float64)

_FEWEST_GROUPS, _GROUPS_PER_PLACE = 1000, 4  # so few are enough to tell the best from the rest


def best_first(scores: NDArray[Score], depth: int | None, above: float = -np.inf) -> NDArray[np.intp]:
    """Places of the highest scores that are higher than ``above``, best first, equal ones rising.

    Args:
        scores: shape (n,), finite.
        depth: how many at most; ``None`` for all.
        above: scores up to this one are left out.
    """
    least = -np.inf if depth is None or depth >= len(scores) else float(_reached(scores, depth))
    found = np.flatnonzero(scores >= least if least > above else scores > above)
    return found[np.argsort(-scores[found], kind="stable")][:depth]


def _reached(scores: NDArray[Score], depth: int) -> Score:
    """A score that ``depth`` of them reach or more, most often not many more.

    Scores are put into groups, and that many groups have a highest score as high as that. Neighbours, which are often
    alike, get into different groups.
    """
    height = max(1, len(scores) // max(_FEWEST_GROUPS, _GROUPS_PER_PLACE * depth))
    groups = len(scores) // height
    highest = scores[: height * groups].reshape(height, groups).max(axis=0)
    highest.partition(groups - depth)
    reached: Score = highest[groups - depth]
    return reached
