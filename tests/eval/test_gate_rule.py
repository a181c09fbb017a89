"""The gate's rule at its boundary, by itself and through a whole comparison."""

import math
from itertools import product
from typing import Any

import pytest

from eval.gate.compare import compare
from eval.gate.rule import delta, regressed
from eval.gate.rules import Gate

HUNDREDTHS = [step / 100 for step in range(101)]
RULES = Gate()


def test_a_fall_of_exactly_the_tolerance_passes_for_every_pair_of_two_decimals():
    assert not any(regressed(HUNDREDTHS[step], HUNDREDTHS[step - 1]) for step in range(1, 101))
    assert all(regressed(HUNDREDTHS[step], HUNDREDTHS[step - 2]) for step in range(2, 101))


def test_so_it_is_for_every_tolerance_of_two_decimals():
    for allowed, before in product(range(100), range(101)):
        tolerance = allowed / 100
        if allowed <= before:
            assert not regressed(HUNDREDTHS[before], HUNDREDTHS[before - allowed], tolerance)
        if allowed + 1 <= before:
            assert regressed(HUNDREDTHS[before], HUNDREDTHS[before - allowed - 1], tolerance)


def test_every_pair_of_two_decimal_means_is_judged_right_through_a_comparison(reports: Any):
    sides = [reports.results([reports.question("q", recall=value)], tier="retrieval") for value in HUNDREDTHS]
    for before, now in product(range(101), repeat=2):
        verdict = compare(sides[before], sides[now], RULES, against={})
        recall = verdict.findings[0]
        assert recall.delta == (now - before) / 100
        expected = "regressed" if before - now > 1 else "passed"
        assert (verdict.verdict, recall.state) == (expected, expected)


def test_one_lost_question_of_a_hundred_passes_and_two_do_not(reports: Any):
    def side(hits: int) -> Any:
        asked = [reports.question(f"q{number}", recall=float(number < hits)) for number in range(100)]
        return reports.results(asked, tier="retrieval")

    sides = [side(hits) for hits in range(101)]
    for hits in range(2, 101):
        assert compare(sides[hits], sides[hits - 1], RULES, against={}).verdict == "passed"
        assert compare(sides[hits], sides[hits - 2], RULES, against={}).verdict == "regressed"


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


@pytest.mark.parametrize(("baseline", "current"), [(math.nan, 0.9), (0.9, math.nan), (math.inf, math.inf)])
def test_what_cannot_be_subtracted_counts_as_a_fall(baseline: float, current: float):
    assert regressed(baseline, current)


def test_no_change_has_no_sign():
    assert str(delta(0.50001, 0.5)) == "0.0"
