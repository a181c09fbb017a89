"""The paired test, against values computed by hand."""

import numpy as np
import pytest

from eval.statistics import SIGNIFICANT, fewest_changes, holm, sign_flip_p


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
    from scipy.stats import norm

    assert p == pytest.approx(2 * norm.sf(z), abs=0.02)


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
