"""Means over questions: who is in the denominator, and what the ledger says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics.mean import Mean, mean_of
from eval.metrics.measures import GATED, METRICS, incomplete_because, measure, recall_by_budget
from eval.records import Judgement, Question, QuestionRecord, QuestionType, Statement, Unscored

SUPPORTED, UNSUPPORTED, UNDECIDABLE = (
    Statement("s", "supported"),
    Statement("u", "unsupported"),
    Statement("?", "undecidable"),
)
REFUSAL = Judgement(refused=True, statements=(), relevancy=0.0)


def record(kind: QuestionType = "single", **values: object) -> QuestionRecord:
    documents = {"single": ("d1",), "multi": ("d1", "d2"), "none": ()}[kind]
    question = Question(f"q{id(values)}", "what?", kind, documents)
    defaults: dict[str, object] = {"ranked": (), "ranked_total": 0, "context": (), "context_tokens": 0}
    if kind != "none":
        defaults |= {"hit": False, "reciprocal_rank": 0.0, "ndcg_at_10": 0.0, "doc_ndcg_at_10": 0.0}
    return QuestionRecord(question, **(defaults | values))  # type: ignore[arg-type]


def judged(*statements: Statement, relevancy: float = 0.5) -> Judgement:
    return Judgement(refused=False, statements=statements, relevancy=relevancy)


def test_recall_is_the_share_of_answerable_questions_that_hit_by_type():
    means = measure([record(hit=True), record(hit=True), record(hit=False), record("multi", hit=False), record("none")])
    assert means["recall"].value == 0.5
    assert means["recall_single"].value == pytest.approx(2 / 3)
    assert means["recall_multi"].value == 0.0
    assert means["recall"].attempted == 4


def test_a_question_without_results_counts_as_zero_and_stays_in_the_mean():
    means = measure([record(ndcg_at_10=1.0, reciprocal_rank=1.0, hit=True), record()])
    assert means["ndcg_at_10"].value == 0.5
    assert means["ndcg_at_10"].scored == 2


def test_a_question_without_an_answer_is_outside_of_every_retrieval_measure():
    means = measure([record("none"), record(hit=True, reciprocal_rank=1.0)])
    assert means["mrr"].value == 1.0
    assert means["mrr"].attempted == 1


def test_no_question_that_a_measure_applies_to_gives_no_value():
    assert measure([record("none")])["recall"] == Mean(None, 0, 0, {})


def test_faithfulness_is_supported_over_decidable_statements():
    assert judged(SUPPORTED, SUPPORTED, UNSUPPORTED, UNDECIDABLE).faithfulness == pytest.approx(2 / 3)


def test_no_decidable_statement_scores_zero_and_a_refusal_one():
    assert judged(UNDECIDABLE).faithfulness == 0.0
    assert judged().faithfulness == 0.0
    assert REFUSAL.faithfulness == 1.0


def test_refusals_count_for_faithfulness_and_not_for_faithfulness_of_what_was_answered():
    means = measure([record(judgement=REFUSAL), record(judgement=judged(UNSUPPORTED))])
    assert means["faithfulness"].value == 0.5
    assert means["faithfulness_answered"].value == 0.0
    assert means["faithfulness_answered"].attempted == 1


def test_refusal_rates_are_kept_apart_by_whether_an_answer_exists():
    records = [record("none", judgement=REFUSAL), record("none", judgement=judged(SUPPORTED))]
    records += [record(judgement=REFUSAL), *(record(judgement=judged(SUPPORTED)) for _ in range(3))]
    means = measure(records)
    assert means["refusal_rate"].value == 0.5
    assert means["false_refusal_rate"].value == 0.25


def test_a_refusal_answers_nothing_and_only_answerable_questions_count_for_relevancy():
    eager = Judgement(refused=True, statements=(), relevancy=0.9)  # a judge that found the refusal relevant
    records = [record(judgement=judged(SUPPORTED, relevancy=0.8)), record(judgement=eager)]
    means = measure([*records, record("none", judgement=judged(SUPPORTED, relevancy=0.9))])
    assert means["answer_relevancy"].value == 0.4
    assert means["answer_relevancy"].attempted == 2


def test_a_failed_judgement_is_neither_zero_nor_absent():
    means = measure([record(judgement=judged(SUPPORTED)), record(judgement=Unscored("timeout"))])
    assert means["faithfulness"] == Mean(1.0, 2, 1, {"timeout": 1})
    assert incomplete_because(means, 0.0) == "faithfulness is unscored for 1 of 2 questions (timeout: 1)"
    assert incomplete_because(means, 0.5) is None


def test_all_judgements_failed_leaves_no_value():
    assert measure([record(judgement=Unscored("down"))])["faithfulness"] == Mean(None, 1, 0, {"down": 1})


def test_without_a_judge_there_are_no_answer_measures():
    assert set(measure([record(hit=True)])) == {metric.name for metric in METRICS if metric.group == "retrieval"}


def test_five_measures_are_gated_under_their_plain_names():
    assert [metric.name for metric in GATED] == ["recall", "mrr", "ndcg_at_10", "faithfulness", "refusal_rate"]
    assert len({metric.name for metric in METRICS}) == len(METRICS)
    assert [metric.name for metric in METRICS if not metric.higher_is_better] == ["false_refusal_rate"]


def test_recall_by_budget_counts_answerable_questions_at_each_budget():
    records = [record(budget_hits={100: False, 600: True}), record(budget_hits={600: True, 100: True}), record("none")]
    assert recall_by_budget(records) == {100: 0.5, 600: 1.0}
    assert recall_by_budget([record("none")]) == {}


values = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([Unscored("a"), Unscored("b")]))


@given(st.lists(values, max_size=30), st.randoms(use_true_random=False))
def test_a_mean_is_bounded_its_ledger_adds_up_and_order_changes_nothing(found: list, shuffler):
    mean = mean_of(found)
    assert mean.attempted == mean.scored + sum(mean.unscored.values()) == sum(value is not None for value in found)
    assert mean.value is None if mean.scored == 0 else 0.0 <= mean.value <= 1.0
    shuffled = list(found)
    shuffler.shuffle(shuffled)
    assert mean_of(shuffled) == mean
