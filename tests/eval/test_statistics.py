"""Paired tests, intervals and detectable effects, against values computed by hand, enumerated, or from scipy."""

import math
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, norm, permutation_test, t

from eval.statistics import (
    SIGNIFICANT,
    detectable_share,
    detectable_shift,
    fewest_changes,
    holm,
    mcnemar_p,
    mean_interval,
    sign_flip_p,
)

some_differences = st.lists(st.integers(-60, 60).map(lambda step: step / 60), min_size=2, max_size=40)


def test_five_flips_in_one_direction_have_an_exact_two_sided_p_of_two_in_thirty_two():
    assert sign_flip_p([1.0] * 5 + [0.0] * 10, [0.0] * 15) == pytest.approx(2 / 32)


def test_questions_without_a_difference_change_nothing():
    assert sign_flip_p([1, 1, 1, 0.5], [0, 0, 0, 0.5]) == sign_flip_p([1, 1, 1], [0, 0, 0]) == pytest.approx(0.25)


def test_equal_runs_are_no_evidence():
    assert sign_flip_p([0.3, 0.4], [0.3, 0.4]) == 1.0
    assert sign_flip_p([], []) == 1.0


def test_a_single_flip_is_no_evidence():
    assert sign_flip_p([1, 0.5], [0, 0.5]) == 1.0


def test_one_flip_each_way_is_no_evidence():
    assert sign_flip_p([1, 0], [0, 1]) == 1.0


def test_the_sampled_test_repeats_and_agrees_with_the_normal_approximation():
    random = np.random.default_rng(1)
    first, second = random.random(200), random.random(200)
    p = sign_flip_p(first, second)
    assert p == sign_flip_p(first, second)
    difference = first - second
    z = abs(difference.sum()) / np.sqrt((difference**2).sum())
    assert p == pytest.approx(2 * norm.sf(z), abs=0.02)


def test_the_exact_test_agrees_with_scipys_enumeration():
    differences = np.array([0.5, -1 / 3, 0.25, 1.0, -0.5, 2 / 3, 0.8, 0.5, -0.25, 1 / 6])
    reference = permutation_test((differences,), np.mean, permutation_type="samples", vectorized=True)
    assert sign_flip_p(differences, np.zeros(10)) == pytest.approx(reference.pvalue, abs=1e-12)


def test_the_sampled_test_agrees_with_the_binomial_for_equal_sizes():
    assert sign_flip_p([1] * 22 + [0] * 8, [0] * 22 + [1] * 8) == pytest.approx(mcnemar_p(22, 8), abs=0.005)


def test_equal_sums_count_as_equal_whatever_their_last_digits():
    differences = [0.1, 0.2, -0.3, 0.7]  # 14 of the 16 patterns reach 0.7 in size; as floats, sums of 0.7 differ
    signs = product([1, -1], repeat=4)
    extreme = sum(abs(sum(s * d for s, d in zip(row, [1, 2, 3, 7], strict=True))) >= 7 for row in signs)
    assert sign_flip_p(differences, [0.0] * 4) == extreme / 16


def test_no_sampled_p_value_is_zero():
    assert sign_flip_p([1.0] * 100, [0.0] * 100) == 1 / 10_000


@given(some_differences, st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_neither_the_order_of_questions_nor_of_runs_changes_a_p_value(
    differences: list[float], shuffler: random.Random
):
    p = sign_flip_p(differences, [0.0] * len(differences))
    assert 0 < p <= 1
    assert sign_flip_p([0.0] * len(differences), differences) == p
    shuffler.shuffle(differences)
    assert sign_flip_p(differences, [0.0] * len(differences)) == p


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [
        (0, 0, 1),
        (1, 0, 1),
        (3, 3, 1),
        (0, 5, 2 / 32),
        (0, 6, 2 / 64),
        (6, 0, 2 / 64),
        (1, 6, 16 / 128),
        (2, 10, 158 / 4096),
    ],
)
def test_mcnemar_counts_the_patterns_of_flips_at_least_as_one_sided(gained: int, lost: int, p: float):
    assert mcnemar_p(gained, lost) == pytest.approx(p)


def test_mcnemar_refuses_a_negative_number_of_flips():
    with pytest.raises(ValueError, match="flips are counted from 0"):
        mcnemar_p(-1, 1)


@given(st.integers(0, 13), st.integers(0, 13))
@settings(max_examples=60, deadline=None)
def test_mcnemar_is_the_sign_flip_test_of_hits(gained: int, lost: int):
    p = mcnemar_p(gained, lost)
    assert 0 < p <= 1
    assert p == mcnemar_p(lost, gained)
    if gained + lost <= 13:  # where the sign-flip test is exact
        hits = [1.0] * gained + [0.0] * lost
        assert sign_flip_p(hits, [1 - hit for hit in hits]) == pytest.approx(p)


def test_an_interval_of_hits_has_the_binomials_quantiles_at_the_expanded_level():
    tail = norm.cdf(-math.sqrt(20 / 19) * 2.093024)  # Student's t for 19 degrees of freedom, from a printed table
    low, high = binom.ppf([tail, 1 - tail], 20, 0.5) / 20
    assert mean_interval([1.0, 0.0] * 10) == pytest.approx((low, high))
    assert (low, high) == (0.25, 0.75)


def test_an_interval_of_many_smooth_differences_is_students():
    differences = np.random.default_rng(3).normal(0.1, 1, 400)
    half = t.isf(0.025, 399) * differences.std(ddof=1) / 20
    assert mean_interval(differences) == pytest.approx(
        (differences.mean() - half, differences.mean() + half), abs=0.006
    )


def test_an_interval_of_two_questions_reaches_from_one_to_the_other():
    assert mean_interval([0.0, 1.0]) == (0.0, 1.0)


def test_an_end_of_an_interval_that_is_zero_is_zero_whatever_the_last_digits():
    interval = mean_interval([1 / 3] * 3 + [-1 / 3] + [2 / 3] * 3 + [0.0] * 3)  # unrounded, it begins at 1e-17
    assert interval == (0.0, pytest.approx(0.5))


def test_equal_differences_are_an_interval_of_one_value():
    assert mean_interval([0.25] * 5) == (0.25, 0.25)
    assert mean_interval([0.0, 0.0]) == (0.0, 0.0)


def test_fewer_than_two_questions_have_no_interval():
    assert mean_interval([]) is None
    assert mean_interval([0.5]) is None


@given(some_differences, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_an_interval_holds_the_mean_and_the_narrower_one_in_any_order(
    differences: list[float], shuffler: random.Random
):
    wide, narrow = mean_interval(differences, 0.95), mean_interval(differences, 0.8)
    assert wide is not None
    assert narrow is not None
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]
    # a resample falls on either side of the mean far more often than the 2.5 % that are cut off
    assert wide[0] - 1e-12 <= np.mean(differences) <= wide[1] + 1e-12
    assert min(differences) - 1e-12 <= wide[0] <= wide[1] <= max(differences) + 1e-12
    shuffler.shuffle(differences)
    assert mean_interval(differences, 0.95) == wide


@given(some_differences)
@settings(max_examples=30, deadline=None)
def test_the_interval_of_the_opposite_is_the_opposite_but_for_the_sampling(differences: list[float]):
    there, back = mean_interval(differences), mean_interval([-value for value in differences])
    assert there is not None
    assert back is not None
    spread = np.std(differences) / math.sqrt(len(differences))
    assert (-back[1], -back[0]) == pytest.approx(there, abs=spread + 1e-12)


def test_of_six_questions_all_must_be_lost():
    assert detectable_share(6) == pytest.approx(0.8 ** (1 / 6))
    assert detectable_share(6, power=0.5) == pytest.approx(0.5 ** (1 / 6))


@pytest.mark.parametrize("questions", range(6))
def test_no_fall_of_fewer_than_six_questions_is_detectable(questions: int):
    assert detectable_share(questions) is None
    assert detectable_shift([0.0, 1.0, 0.5, 0.2, 0.9][:questions]) is None


@given(st.integers(6, 5_000), st.floats(0.05, 0.99))
@settings(max_examples=60, deadline=None)
def test_the_detectable_share_gives_six_losses_with_the_power_and_falls_with_more_questions(
    questions: int, power: float
):
    share, next_share = detectable_share(questions, power), detectable_share(questions + 1, power)
    assert share is not None
    assert next_share is not None
    assert 0 < next_share < share < 1
    assert binom.sf(5, questions, share) == pytest.approx(power)


def test_the_detectable_shift_is_the_two_quantiles_times_the_standard_error():
    assert detectable_shift([0.5, -0.5] * 50) == pytest.approx((1.959964 + 0.841621) * 0.5 * math.sqrt(100 / 99) / 10)
    assert detectable_shift([0.5, -0.5] * 50, power=0.9) == pytest.approx(3.241516 * 0.5 * math.sqrt(100 / 99) / 10)


def test_differences_without_spread_have_no_detectable_shift():
    assert detectable_shift([0.25] * 10) is None
    assert detectable_shift([0.1 + 0.2, 0.3] * 5) is None


def test_holm_multiplies_the_smallest_by_all_the_next_by_one_less_and_never_falls():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@pytest.mark.parametrize(("comparisons", "fewest"), [(1, 6), (2, 7), (3, 7), (5, 8), (12, 9)])
def test_the_fewest_changes_that_can_show_a_difference_grow_with_the_comparisons(comparisons: int, fewest: int):
    assert fewest_changes(comparisons) == fewest
    shown, hidden = (sign_flip_p([1.0] * flips, [0.0] * flips) for flips in (fewest, fewest - 1))
    rest = [1.0] * (comparisons - 1)
    assert holm([shown, *rest])[0] < SIGNIFICANT
    assert holm([hidden, *rest])[0] >= SIGNIFICANT
