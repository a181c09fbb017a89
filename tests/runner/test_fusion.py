"""Fused rankings on small lists whose scores are known by hand, and what holds for all of them."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.records import Ranking
from runner.retrievers.fusion import head, min_max, reciprocal_rank_fusion, weighted_fusion


def ranking(*positions: int, scores: Sequence[float] | None = None) -> Ranking:
    falling = scores if scores is not None else [float(len(positions) - place) for place in range(len(positions))]
    return Ranking(np.array(positions, dtype=np.int32), np.array(falling, dtype=np.float64))


def pairs(fused: Ranking) -> list[tuple[int, float]]:
    return [(int(place), float(score)) for place, score in zip(fused.positions, fused.scores, strict=True)]


def test_ranks_count_from_one_and_a_list_without_the_chunk_gives_no_credit():
    x, a, y, b, c = range(5)
    fused = reciprocal_rank_fusion([ranking(x, a, y), ranking(b, c, y)], [1, 1])
    assert fused.positions.tolist() == [y, x, b, a, c]
    np.testing.assert_allclose(fused.scores, [2 / 63, 1 / 61, 1 / 61, 1 / 62, 1 / 62], rtol=1e-15)
    assert [round(score, 5) for score in fused.scores[:3].tolist()] == [0.03175, 0.01639, 0.01639]


def test_what_two_lists_hold_goes_before_what_one_holds_first():
    long, short = 0, 1
    fused = reciprocal_rank_fusion([ranking(long, short), ranking(short)], [1, 1])
    assert fused.positions.tolist() == [short, long]
    assert [round(score, 5) for score in fused.scores.tolist()] == [0.03252, 0.01639]


def test_rank_fusion_counts_weights_and_its_constant():
    fused = reciprocal_rank_fusion([ranking(0, 1), ranking(1)], [2, 1], k=0)
    assert pairs(fused) == [(0, 2.0), (1, 2.0)]
    assert pairs(reciprocal_rank_fusion([ranking(3)], [1], k=1)) == [(3, 0.5)]


def test_weighted_fusion_adds_normalised_scores_and_zero_for_an_absent_chunk():
    lexical = ranking(4, 2, 7, scores=[10.0, 6.0, 2.0])  # 1, 0.5, 0
    vector = ranking(2, 9, 4, scores=[0.75, 0.5, 0.25])  # 1, 0.5, 0
    fused = weighted_fusion([lexical, vector], [0.25, 0.75])
    assert pairs(fused) == [(2, 0.875), (9, 0.375), (4, 0.25), (7, 0.0)]


@pytest.mark.parametrize("scores", [[5.0], [0.0], [-2.0], [3.0, 3.0, 3.0]])
def test_a_single_score_and_equal_scores_are_all_the_best(scores: list[float]):
    assert min_max(np.array(scores)).tolist() == [1.0] * len(scores)


def test_normalised_scores_reach_from_one_to_zero_whatever_their_sign():
    assert min_max(np.array([3.0, 0.0, -1.0])).tolist() == [1.0, 0.25, 0.0]
    assert min_max(np.array([])).tolist() == []


def test_equal_sums_stand_in_corpus_order_and_the_depth_ends_a_ranking():
    lists = [ranking(9, 3), ranking(3, 9), ranking(5, 1)]
    assert reciprocal_rank_fusion(lists, [1, 1, 1], depth=3).positions.tolist() == [3, 9, 5]  # two, two, one
    assert pairs(weighted_fusion(lists, [1, 1, 1], depth=3)) == [(3, 1.0), (5, 1.0), (9, 1.0)]


def test_nothing_found_by_any_gives_an_empty_ranking():
    for fused in (reciprocal_rank_fusion([ranking(), ranking()], [1, 1]), weighted_fusion([ranking()], [1])):
        assert fused.positions.tolist() == fused.scores.tolist() == []
        assert (fused.positions.dtype, fused.scores.dtype) == (np.int32, np.float64)
    assert pairs(reciprocal_rank_fusion([ranking(), ranking(2)], [1, 1])) == [(2, 1 / 61)]


def test_a_head_is_a_ranking_up_to_its_depth():
    assert head(ranking(4, 2, 7), 2).positions.tolist() == [4, 2]
    assert head(ranking(4, 2, 7), None).scores.tolist() == [3.0, 2.0, 1.0]


def test_weights_and_rankings_must_be_as_many():
    with pytest.raises(ValueError, match="argument"):
        reciprocal_rank_fusion([ranking(1)], [1, 1])
    with pytest.raises(ValueError, match="argument"):
        weighted_fusion([ranking(1)], [1, 1])


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    positions = draw(st.lists(st.integers(0, 15), unique=True, max_size=10))
    scores = draw(st.lists(st.integers(-5, 20), min_size=len(positions), max_size=len(positions)))
    falling = sorted(scores, reverse=True)
    order = sorted(range(len(positions)), key=lambda place: (-falling[place], positions[place]))
    return ranking(*(positions[place] for place in order), scores=[float(falling[place]) for place in order])


several = st.lists(rankings(), min_size=2, max_size=3)
parts = st.lists(st.integers(1, 9), min_size=3, max_size=3)


def both(lists: Sequence[Ranking], weights: Sequence[float], depth: int | None = None) -> tuple[Ranking, Ranking]:
    shares = [weight / sum(weights) for weight in weights]
    return reciprocal_rank_fusion(lists, shares, depth=depth), weighted_fusion(lists, shares, depth)


@given(lists=several, weights=parts)
def test_a_fused_ranking_is_a_ranking_of_all_that_was_found(lists: list[Ranking], weights: list[int]):
    found = {int(place) for each in lists for place in each.positions}
    for fused in both(lists, weights[: len(lists)]):
        assert sorted(fused.positions.tolist()) == sorted(found)
        keys = [(-score, place) for place, score in pairs(fused)]
        assert keys == sorted(keys)


@given(lists=several, weights=parts)
def test_scores_stay_within_their_bounds(lists: list[Ranking], weights: list[int]):
    by_rank, by_score = both(lists, weights[: len(lists)])
    assert ((by_rank.scores > 0) & (by_rank.scores <= 1 / 61 + 1e-15)).all()
    assert ((by_score.scores >= 0) & (by_score.scores <= 1 + 1e-12)).all()


@given(lists=several, weights=parts)
def test_the_order_of_the_lists_changes_no_score(lists: list[Ranking], weights: list[int]):
    weighted = list(zip(lists, weights, strict=False))
    expected = [dict(pairs(fused)) for fused in both(lists, weights[: len(lists)])]
    for order in permutations(weighted):
        for fused, before in zip(both([each for each, _ in order], [w for _, w in order]), expected, strict=True):
            assert dict(pairs(fused)) == pytest.approx(before, abs=1e-15)


@given(lists=several, weights=parts, depth=st.integers(1, 12))
def test_a_shorter_fused_ranking_is_the_head_of_the_longer_one(lists: list[Ranking], weights: list[int], depth: int):
    whole, cut = both(lists, weights[: len(lists)]), both(lists, weights[: len(lists)], depth)
    assert [pairs(each)[:depth] for each in whole] == [pairs(each) for each in cut]


@given(lists=several, weights=parts, data=st.data())
def test_a_chunk_that_rises_in_one_list_never_falls_in_the_fused_one(
    lists: list[Ranking], weights: list[int], data: st.DataObject
):
    if len(lists[0].positions) < 2:
        return
    place = data.draw(st.integers(1, len(lists[0].positions) - 1))
    risen, order = int(lists[0].positions[place]), lists[0].positions.tolist()
    order[place - 1], order[place] = order[place], order[place - 1]
    better = [ranking(*order, scores=lists[0].scores.tolist()), *lists[1:]]
    for before, after in zip(both(lists, weights[: len(lists)]), both(better, weights[: len(lists)]), strict=True):
        assert after.positions.tolist().index(risen) <= before.positions.tolist().index(risen)


@given(lists=st.lists(rankings(), min_size=1, max_size=1))
def test_a_ranking_fused_with_nothing_keeps_its_order(lists: list[Ranking]):
    by_rank, by_score = both(lists, [1])
    assert by_rank.positions.tolist() == by_score.positions.tolist() == lists[0].positions.tolist()
