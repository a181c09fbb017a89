"""Is a difference between two runs more than noise? Paired tests over the same questions."""

from collections.abc import Sequence

import numpy as np

SIGNIFICANT = 0.05
SEED = 0
RESAMPLES = 9_999
AT_ONCE = 1_000_000  # values held in memory at a time while sampling


def sign_flip_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p-value of the paired sign-flip permutation test on the mean difference.

    Under the null hypothesis each question's difference is as likely as its opposite (Fisher 1935; for retrieval
    measures Smucker, Allan & Carterette, CIKM 2007). Questions without a difference change nothing and are left out.
    Exact while all sign patterns are fewer than 9,999, sampled with a fixed seed above.

    Args:
        first: shape (n,), one value per question.
        second: shape (n,), values of the same questions in the same order.
    """
    from scipy.stats import permutation_test  # late: half a second that single runs need not pay

    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    differences = differences[differences != 0]
    if len(differences) < 2:  # one difference is as likely as its opposite
        return 1.0
    result = permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=max(1, AT_ONCE // len(differences)),
        rng=SEED,
    )
    return float(result.pvalue)


def fewest_changes(comparisons: int) -> int:
    """How many questions must change, all one way, for the clearest of so many comparisons to show a difference.

    Two of the 2**n sign patterns are the most extreme, and Holm's correction divides the level by the comparisons.
    """
    return int(np.floor(np.log2(2 * max(comparisons, 1) / SIGNIFICANT))) + 1


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for being one of several (Holm, Scandinavian Journal of Statistics 6, 1979), in their order."""
    rising = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for step, place in enumerate(rising):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[place]))
        adjusted[place] = largest
    return adjusted
