"""Is a difference between two runs more than noise, how large may it be, and what could be seen at all?

Everything here is paired: both runs answered the same questions. Every function is pure, and the order of the
questions changes nothing.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

SIGNIFICANT = 0.05
SEED = 0
RESAMPLES = 9_999
AT_ONCE = 100_000  # values held at a time while sampling: they stay in the processor's cache


def sign_flip_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p-value of the paired sign-flip permutation test on the mean difference.

    Under the null hypothesis each question's difference is as likely as its opposite (Fisher 1935; for retrieval
    measures Smucker, Allan & Carterette, CIKM 2007). Questions without a difference change nothing and are left out.
    Exact while all sign patterns are fewer than 9,999, sampled with a fixed seed above, where the observed pattern
    counts as one of the sampled (Phipson & Smyth, SAGMB 9, 2010), so that no p-value is 0.

    Args:
        first: shape (n,), one value per question.
        second: shape (n,), values of the same questions in the same order.
    """
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    sizes = np.sort(np.abs(differences[differences != 0]))
    if len(sizes) < 2:  # one difference is as likely as its opposite
        return 1.0
    total = sizes.sum()
    reached = abs(differences.sum()) - 1e-10 * total  # equal sums may differ in their last digits
    exact = 2 ** len(sizes) <= RESAMPLES
    blocks = _all_patterns(len(sizes)) if exact else _some_patterns(len(sizes))
    extreme = sum(int(np.count_nonzero(np.abs(2 * (block @ sizes) - total) >= reached)) for block in blocks)
    return extreme / 2 ** len(sizes) if exact else (extreme + 1) / (RESAMPLES + 1)


def _all_patterns(length: int) -> Iterator[NDArray[np.float64]]:
    """Every choice of the differences that are positive, shape (2**length, length), 1 for chosen."""
    yield ((np.arange(2**length)[:, None] >> np.arange(length)) & 1).astype(float)


def _some_patterns(length: int) -> Iterator[NDArray[np.float64]]:
    """As many random choices as there are resamples, in blocks of shape (rows, length), 1 for chosen."""
    random, rows = np.random.default_rng(SEED), max(1, AT_ONCE // length)
    for start in range(0, RESAMPLES, rows):
        shape = (min(rows, RESAMPLES - start), length)
        yield random.integers(0, 2, size=shape, dtype=np.bool_).astype(float)


def mcnemar_p(gained: int, lost: int) -> float:
    """Two-sided p-value of the exact McNemar test for a hit-or-miss measure (McNemar, Psychometrika 12, 1947).

    Under the null hypothesis a question that flipped is as likely gained as lost: binomial with one half. Questions
    that did not flip say nothing; without any flip the p-value is 1.

    Args:
        gained: number of questions missed before and hit now.
        lost: number of questions hit before and missed now.

    Raises:
        ValueError: a number is negative.
    """
    from scipy.special import bdtr

    if min(gained, lost) < 0:
        raise ValueError(f"flips are counted from 0 (got {gained} and {lost})")
    return min(1.0, 2 * float(bdtr(min(gained, lost), gained + lost, 0.5)))


def mean_interval(differences: Sequence[float], level: float = 0.95) -> tuple[float, float] | None:
    """Paired bootstrap confidence interval for the mean of per-question differences, as (low, high) in their unit.

    The expanded percentile interval of 9,999 resamples with a fixed seed (Hesterberg, The American Statistician
    69(4), 2015): the level is widened so that it is as wide as Student's interval, where the plain percentile
    interval is too narrow for few questions.

    What 95 % is worth, measured on 2,000 simulated pairs each (tests/eval/test_statistics_simulated.py): equal systems
    94 to 96 %, more where fewer than five flips are to be expected. With a true difference, reciprocal ranks and hits
    falling from 90 to 82 %: 84 and 66 % of intervals with 10 questions, 92 and 83 % with 16, 93 and 88 % with 20, 94
    and 96 % with 50, 95 to 96 % from 100 on. Few questions often hold none of the rare changes, and no resampling
    shows what was not sampled. Where few hits flip, the interval may leave out 0 while the exact test is above 0.05;
    trust the test.

    Args:
        differences: shape (n,), one difference per question.
        level: wanted share of intervals that hold the true mean, between 0 and 1.

    Returns:
        None for fewer than two questions; the common value twice where all differences are equal, which shows that
        nothing varied and not that nothing could.
    """
    ordered = np.sort(np.asarray(differences, dtype=float))
    count = len(ordered)
    if count < 2:
        return None
    if ordered[0] == ordered[-1]:
        return float(ordered[0]), float(ordered[0])
    from scipy.stats import bootstrap, norm, t  # late: half a second that runs without a change need not pay

    tail = norm.cdf(-np.sqrt(count / (count - 1)) * t.isf((1 - level) / 2, count - 1))
    interval = bootstrap(
        (ordered,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=max(1, AT_ONCE // count),
        vectorized=True,
        confidence_level=1 - 2 * tail,
        method="percentile",
        rng=SEED,
    ).confidence_interval
    low, high = (round(float(end), 12) + 0.0 for end in interval)  # a sum of thirds that is 0 must not lie beside it
    return low, high


def detectable_share(questions: int, power: float = 0.8) -> float | None:
    """The smallest true fall of a hit-or-miss measure that the exact McNemar test at 0.05 finds with this power.

    The best case: each question is lost with this chance and none is gained; where some are gained, a fall must be
    larger. Six losses are the fewest that count, and the chance of at least so many of n is a beta distribution
    (Clopper & Pearson, Biometrika 26, 1934), so its quantile is the answer.

    Args:
        questions: number of questions compared.
        power: wanted chance to find the fall, between 0 and 1.

    Returns:
        A share of the questions, 0 to 1; None for fewer than six questions: not even the fall of all is found.
    """
    from scipy.special import betaincinv

    needed = fewest_changes(1)
    return None if questions < needed else float(betaincinv(needed, questions - needed + 1, power))


def detectable_shift(differences: Sequence[float], power: float = 0.8) -> float | None:
    """The smallest true mean difference that a two-sided paired test at 0.05 finds with this power, in their unit.

    (z of 0.975 + z of the power) standard deviations / sqrt(n), the normal approximation of the power of a paired
    test (Lachin, Controlled Clinical Trials 2, 1981), for the spread that these two runs showed. It promises too
    much for few questions: of simulated reciprocal ranks (tests/eval/test_statistics_simulated.py) the sign-flip test
    finds it in 66 % of pairs of 10 questions, 73 % of 20, 76 % of 50, 78 % of 100 and 80 % of 200.

    Args:
        differences: shape (n,), one difference per question.
        power: wanted chance to find the difference, between 0 and 1.

    Returns:
        A size above 0, which may exceed what the measure can reach: then no difference is found with this power.
        None for fewer than six questions (no test of theirs falls below 0.05) or without any spread.
    """
    from scipy.special import ndtri

    values = np.sort(np.asarray(differences, dtype=float))  # in one order, so that the last digit is always the same
    if len(values) < fewest_changes(1) or np.ptp(values) < 1e-12:  # the rounding of equal values is no spread
        return None
    return float((ndtri(1 - SIGNIFICANT / 2) + ndtri(power)) * values.std(ddof=1) / np.sqrt(len(values)))


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
