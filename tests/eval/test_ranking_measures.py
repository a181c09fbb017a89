"""Measures of one ranking, against values computed by hand."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.metrics.ranking import first_appearances, first_rank, ndcg, reciprocal_rank
from eval.records import Chunk
from runner.retrievers.bm25 import Bm25Retriever


def relevant(*places: int, length: int = 5) -> np.ndarray:
    marks = np.zeros(length, dtype=bool)
    marks[[place - 1 for place in places]] = True
    return marks


def documents(*names: str) -> np.ndarray:
    return np.array([ord(name) for name in names], dtype=np.int32)


def is_one_of(ranking: np.ndarray, *gold: str) -> np.ndarray:
    return np.isin(ranking, documents(*gold))


def test_only_the_first_of_several_answer_documents_counts_for_the_reciprocal_rank():
    assert reciprocal_rank(relevant(2, 4)) == 0.5
    assert first_rank(relevant(2, 4)) == 2


def test_a_hit_at_rank_one_scores_one_and_no_hit_zero():
    assert reciprocal_rank(relevant(1)) == 1.0
    assert reciprocal_rank(relevant()) == 0.0
    assert reciprocal_rank(relevant(length=0)) == 0.0
    assert first_rank(relevant()) is None


def test_the_reciprocal_rank_looks_below_any_cutoff():
    assert reciprocal_rank(relevant(200, length=300)) == 1 / 200


@pytest.mark.parametrize(("rank", "value"), [(1, 1.0), (2, 0.6309), (3, 0.5), (10, 0.2891)])
def test_the_discount_is_one_over_the_binary_logarithm_of_rank_plus_one(rank: int, value: float):
    assert ndcg(relevant(rank, length=10), possible=1) == pytest.approx(value, abs=5e-5)


def test_the_ideal_counts_all_that_could_be_found_and_not_only_what_was():
    assert ndcg(relevant(1, length=2), possible=2, cutoff=2) == pytest.approx(0.6131, abs=5e-5)


def test_the_ideal_ends_at_the_cutoff():
    assert ndcg(relevant(1, 2, length=2), possible=3, cutoff=2) == 1.0


def test_a_ranking_shorter_than_the_cutoff_is_no_fault():
    assert ndcg(relevant(1, length=1), possible=1) == 1.0


def test_a_hit_below_the_cutoff_counts_nothing():
    assert ndcg(relevant(11, length=20), possible=1) == 0.0


def test_nothing_retrieved_and_nothing_to_find_are_zero():
    assert ndcg(relevant(length=0), possible=1) == 0.0
    assert ndcg(relevant(length=3), possible=0) == 0.0


def test_two_chunks_of_one_document_never_score_above_one():
    assert ndcg(is_one_of(documents("A", "A"), "A"), possible=2) == 1.0
    collapsed = first_appearances(documents("A", "A"))
    assert ndcg(is_one_of(collapsed, "A"), possible=1) == 1.0


def test_repeats_of_one_document_do_not_stand_in_for_another():
    collapsed = first_appearances(documents("a", "a", "a"))
    assert ndcg(is_one_of(collapsed, "a", "b"), possible=2) == pytest.approx(0.6131, abs=5e-5)


def test_documents_collapse_to_their_first_appearance_in_rank_order():
    assert first_appearances(documents("b", "a", "b", "c", "a")).tolist() == documents("b", "a", "c").tolist()


@given(st.lists(st.integers(0, 5), max_size=80), st.integers(1, 6))
def test_the_first_few_documents_are_those_at_the_head_of_all(names: list[int], at_most: int):
    ranking = np.array(names, dtype=np.int32)
    assert first_appearances(ranking, at_most).tolist() == first_appearances(ranking).tolist()[:at_most]


@given(marks=st.lists(st.booleans(), max_size=40), hidden=st.integers(0, 10), cutoff=st.integers(1, 20))
def test_ndcg_lies_within_zero_and_one_and_moving_a_hit_up_never_lowers_it(marks: list[bool], hidden: int, cutoff: int):
    ranking = np.array(marks, dtype=bool)
    possible = int(ranking.sum()) + hidden
    value = ndcg(ranking, possible, cutoff)
    assert 0.0 <= value <= 1.0 + 1e-12
    best_first = np.sort(ranking)[::-1]
    assert ndcg(best_first, possible, cutoff) >= value - 1e-12


@given(marks=st.lists(st.booleans(), max_size=40))
def test_the_reciprocal_rank_is_the_inverse_of_the_first_rank(marks: list[bool]):
    rank = first_rank(np.array(marks, dtype=bool))
    expected = 1 / (marks.index(True) + 1) if any(marks) else 0.0
    assert reciprocal_rank(np.array(marks, dtype=bool)) == expected
    assert (rank is None) == (not any(marks))


@settings(max_examples=50)
@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(0, 5))
def test_measures_equal_the_reference_evaluator_on_any_ranking(marks: list[bool], hidden: int):
    judged = {"q": {f"d{place}": int(mark) for place, mark in enumerate(marks)} | {f"h{n}": 1 for n in range(hidden)}}
    ranked = {"q": {f"d{place}": float(-place) for place in range(len(marks))}}
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10", "recip_rank"}).evaluate(ranked)["q"]
    ranking = np.array(marks, dtype=bool)
    assert ndcg(ranking, sum(marks) + hidden) == pytest.approx(theirs["ndcg_cut_10"], abs=1e-9)
    assert reciprocal_rank(ranking) == pytest.approx(theirs["recip_rank"], abs=1e-9)


def test_an_ideal_longer_than_the_ranking_is_still_the_ideal():
    # one of three documents found, at rank 1 of 1: the ideal has all three
    assert ndcg(relevant(1, length=1), possible=3) == pytest.approx(1 / (1 + 0.63093 + 0.5), abs=1e-5)


def test_measures_equal_the_reference_evaluator_on_cranfield(shared_data: Path):
    folder = shared_data / "retrieval" / "cranfield"
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").split("\n") if line]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").split("\n") if line]
    judged: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").split("\n")[1:]:
        if line:
            query, document, _ = line.split("\t")
            judged.setdefault(query, {})[document] = 1  # binary gain
    index = Bm25Retriever().build([Chunk(row["_id"], row["_id"], 0, len(row["text"]), row["text"]) for row in rows])
    ours, ranked = {}, {}
    for query in queries:
        ids = [rows[place]["_id"] for place in index.rank(query["text"]).positions]
        # The evaluator sorts by score and breaks ties by id: give it scores that leave no tie.
        ranked[query["_id"]] = {document: float(-place) for place, document in enumerate(ids)}
        marks = np.array([document in judged[query["_id"]] for document in ids], dtype=bool)
        ours[query["_id"]] = (ndcg(marks, len(judged[query["_id"]])), reciprocal_rank(marks))
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10", "recip_rank"}).evaluate(ranked)
    assert len(theirs) == len(ours) == 225
    for query, (our_ndcg, our_rank) in ours.items():
        assert math.isclose(our_ndcg, theirs[query]["ndcg_cut_10"], abs_tol=1e-9)
        assert math.isclose(our_rank, theirs[query]["recip_rank"], abs_tol=1e-9)
