"""What a run cost, summed by hand: by model, by question, paid and cached, and projected."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.chat.messages import Call
from eval.records import (
    Dataset,
    Judgement,
    ProbeResult,
    Question,
    QuestionRecord,
    RunRecord,
    StageTimes,
    Unscored,
    Use,
)
from eval.report.bills import Bill, bills, month_line

ANSWER = Call("small", 100, 20, 0.25, 300.0)
CACHED = replace(ANSWER, usd=0.5, cached=True)
JUDGE = Call("large", 200, 40, 1.0, 500.0)


def a_record(number: int, answered: tuple[Call, ...], judged: Judgement | Unscored | None) -> QuestionRecord:
    question = Question(f"q{number}", f"What is {number}?", "none")
    return QuestionRecord(question, (), 0, (), 10, answer_calls=answered, judgement=judged)


def a_run(*records: QuestionRecord, times: tuple[StageTimes, ...] = ()) -> RunRecord:
    data = Dataset("tiny", (), tuple(record.question for record in records))
    counts = {"documents": 0, "chunks": 0, "chunk_tokens": 0, "context_tokens": 10 * len(records)}
    return RunRecord("a-run", data, records, "full", {}, 600, {}, times, counts)


def judgement(*calls: Call) -> Judgement:
    return Judgement(refused=False, statements=(), relevancy=1.0, calls=calls)


def two_questions() -> RunRecord:
    return a_run(a_record(1, (ANSWER,), judgement(JUDGE)), a_record(2, (CACHED,), Unscored("no JSON", calls=(JUDGE,))))


def test_tokens_and_money_are_summed_paid_and_cached_apart_failures_included():
    found = bills(two_questions())
    assert found["tokens"] == {"context": 20, "input": 600, "output": 120, "paid": 600, "cached": 120}
    assert {key: found["usd"][key] for key in ("paid", "cached", "unpriced_calls")} == {
        "paid": 2.25,
        "cached": 0.5,
        "unpriced_calls": 0,
    }


def test_each_question_has_its_own_bill_and_its_own_times():
    times = (StageTimes("answer", (1.0, 2.0)), StageTimes("load", (9.0,)))
    found = bills(replace(two_questions(), times=times))["questions"]
    assert found["q1"]["usd_paid"] == 1.25
    assert found["q2"]["usd_cached"] == 0.5
    assert found["q2"]["latency_ms"] == {"answer": 2.0}


def test_models_are_listed_by_stage_with_the_latency_that_the_model_had():
    answer, judge = bills(two_questions())["models"]
    assert (answer["stage"], answer["model"], answer["calls"], answer["cached_calls"]) == ("answer", "small", 2, 1)
    assert judge["latency_ms"] == {"p50": 500.0, "p95": 500.0, "max": 500.0}


def test_calls_of_a_stage_that_an_earlier_run_paid_for_are_cached():
    times = (StageTimes("answer", (1.0, 2.0), reused=True),)
    found = bills(replace(two_questions(), times=times))
    assert found["usd"]["paid"] == 2.0
    assert found["usd"]["cached"] == 0.75


def test_the_probes_are_billed_and_belong_to_no_question():
    probe = ProbeResult("fabrication (en)", 0.0, "below 0.7", passed=True, calls=(JUDGE,))
    found = bills(replace(a_run(a_record(1, (), None)), probes=(probe,)))
    assert found["usd"]["paid"] == 1.0
    assert found["questions"]["q1"]["usd_paid"] == 0.0
    assert [each["stage"] for each in found["models"]] == ["probe"]


def test_a_model_without_a_price_is_counted_and_in_no_sum():
    found = bills(a_run(a_record(1, (replace(ANSWER, usd=None), ANSWER), None)))
    assert (found["usd"]["paid"], found["usd"]["unpriced_calls"], found["usd"]["month"]) == (0.25, 1, None)


@pytest.mark.parametrize(
    ("use", "usd"),
    # a question costs (0.25 + 0.5 + 1 + 1) / 2 = 1.375, cached or not
    [(Use(), 1.375 * 2 * 30), (Use(questions=100, runs_per_day=4), 1.375 * 100 * 4 * 30)],
)
def test_a_month_is_projected_from_the_mean_cost_of_a_question_as_if_nothing_were_cached(use: Use, usd: float):
    run = replace(two_questions(), use=use)
    assert bills(run)["usd"]["month"] == usd
    assert f"{usd:.2f} USD" in month_line(usd, run)


def test_without_models_nothing_is_billed_and_every_sum_is_zero():
    found = bills(a_run(a_record(1, (), None)))
    assert (found["models"], found["usd"]["paid"], found["usd"]["month"]) == ([], 0.0, 0.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30), st.randoms(use_true_random=False))
def test_no_order_of_calls_changes_a_bill(drawn: list[tuple[float, bool]], shuffled: object):
    calls = [replace(ANSWER, usd=usd, cached=cached) for usd, cached in drawn]
    other = list(calls)
    shuffled.shuffle(other)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert Bill.of(calls) == Bill.of(other)
