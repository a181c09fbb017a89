"""The stage that lost an answer is named, with the figures that say what to change."""

import numpy as np
import pytest

from eval.records import Chunk, Document, Loss, Question, QuestionRecord, RankedChunk, Ranking
from eval.report.losses import explain_miss
from runner.packing.budget import Policy, TokenBudget
from runner.stages.head import Head, lines_kept
from runner.stages.recording import Layout, record_question

WORD = "one"


def chunk(doc_id: str, number: int, tokens: int) -> Chunk:
    text = " ".join([WORD] * tokens)
    return Chunk(f"{doc_id}#{number}", doc_id, 0, len(text), text)


DOCUMENTS = [Document(name, WORD) for name in ("a", "b", "c", "blank")]
CHUNKS = [chunk("a", 0, 50), chunk("a", 1, 50), chunk("b", 0, 50), chunk("c", 0, 50), chunk("c", 1, 8)]


def record(
    kind: str, documents: tuple[str, ...], order: list[int], tokens: int = 110, policy: Policy = "stop"
) -> QuestionRecord:
    budget = TokenBudget(tokens=tokens, ladder=[50, 600], policy=policy)
    layout = Layout.of(DOCUMENTS, CHUNKS, budget.sizes(CHUNKS), budget.joint)
    ranking = Ranking(np.array(order, dtype=np.int32), np.linspace(1, 0.5, len(order)))
    question = Question("q", "?", kind, documents)  # type: ignore[arg-type]
    return record_question(question, ranking, budget.pack(ranking, CHUNKS, layout.sizes), layout, budget)


def test_one_of_the_listed_documents_is_enough_for_single():
    found = record("single", ("a", "c"), [0, 1, 2, 3])
    assert found.hit is True
    assert found.lost_at == ()
    assert found.tokens_to_hit == 50


def test_half_of_a_multi_question_is_a_miss_and_the_missing_half_is_named():
    found = record("multi", ("a", "c"), [0, 2, 1, 3])
    assert found.hit is False
    # four chunks of 50 and three separators of one token: 203, the budget is 110
    assert found.lost_at == (Loss("c", "budget", 4, 93),)
    assert found.missing_doc_ids == ("c",)
    assert found.tokens_to_hit == 203
    assert explain_miss(found) == "c: best chunk at rank 4, pushed out by the budget (93 tokens over)"
    assert found.budget_hits == {50: False, 110: False, 600: True}


def test_a_document_of_which_nothing_is_ranked_is_told_from_a_blank_one():
    found = record("multi", ("b", "blank"), [0, 1])
    assert found.lost_at == (Loss("b", "not_ranked"), Loss("blank", "not_indexed"))
    assert found.tokens_to_hit is None
    assert (found.reciprocal_rank, found.first_hit_rank) == (0.0, None)


def test_under_skip_the_tokens_over_are_those_that_would_truly_be_enough():
    # at 110: a#0 and b#0 (101); c#0 needs 50 and a separator more, and a#1 comes before it: 203 with stop
    found = record("multi", ("a", "c"), [0, 2, 1, 3], policy="skip")
    assert found.lost_at == (Loss("c", "budget", 4, 93),)
    small = record("multi", ("b", "c"), [2, 0, 1, 4], tokens=110, policy="skip")
    assert small.hit is True  # the chunk of ten tokens fits where one of fifty does not


def test_the_head_of_the_ranking_is_kept_with_scores_and_sizes():
    found = record("single", ("a",), [3, 0])
    assert [(line.doc_id, line.chunk_id, line.score, line.tokens) for line in found.ranked] == [
        ("c", "c#0", 1.0, 50),
        ("a", "a#0", 0.5, 50),
    ]
    assert found.ranked_total == 2


def test_a_chunk_that_was_cut_is_in_the_context_and_no_hit():
    found = record("single", ("b",), [2, 0], tokens=20)
    assert found.context[0].cut
    assert found.hit is False
    assert found.lost_at == (Loss("b", "cut", 1, 30),)
    assert found.tokens_to_hit == 50


def test_chunk_ndcg_is_below_document_ndcg_when_half_of_a_document_ranks_low():
    found = record("single", ("a",), [0, 2, 3, 1])
    assert found.ndcg_at_10 == pytest.approx((1 + 1 / np.log2(5)) / (1 + 1 / np.log2(3)))
    assert found.doc_ndcg_at_10 == 1.0
    assert found.reciprocal_rank == 1.0


def test_a_question_without_an_answer_has_no_retrieval_values():
    found = record("none", (), [0, 1])
    assert (found.hit, found.reciprocal_rank, found.ndcg_at_10, found.tokens_to_hit) == (None, None, None, None)
    assert found.context_tokens == 101


def kept(owners: list[int]) -> int:
    return lines_kept(np.array(owners, dtype=np.int32))


@pytest.mark.parametrize(
    ("owners", "lines"),
    [
        (list(range(300)), 20),
        ([1, 2, 3], 3),
        ([], 0),
        ([0] * 20 + list(range(1, 50)), 29),  # the tenth document stands at place 29
        ([*range(9), *[0] * 30, 9, 10], 40),
        ([*range(10), *[0] * 300], 20),
        ([*range(9), *[0] * 500], 200),
        ([0] * 120, 120),
    ],
)
def test_a_record_keeps_lines_until_ten_documents_stand_there(owners: list[int], lines: int):
    assert kept(owners) == lines


def test_a_head_is_equal_to_any_collection_of_its_lines():
    ranking = Ranking(np.array([3, 0, 2], dtype=np.int32), np.array([1.0, 0.5, 0.25]))
    head = Head(ranking, CHUNKS, np.array([50, 50, 51, 52, 8]), 2)
    lines = (RankedChunk("c", "c#0", 1.0, 52), RankedChunk("a", "a#0", 0.5, 50))
    assert head == lines
    assert head != lines[:1]
    assert len(head) == 2
    assert lines[1] in head
    assert RankedChunk("b", "b#0", 0.25, 51) not in head


def test_documents_ndcg_follows_from_the_lines_that_are_kept():
    budget = TokenBudget(tokens=110)
    documents = [Document(f"d{number}", WORD) for number in range(12)]
    chunks = [chunk(f"d{number}", part, 5) for number in range(12) for part in range(6)]  # six of each in a row
    layout = Layout.of(documents, chunks, budget.sizes(chunks), budget.joint)
    ranking = Ranking(np.arange(len(chunks), dtype=np.int32), np.linspace(1, 0.5, len(chunks)))
    question = Question("q", "?", "multi", ("d8", "d10"))
    found = record_question(question, ranking, budget.pack(ranking, chunks, layout.sizes), layout, budget)
    collapsed = list(dict.fromkeys(line.doc_id for line in found.ranked))
    assert collapsed == [f"d{number}" for number in range(10)]
    assert found.doc_ndcg_at_10 == pytest.approx((1 / np.log2(10)) / (1 + 1 / np.log2(3)))
