"""The statistics on simulated pairs of systems whose true difference is known.

``python tests/eval/test_statistics_simulated.py`` prints all figures (about two minutes); the tests check some of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, multinomial

from eval.statistics import SIGNIFICANT, detectable_share, detectable_shift, mcnemar_p, mean_interval, sign_flip_p

PAIRS = 2_000
SIZES = (10, 16, 20, 50, 100, 200)
Values = NDArray[np.float64]
RECIPROCALS = np.array([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6, 0])
GOOD = (0.60, 0.15, 0.08, 0.05, 0.03, 0.02, 0.07)
WORSE = (0.50, 0.19, 0.10, 0.06, 0.04, 0.03, 0.08)


@dataclass(frozen=True)
class Hits:
    """Two systems: the second repeats the first's outcome on an agreeing share of questions and draws the rest."""

    name: str
    first: float
    second: float
    agreeing: float

    @property
    def gained(self) -> float:
        return (1 - self.agreeing) * (1 - self.first) * self.second

    @property
    def lost(self) -> float:
        return (1 - self.agreeing) * self.first * (1 - self.second)

    @property
    def shift(self) -> float:
        return self.gained - self.lost

    def differences(self, random: np.random.Generator, questions: int) -> Values:
        shape = (PAIRS, questions)
        first = random.random(shape) < self.first
        second = np.where(random.random(shape) < self.agreeing, first, random.random(shape) < self.second)
        return second.astype(float) - first


@dataclass(frozen=True)
class Ranks:
    """Reciprocal ranks of two systems that agree on half of the questions and draw the rest by themselves."""

    name: str
    second: tuple[float, ...]

    @property
    def shift(self) -> float:
        return float(RECIPROCALS @ (np.array(self.second) - GOOD)) / 2

    def differences(self, random: np.random.Generator, questions: int) -> Values:
        first = random.choice(RECIPROCALS, (PAIRS, questions), p=GOOD)
        other = random.choice(RECIPROCALS, (PAIRS, questions), p=self.second)
        return np.where(random.random(first.shape) < 0.5, 0.0, other - first)


INDEPENDENT = Hits("hits of 80 %, independent", 0.8, 0.8, 0.0)
CORRELATED = Hits("hits of 80 %, correlated by 0.7", 0.8, 0.8, 0.7)
FALLEN_HITS = Hits("hits of 90 %, fallen by 8 points", 0.9, 0.7, 0.6)
RANKS = Ranks("reciprocal ranks", GOOD)
FALLEN_RANKS = Ranks("reciprocal ranks, fallen by 0.03", WORSE)
Setting = Hits | Ranks


@cache
def p_value(ordered: bytes) -> float:
    differences = np.frombuffer(ordered)
    return sign_flip_p(differences, np.zeros(len(differences)))


@cache
def interval(ordered: bytes) -> tuple[float, float]:
    found = mean_interval(np.frombuffer(ordered))
    assert found is not None
    return found


def simulated(setting: Setting, questions: int, judge: Callable[[bytes], bool]) -> int:
    """For how many of the simulated pairs the judge says yes; equal sets of differences are judged once."""
    differences = np.sort(setting.differences(np.random.default_rng(questions), questions), axis=1)
    return sum(judge(row.tobytes()) for row in differences)


def significant(ordered: bytes) -> bool:
    return p_value(ordered) < SIGNIFICANT


def covers(shift: float) -> Callable[[bytes], bool]:
    def judge(ordered: bytes) -> bool:
        low, high = interval(ordered)
        return low - 1e-12 <= shift <= high + 1e-12

    return judge


def attainable_level(hits: Hits, questions: int) -> float:
    """The chance that an exact test falls below 0.05 for equal systems: whole flips can't meet 0.05 itself."""
    changed = range(questions + 1)
    chances = binom.pmf(changed, questions, hits.gained + hits.lost)
    return float(sum(chance * _level(count) for count, chance in zip(changed, chances, strict=True)))


def _level(changed: int) -> float:
    """The largest two-sided p-value below 0.05 that so many flips can have, by enumeration; 0 where there is none."""
    p_values = 2 * binom.cdf(np.arange((changed + 1) // 2), changed, 0.5)
    return float(max(p_values[p_values < SIGNIFICANT], default=0.0))


def attainable_coverage(hits: Hits, questions: int) -> float:
    """The chance that the interval holds the true shift, summed over the numbers of gained and lost questions."""
    judge, covered = covers(hits.shift), 0.0
    shares = [hits.gained, hits.lost, 1 - hits.gained - hits.lost]
    for gained in range(questions + 1):
        for lost in range(questions + 1 - gained):
            counts = [gained, lost, questions - gained - lost]
            chance = float(multinomial.pmf(counts, questions, shares))
            covered += chance * (
                chance > 1e-6 and judge(np.repeat([-1.0, 0.0, 1.0], np.take(counts, [1, 2, 0])).tobytes())
            )
    return covered


def expected(rate: float) -> tuple[float, float]:
    """The central 99 % of the numbers of pairs that a true rate leads to."""
    low, high = binom.interval(0.99, PAIRS, rate)
    return float(low), float(high)


def losses_found(questions: int) -> int:
    """In how many simulated pairs McNemar's test finds the detectable share of losses."""
    share = detectable_share(questions)
    lost = np.random.default_rng(questions).binomial(questions, share, PAIRS)
    return sum(mcnemar_p(0, int(count)) < SIGNIFICANT for count in lost)


def shifts_found(questions: int) -> int:
    """In how many simulated pairs the test finds the shift that was thought detectable from another pair's spread."""
    samples = RANKS.differences(np.random.default_rng(questions), questions)
    shifts = [detectable_shift(sample) or 0.0 for sample in samples]
    moved = np.sort(np.roll(samples, 1, axis=0) + np.array(shifts)[:, None], axis=1)
    return sum(significant(row.tobytes()) for row in moved)


@pytest.mark.parametrize("questions", [20, 50, 100])
@pytest.mark.parametrize("hits", [INDEPENDENT, CORRELATED], ids=lambda hits: hits.name)
def test_false_alarms_on_hits_are_as_rare_as_whole_flips_allow(hits: Hits, questions: int):
    level = attainable_level(hits, questions)
    low, high = expected(level)
    assert low <= simulated(hits, questions, significant) <= high
    assert level < SIGNIFICANT
    assert high <= expected(SIGNIFICANT)[1]


@pytest.mark.parametrize("questions", [50, 100])
def test_false_alarms_on_reciprocal_ranks_come_in_one_of_twenty_pairs(questions: int):
    low, high = expected(SIGNIFICANT)
    assert low <= simulated(RANKS, questions, significant) <= high


@pytest.mark.parametrize("hits", [INDEPENDENT, CORRELATED, FALLEN_HITS], ids=lambda hits: hits.name)
def test_intervals_of_fifty_hits_hold_the_true_difference_as_often_as_they_promise(hits: Hits):
    coverage = attainable_coverage(hits, 50)
    low, high = expected(coverage)
    assert low <= simulated(hits, 50, covers(hits.shift)) <= high
    assert coverage >= 0.95


@pytest.mark.parametrize("ranks", [RANKS, FALLEN_RANKS], ids=lambda ranks: ranks.name)
def test_intervals_of_fifty_reciprocal_ranks_hold_the_true_difference_as_often_as_they_promise(ranks: Ranks):
    low, high = expected(0.95)
    assert low <= simulated(ranks, 50, covers(ranks.shift)) <= high


@pytest.mark.parametrize(("questions", "share"), [(10, 0.667), (16, 0.836), (20, 0.888)])
def test_intervals_of_few_questions_with_rare_flips_hold_less_than_they_promise(questions: int, share: float):
    assert attainable_coverage(FALLEN_HITS, questions) == pytest.approx(share, abs=0.001)


@pytest.mark.parametrize("questions", [6, 20, 50, 200])
def test_a_detectable_share_of_losses_is_found_in_four_of_five_pairs(questions: int):
    low, high = expected(0.8)
    assert low <= losses_found(questions) <= high


def test_a_detectable_shift_of_two_hundred_questions_is_found_in_four_of_five_pairs():
    low, high = expected(0.8)
    assert low <= shifts_found(200) <= high


@pytest.mark.parametrize(("questions", "share"), [(20, 0.73), (100, 0.775)])
def test_a_detectable_shift_of_fewer_questions_is_found_less_often_than_promised(questions: int, share: float):
    low, high = expected(share)
    assert low <= shifts_found(questions) <= high
    assert shifts_found(questions) < 0.8 * PAIRS


def table() -> Iterator[str]:
    """Every figure: share of pairs with p < 0.05 and with the true difference inside the interval; then the power."""
    yield f"{'pairs: ' + str(PAIRS):34}{'n':>5}{'p < 0.05':>10}{'attainable':>12}{'covered':>9}{'attainable':>12}"
    for setting in (INDEPENDENT, CORRELATED, FALLEN_HITS, RANKS, FALLEN_RANKS):
        for questions in SIZES:
            yield f"{setting.name:34}{questions:5}" + _figures(setting, questions)
    yield f"{'detectable effect found':34}{'n':>5}{'losses':>10}{'shift of ranks':>19}"
    for questions in SIZES:
        yield f"{'':34}{questions:5}{losses_found(questions) / PAIRS:10.4f}{shifts_found(questions) / PAIRS:19.4f}"


def _figures(setting: Setting, questions: int) -> str:
    found, covered = (simulated(setting, questions, judge) / PAIRS for judge in (significant, covers(setting.shift)))
    level = attainable_level(setting, questions) if setting in (INDEPENDENT, CORRELATED) else None
    coverage = attainable_coverage(setting, questions) if isinstance(setting, Hits) and questions <= 50 else None
    shown = ["" if value is None else f"{value:.4f}" for value in (found, level, covered, coverage)]
    return f"{shown[0]:>10}{shown[1]:>12}{shown[2]:>9}{shown[3]:>12}"


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)  # noqa: T201 - printing is what the command is for
