"""The gate's rule at its boundary."""

import pytest

from eval.gate import delta, regressed


def test_a_fall_of_exactly_the_tolerance_passes_for_every_pair_of_two_decimals():
    hundredths = [step / 100 for step in range(101)]
    assert not any(regressed(hundredths[step], hundredths[step - 1]) for step in range(1, 101))
    assert all(regressed(hundredths[step], hundredths[step - 2]) for step in range(2, 101))


def test_a_fall_of_a_little_more_than_the_tolerance_fails():
    assert regressed(0.87, 0.8599)
    assert not regressed(0.87, 0.86)
    assert delta(0.87, 0.86) == -0.01


@pytest.mark.parametrize(("baseline", "current"), [(0.5, 0.5), (0.5, 0.9), (0.0, 0.0)])
def test_equal_and_better_values_pass(baseline: float, current: float):
    assert not regressed(baseline, current)


def test_a_wider_tolerance_lets_more_through():
    assert not regressed(0.9, 0.85, tolerance=0.05)
    assert regressed(0.9, 0.8499, tolerance=0.05)
