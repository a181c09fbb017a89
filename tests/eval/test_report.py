"""The report: an object for programs without NaN, seven sections for people, and checks that can fail."""

import dataclasses
import json
import re
from typing import Any

import pytest

from eval.records import (
    Chunk,
    Dataset,
    Document,
    Judgement,
    Loss,
    PackedChunk,
    ProbeResult,
    Question,
    QuestionRecord,
    RunRecord,
    StageTimes,
    Statement,
    Unscored,
)
from eval.report.bills import latency
from eval.report.build import build_report
from eval.report.losses import explain_loss
from eval.report.markdown import render_markdown
from eval.report.tables import table

SUPPORTED = Judgement(refused=False, statements=(Statement("Yes.", "supported"),), relevancy=0.5)
INVENTED = Judgement(refused=False, statements=(Statement("It costs | 9.", "unsupported", "number 9"),), relevancy=0.2)
CHUNK = PackedChunk(Chunk("a#0", "a", 0, 1, "x"), 1, 30)


def record(number: int, kind: str, *, hit: bool = True, **values: Any) -> QuestionRecord:
    documents = {"single": ("a",), "multi": ("a", "b"), "none": ()}[kind]
    question = Question(f"q{number}", f"What is {number}?", kind, documents)  # type: ignore[arg-type]
    found: dict[str, Any] = {"ranked": (), "ranked_total": 4, "context": (CHUNK,), "context_tokens": 30}
    if kind != "none":
        found |= {"hit": hit, "first_hit_rank": 1, "reciprocal_rank": 1.0, "ndcg_at_10": 0.5, "doc_ndcg_at_10": 0.9}
        found |= {"budget_hits": {30: hit, 90: True}, "tokens_to_hit": 30 if hit else 80}
    return QuestionRecord(question, **(found | {"answer": "Yes.", "judgement": SUPPORTED} | values))


def records() -> list[QuestionRecord]:
    singles = [record(number, "single") for number in range(12)]
    lost = (Loss("b", "budget", 3, 50),)
    multis = [record(20, "multi"), record(21, "multi"), record(22, "multi", hit=False, lost_at=lost)]
    return [*singles, *multis, *(record(30 + number, "none") for number in range(5))]


def a_run(found: list[QuestionRecord], **changes: Any) -> RunRecord:
    run = RunRecord(
        name="a-run",
        dataset=Dataset("tiny", (Document("a", "x"), Document("b", "y")), tuple(item.question for item in found)),
        records=found,
        tier="full",
        config={"budget": {"tokens": 40, "policy": "stop"}},
        budget_tokens=40,
        fingerprints={"corpus": "c", "golden_set": "g", "counter": "o200k_base", "config": "f"},
        times=(StageTimes("rank", (1.0, 3.0, 2.0)),),
        counts={"documents": 2, "chunks": 4, "chunk_tokens": 100, "context_tokens": 600},
        probes=(ProbeResult("fabrication (en)", 0.1, "faithfulness below 0.7", passed=True),),
    )
    return dataclasses.replace(run, **changes)


def marks(run: RunRecord) -> list[bool | None]:
    return [check.passed for check in build_report(run, "id").checks]


def test_the_object_has_the_agreed_keys_and_is_strict_json():
    report = build_report(a_run(records()), "id-1")
    assert set(report.data) >= {
        *("run", "config", "fingerprints", "metrics", "bills", "questions", "recall_by_budget"),
        *("probes", "agreement", "gate", "acceptance"),
    }
    json.dumps(report.data, allow_nan=False)
    assert (
        report.data["run"] | {"id": "id-1", "name": "a-run", "status": "FINISHED", "complete": True}
        == report.data["run"]
    )
    assert report.data["metrics"]["recall"] == {"value": 14 / 15, "attempted": 15, "scored": 15, "unscored": {}}
    assert report.data["recall_by_budget"] == {"30": 14 / 15, "90": 1.0}


def test_a_question_without_a_value_is_null_and_its_reason_is_kept():
    report = build_report(a_run([record(1, "single", judgement=Unscored("timeout"))]), "id")
    question = report.data["questions"][0]
    assert question["values"]["faithfulness"] is None
    assert question["judgement"] == {"unscored": "timeout", "raw": ""}
    assert report.data["metrics"]["faithfulness"]["value"] is None
    assert report.data["run"]["complete"] is False
    assert "timeout" in report.data["run"]["incomplete_because"]


def test_markdown_has_seven_sections_in_order():
    run = a_run(records())
    text = render_markdown(run, build_report(run, "id"))
    titles = re.findall(r"^## \d\. (.*)$", text, re.MULTILINE)
    assert titles == [
        *("Golden set", "Retrieval", "Generation", "Judge probes"),
        *("Agreement with human labels", "Gate", "Acceptance"),
    ]
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_each_question_that_should_be_refused_is_shown_with_what_became_of_it():
    refused = Judgement(refused=True, statements=(), relevancy=0.0)
    run = a_run([record(1, "none", answer="No | idea.", judgement=refused), record(2, "none", answer="word " * 100)])
    text = render_markdown(run, build_report(run, "id"))
    assert "| q1 | What is 1? | ✅ | No \\| idea. |" in text
    assert f"| q2 | What is 2? | ❌ | {'word ' * 24}… |" in text


def test_the_three_bills_stand_at_the_top():
    run = a_run(records())
    text = render_markdown(run, build_report(run, "id"))
    bills = (
        "Bills: 30 context tokens per question; 0.00 USD; milliseconds per question (median / 95th percentile / most): "
    )
    assert bills + "rank 2.00 / 2.90 / 3.00." in text


def test_a_miss_names_the_document_the_rank_and_the_tokens_that_were_missing():
    run = a_run(records())
    text = render_markdown(run, build_report(run, "id"))
    assert "| q22 | multi | 1 | ❌ | 30 | 80 | b |" in text
    assert "- q22 “What is 22?” – b: best chunk at rank 3, pushed out by the budget (50 tokens over)" in text
    assert "| recall | 0.933 | 1.000 |" in text


def test_unsupported_sentences_are_quoted_verbatim_with_the_reason():
    run = a_run([record(1, "single", judgement=INVENTED)])
    text = render_markdown(run, build_report(run, "id"))
    assert "- q1: “It costs | 9.” (number 9)" in text


def test_supported_sentences_are_not_quoted_and_hits_are_marked():
    run = a_run(records())
    text = render_markdown(run, build_report(run, "id"))
    assert "No unsupported sentence." in text
    assert "“Yes.”" not in text
    assert "| q0 | single | 1 | ✅ | 30 | 30 |  |" in text


def test_a_long_golden_set_is_shown_by_its_misses():
    found = [record(number, "single", hit=number % 10 != 0) for number in range(100)]
    run = a_run(found)
    text = render_markdown(run, build_report(run, "id"))
    assert len(re.findall(r"^\| q\d+ \|", text, re.MULTILINE)) == 10
    assert "10 of 10 misses are listed" in text


def test_cells_cannot_break_a_table():
    assert table(["a"], [["x | y\nz"]]).splitlines() == ["| a |", "| --- |", "| x \\| y z |"]


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        (Loss("d", "not_indexed"), "d: blank document, no chunk"),
        (Loss("d", "not_ranked"), "d: no chunk of it ranked"),
        (Loss("d", "cut", 1, 30), "d: best chunk at rank 1, cut by the budget (30 tokens over)"),
    ],
)
def test_every_way_to_lose_an_answer_has_its_words(loss: Loss, said: str):
    assert explain_loss(loss) == said


def test_latency_is_median_95th_percentile_and_maximum_in_milliseconds():
    found = latency(StageTimes("rank", tuple(float(value) for value in range(1, 102))))
    assert (found["p50"], found["p95"], found["max"], found["calls"]) == (51.0, 96.0, 101.0, 101)


def test_all_seven_checks_pass_on_a_sound_run():
    assert marks(a_run(records())) == [True] * 7


def test_each_check_can_fail():
    sound = records()
    assert marks(a_run(sound[:18]))[0] is False  # two none questions are too few
    assert marks(a_run([item for item in sound if item.question.type != "multi"]))[1] is False
    same = [dataclasses.replace(item, ndcg_at_10=1.0) if item.question.answerable else item for item in records()]
    hits = [dataclasses.replace(item, hit=True) if item.question.answerable else item for item in same]
    assert marks(a_run(hits))[2] is False
    failed = [dataclasses.replace(sound[0], judgement=Unscored("timeout")), *sound[1:]]
    assert marks(a_run(failed))[3] is False
    assert marks(a_run(failed, max_unscored=0.5))[3] is True
    assert marks(a_run([dataclasses.replace(sound[0], context_tokens=41), *sound[1:]]))[4] is False
    fooled = (ProbeResult("fabrication (zh)", 0.7, "", passed=False),)
    assert marks(a_run(sound, probes=fooled))[5] is False
    lost = [dataclasses.replace(item, hit=False) if item.question.answerable else item for item in sound]
    assert marks(a_run(lost))[6] is False  # nothing is left that could fall


def test_missing_scores_within_the_limit_are_counted_and_not_hidden():
    found = records()
    failed = [dataclasses.replace(found[0], judgement=Unscored("timeout")), *found[1:]]
    check = build_report(a_run(failed, max_unscored=0.5), "id").checks[3]
    # faithfulness, faithfulness_answered, answer_relevancy and false_refusal_rate each lack one
    assert (check.passed, check.detail) == (True, "4 scores are missing, within the limit")


def test_a_probe_without_a_score_is_no_pass():
    silent = (
        ProbeResult("fabrication (en)", None, "", passed=False),
        ProbeResult("fabrication (zh)", 0.0, "", passed=True),
    )
    run = a_run(records(), probes=silent)
    check = build_report(run, "id").checks[5]
    assert (check.passed, check.detail) == (False, "1 of 2 probes got no score")
    assert "| fabrication (en) | – |" in render_markdown(run, build_report(run, "id"))


def test_the_judge_is_held_to_its_worst_fabrication():
    probes = (
        ProbeResult("fabrication (en)", 0.1, "", passed=True),
        ProbeResult("fabrication (zh)", 0.9, "", passed=False),
    )
    assert marks(a_run(records(), probes=probes))[5] is False


def test_a_miss_that_a_smaller_budget_would_have_hit_says_so():
    run = a_run([record(1, "single", hit=False, tokens_to_hit=20)])
    assert "| q1 | single | 1 | ❌ | 30 | 20, lost again above |" in render_markdown(run, build_report(run, "id"))


def test_a_long_list_of_lost_documents_is_shortened():
    lost = tuple(Loss(f"d{number}", "not_ranked") for number in range(8))
    run = a_run([record(1, "multi", hit=False, lost_at=lost)])
    text = render_markdown(run, build_report(run, "id"))
    assert "| d0, d1, d2, d3, d4 … |" in text
    assert "d4: no chunk of it ranked; 3 more documents" in text
    assert "d5" not in text


def test_without_a_judge_the_check_of_the_judge_is_not_measured_instead_of_failed():
    assert marks(a_run(records(), probes=()))[5] is None
