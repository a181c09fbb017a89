"""What a run would cost, in words and numbers."""

from dataclasses import replace

from eval.chat.messages import Call
from eval.records import Dataset, Question, QuestionRecord, RunRecord
from eval.report.estimate import estimate, total

CALL = Call("small", 100, 20, 0.25, 0.0)
KEPT = replace(CALL, usd=0.5, cached=True)


def a_run(*calls: Call) -> RunRecord:
    records = [
        QuestionRecord(Question(f"q{place}", "?", "none"), (), 0, (), 10, answer_calls=(call,))
        for place, call in enumerate(calls)
    ]
    counts = {"documents": 0, "chunks": 0, "chunk_tokens": 0, "context_tokens": 0}
    return RunRecord("a-run", Dataset("tiny", (), ()), records, "full", {}, 600, {}, (), counts)


def test_what_is_cached_costs_nothing_more():
    found = estimate(a_run(CALL, KEPT, CALL), 3.0)
    assert (found.calls, found.tokens, found.usd, found.most_usd) == (2, 240, 0.5, 3.0)
    assert found.total == "2 calls to pay for, 240 tokens, 0.5000 USD expected, 3.0000 at most"
    assert "| answer: small | 3 | 1 | 300 | 60 | 0.5000 |" in found.page


def test_a_model_without_a_price_is_named_as_such():
    found = estimate(a_run(CALL, replace(CALL, usd=None)), 1.0)
    assert found.total.endswith("without 1 calls whose price is not known")
    assert "| answer: small | 2 | 0 | 200 | 40 | unknown |" in found.page


def test_without_models_there_is_nothing_to_pay():
    found = estimate(a_run(), 0.0)
    assert (found.calls, found.usd) == (0, 0.0)
    assert "No model is asked." in found.page


def test_several_runs_cost_the_sum():
    one = estimate(a_run(CALL), 1.0)
    other = estimate(a_run(CALL, CALL), 2.0)
    assert total([one, other]) == "3 calls to pay for, 360 tokens, 0.7500 USD expected, 3.0000 at most"
