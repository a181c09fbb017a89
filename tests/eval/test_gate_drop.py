"""The copied run from whose rankings answers were taken really lost them, and the last check says what became of it."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.gate.rules import Gate
from eval.metrics.measures import measure
from eval.records import (
    Chunk,
    Dataset,
    Document,
    Judgement,
    PackedChunk,
    ProbeResult,
    Question,
    QuestionRecord,
    RankedChunk,
    RunRecord,
    StageTimes,
    Statement,
    Unscored,
)
from eval.report.acceptance import Check
from eval.report.build import build_report
from eval.report.drop import lowered, without_answers

SUPPORTED = Judgement(refused=False, statements=(Statement("Yes.", "supported"),), relevancy=0.5)
REFUSED = Judgement(refused=True, statements=(), relevancy=0.0)


def packed(doc_id: str, rank: int) -> PackedChunk:
    return PackedChunk(Chunk(f"{doc_id}#0", doc_id, 0, 1, "x"), rank, 20)


def record(number: int, kind: str = "single", *, hit: bool = True, **values: Any) -> QuestionRecord:
    """A question whose answers stand at rank 2 (and 3) behind another document, in the context if it is a hit."""
    answers = {"single": ("a",), "multi": ("a", "b"), "none": ()}[kind]
    question = Question(f"q{number}", f"What is {number}?", kind, answers)  # type: ignore[arg-type]
    names = ["x", *answers, "y"]
    found: dict[str, Any] = {
        "ranked": tuple(RankedChunk(name, f"{name}#0", 5.0 - rank, 20) for rank, name in enumerate(names)),
        "ranked_total": len(names) + 10,
        "context": tuple(packed(name, rank) for rank, name in enumerate(names if hit else ["x"], 1)),
        "context_tokens": 20 * len(names if hit else ["x"]),
        "judgement": SUPPORTED if answers else REFUSED,
        "answer": "Yes.",
    }
    if answers:
        found |= {"hit": hit, "first_hit_rank": 2, "reciprocal_rank": 0.5, "ndcg_at_10": 0.6, "doc_ndcg_at_10": 0.7}
        found |= {"budget_hits": {30: False, 90: True}, "tokens_to_hit": 60}
    return QuestionRecord(question, **(found | values))


def a_run(records: list[QuestionRecord], **changes: Any) -> RunRecord:
    return RunRecord(
        **{
            "name": "a-run",
            "dataset": Dataset(
                "tiny", tuple(Document(name, name) for name in "abxy"), tuple(item.question for item in records)
            ),
            "records": records,
            "tier": "full",
            "config": {"budget": {"tokens": 90, "policy": "stop"}},
            "budget_tokens": 90,
            "fingerprints": {"corpus": "c", "golden_set": "g", "counter": "o200k", "judge": "lexical", "config": "f"},
            "times": (StageTimes("rank", (1.0, 2.0)),),
            "counts": {"documents": 4, "chunks": 4, "chunk_tokens": 80, "context_tokens": 600},
            "probes": (ProbeResult("fabrication (en)", 0.1, "faithfulness below 0.7", passed=True),),
            **changes,
        }
    )


def twenty() -> list[QuestionRecord]:
    """14 single, of which two are misses, 3 multi, 3 none: recall is 15 of 17."""
    singles = [record(number, hit=number > 1) for number in range(14)]
    return [*singles, *(record(number, "multi") for number in (14, 15, 16)), *(record(n, "none") for n in (17, 18, 19))]


def last_check(run: RunRecord, rules: Gate | None = None) -> Check:
    return build_report(run, "id", rules).checks[-1]


def recall(run: RunRecord) -> float:
    value = measure(run.records)["recall"].value
    assert value is not None
    return value


def test_the_copy_lost_its_answers_from_ranking_and_context():
    run = a_run(twenty())
    worse = lowered(run, 0.15)
    assert worse is not None
    # 0.15 of 17 questions are 2.55, so three hits are taken: the first three
    taken = [after for before, after in zip(run.records, worse.records, strict=True) if before != after]
    assert [item.question.id for item in taken] == ["q2", "q3", "q4"]
    for item in taken:
        assert [chunk.doc_id for chunk in item.ranked] == ["x", "y"]
        assert [chunk.chunk.doc_id for chunk in item.context] == ["x", "y"]
        assert (item.hit, item.first_hit_rank, item.reciprocal_rank, item.ndcg_at_10) == (False, None, 0.0, 0.0)
        assert (item.context_tokens, item.ranked_total, item.tokens_to_hit) == (40, 12, None)
        assert item.missing_doc_ids == ("a",)
    assert recall(run) - recall(worse) == pytest.approx(3 / 17)


def test_the_run_itself_is_left_as_it_was():
    run = a_run(twenty())
    lowered(run, 0.15)
    assert run == a_run(twenty())


def test_a_multi_question_loses_all_of_its_answers():
    item = without_answers(record(1, "multi"))
    assert (item.hit, [chunk.doc_id for chunk in item.ranked], item.missing_doc_ids) == (False, ["x", "y"], ("a", "b"))


@given(
    hits=st.lists(st.tuples(st.sampled_from(["single", "multi", "none"]), st.booleans()), max_size=40),
    percent=st.integers(1, 100),
)
def test_recall_falls_by_at_least_the_share_or_by_all_that_there_is(hits: list[tuple[str, bool]], percent: int):
    run = a_run([record(number, kind, hit=hit) for number, (kind, hit) in enumerate(hits)])
    worse = lowered(run, percent / 100)
    found = sum(kind != "none" and hit for kind, hit in hits)
    if not found:
        assert worse is None
        return
    assert worse is not None
    answerable = sum(kind != "none" for kind, _ in hits)
    lost = sum(bool(before.hit) - bool(after.hit) for before, after in zip(run.records, worse.records, strict=True))
    assert lost == min(found, math.ceil(percent * answerable / 100))
    assert recall(run) - recall(worse) == pytest.approx(lost / answerable)


def test_the_fall_is_blocked_and_the_exit_code_shown():
    check = last_check(a_run(twenty()))
    assert check == Check(
        "recall lowered by 15 points is blocked",
        True,
        "0.882 → 0.706 under gate=enforce: regressed, exit code 1",
    )


@pytest.mark.parametrize("mode", ["report", "off", "enforce"])
def test_the_check_is_about_the_rule_and_not_about_the_mode(mode: Any):
    assert last_check(a_run(twenty()), Gate(mode=mode)).passed is True


def test_a_gate_that_lets_the_fall_through_fails_the_check():
    check = last_check(a_run(twenty()), Gate(tolerance=0.5))
    assert (check.passed, check.detail) == (False, "0.882 → 0.706 under gate=enforce: passed, exit code 0")


def test_of_a_run_that_cannot_be_judged_nothing_is_said():
    unjudged = [record(0, judgement=Unscored("timeout")), *twenty()[1:]]
    check = last_check(a_run(unjudged))
    assert (check.passed, check.detail.endswith("not_judged, exit code 3")) == (None, True)


def test_a_run_in_the_retrieval_tier_is_checked_too():
    plain = [
        record(int(item.question.id[1:]), item.question.type, hit=bool(item.hit), judgement=None, answer=None)
        for item in twenty()
    ]
    assert last_check(a_run(plain, tier="retrieval", probes=())).passed is True


def test_without_a_hit_there_is_nothing_to_take_and_the_check_fails():
    check = last_check(a_run([record(number, hit=False) for number in range(5)]))
    assert (check.passed, check.detail) == (False, "no question is a hit, so there is no recall to lose")
