"""The best of many scores, against a stable sort of all of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from runner.retrievers.order import best_first


def sorted_all(scores: NDArray[np.float64], depth: int | None, above: float) -> list[int]:
    places = sorted(range(len(scores)), key=lambda place: -scores[place])  # stable
    return [place for place in places if scores[place] > above][:depth]


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 1000),
    size=st.sampled_from([0, 1, 9, 999, 1999, 2000, 4001, 9000]),
    values=st.sampled_from([1, 2, 30, 10**6]),
    depth=st.sampled_from([1, 3, 10, 500, 1000, 5000, None]),
    above=st.sampled_from([-np.inf, 0.0]),
)
def test_they_are_those_of_a_stable_sort(seed: int, size: int, values: int, depth: int | None, above: float) -> None:
    scores = np.random.default_rng(seed).integers(-1, values, size) / values
    assert best_first(scores, depth, above).tolist() == sorted_all(scores, depth, above)


@pytest.mark.parametrize("step", [1, -1])
def test_scores_that_rise_or_fall_along_the_corpus_are_put_in_order(step: int) -> None:
    scores = np.arange(5000, dtype=np.float32)[::step]
    best = best_first(scores, 10)
    assert scores[best].tolist() == list(range(4999, 4989, -1))


def test_neighbours_that_are_all_good_are_all_found() -> None:
    scores = np.zeros(100_000)
    scores[70_000:70_100] = 1.0
    assert best_first(scores, 50).tolist() == list(range(70_000, 70_050))


def test_nothing_at_or_below_the_bound_fills_the_places_that_are_left() -> None:
    scores = np.zeros(10_000)
    scores[[7, 5]] = [1.0, 2.0]
    assert best_first(scores, 100, above=0.0).tolist() == [5, 7]
