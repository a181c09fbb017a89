"""A corpus, an instrument or a setting that is another one: told, marked, or no longer comparable."""

from typing import Any

import pytest

from eval.gate.compare import compare
from eval.gate.pairing import Changes
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import Verdict
from eval.report.verdict_json import verdict_data

FIVE = ("recall", "mrr", "ndcg_at_10", "faithfulness", "refusal_rate")


def judge(before: Any, now: Any, **rules: Any) -> Verdict:
    return compare(before, now, Gate(**rules), against={})


def states(verdict: Verdict) -> dict[str, str]:
    return {finding.metric: finding.state for finding in verdict.findings if finding.gated}


def test_documents_added_removed_and_edited_are_listed_and_touched_questions_marked(reports: Any):
    asked = [reports.question("q1"), reports.question("q2"), reports.question("n", "none")]
    before = reports.results(asked, texts={"doc-old": "Goes away"})
    now = reports.results(asked, texts={"doc-new": "Comes", "doc-q2": "Another text now"})
    verdict = judge(before, now)
    assert verdict.pairing is not None
    assert verdict.pairing.documents == Changes(("doc-new",), ("doc-old",), ("doc-q2",))
    assert [pair.documents_changed for pair in verdict.pairing.pairs] == [False, True, False]
    assert verdict.notes == (
        "corpus: 1 added (doc-new); 1 removed (doc-old); 1 edited (doc-q2)",
        "questions whose answer documents changed (marked *): q2",
    )
    assert verdict_data(verdict)["corpus"] == {
        "added": ["doc-new"],
        "removed": ["doc-old"],
        "edited": ["doc-q2"],
        "touched_questions": ["q2"],
    }
    assert verdict.verdict == "passed"


def test_a_multi_question_is_touched_when_one_of_its_documents_is(reports: Any):
    asked = [reports.question(f"m{number}", "multi") for number in range(3)]
    verdict = judge(reports.results(asked), reports.results(asked, texts={"doc-m1": "Edited"}))
    assert verdict.pairing is not None
    assert [pair.documents_changed for pair in verdict.pairing.pairs] == [False, True, False]


def test_a_corpus_that_was_replaced_as_a_whole_is_incomparable(reports: Any):
    asked = [reports.question("q1"), reports.question("n", "none")]
    others = {"doc-q1": "Other", "doc-other": "Other, too"}
    verdict = judge(reports.results(asked), reports.results(asked, texts=others))
    assert states(verdict) == dict.fromkeys(FIVE, "incomparable")
    assert verdict.because.startswith("recall: no document of the corpus is the same; ")
    assert verdict.exit_code(enforce=True) == 3


def test_where_most_answer_documents_were_edited_retrieval_is_incomparable_and_refusals_are_not(reports: Any):
    asked = [*(reports.question(f"q{number}") for number in range(4)), reports.question("n", "none")]
    edited = {f"doc-q{number}": "Edited" for number in range(3)}
    verdict = judge(reports.results(asked), reports.results(asked, texts=edited))
    assert states(verdict) == dict.fromkeys(FIVE, "incomparable") | {"refusal_rate": "passed"}
    assert "recall: the answer documents of 3 of 4 shared questions changed" in verdict.because


def test_reports_that_do_not_say_what_corpus_they_had_are_compared_by_their_documents(reports: Any):
    asked = [reports.question("q1"), reports.question("q2")]
    before, now = reports.report(asked), reports.report(asked, texts={"doc-q2": "Edited"})
    for side in (before, now):
        del side["fingerprints"]["corpus"]
    verdict = judge(*(Results.of(side, "a report") for side in (before, now)))
    assert verdict.notes[0] == "corpus: 1 edited (doc-q2)"


@pytest.mark.parametrize("instrument", ["judge", "prompt"])
def test_with_another_judge_or_prompt_answers_are_incomparable_and_retrieval_is_not(reports: Any, instrument: str):
    asked = reports.twenty()
    verdict = judge(reports.results(asked), reports.results(asked, prints={instrument: "another"}))
    told = {"judge": "judge", "prompt": "judge's prompt"}[instrument]
    assert states(verdict) == dict.fromkeys(FIVE[:3], "passed") | dict.fromkeys(FIVE[3:], "incomparable")
    assert verdict.because == "; ".join(f"{name}: another {told} than the baseline's" for name in FIVE[3:])
    assert verdict.exit_code(enforce=True) == 3


def test_with_another_counter_recall_and_answers_are_incomparable_and_ranks_are_not(reports: Any):
    asked = reports.twenty()
    now = reports.results(asked, prints={"counter": "cl100k_base"})
    verdict = judge(reports.results(asked), now, watched=["recall_single", "recall_multi", "doc_ndcg_at_10"])
    found = {finding.metric: finding.state for finding in verdict.findings}
    for name in ("recall", "recall_single", "recall_multi", "faithfulness", "refusal_rate"):
        assert found[name] == "incomparable"
    for name in ("mrr", "ndcg_at_10", "doc_ndcg_at_10"):
        assert found[name] == "passed"
    assert "token counter: o200k_base → cl100k_base" in verdict.notes
    assert verdict.exit_code(enforce=True) == 3


def test_all_instruments_that_changed_are_told(reports: Any):
    asked = reports.twenty()
    now = reports.results(asked, prints={"counter": "cl100k_base", "judge": "llm", "prompt": "2"})
    told = "another token counter and another judge and another judge's prompt than the baseline's"
    assert judge(reports.results(asked), now).findings[3].because == told


def test_an_instrument_that_neither_run_names_is_not_the_same_one(reports: Any):
    before, now = (reports.report(reports.twenty()) for _ in range(2))
    for side in (before, now):
        del side["fingerprints"]["judge"]
    verdict = judge(*(Results.of(side, "a report") for side in (before, now)))
    assert states(verdict) == dict.fromkeys(FIVE[:3], "passed") | dict.fromkeys(FIVE[3:], "incomparable")
    assert "faithfulness: neither run says which judge it had" in verdict.because


def test_another_budget_is_what_is_being_tested_and_stands_in_the_notes(reports: Any):
    asked = reports.twenty()
    verdict = judge(reports.results(asked), reports.results(asked, config={"budget": {"tokens": 300}}))
    assert states(verdict) == dict.fromkeys(FIVE, "passed")
    assert verdict.notes == ("configuration: budget.tokens 600 → 300",)


def test_settings_are_told_with_parts_by_their_names(reports: Any):
    before = {"chunker": {"_target_": "runner.chunkers.sentence.Sentence", "size": 200}, "max_unscored": 0.0}
    now = {"chunker": {"_target_": "runner.chunkers.fixed.Fixed", "size": 200, "overlap": 20}, "max_unscored": 0.5}
    asked = reports.twenty()
    verdict = judge(reports.results(asked, config=before), reports.results(asked, config=now))
    assert verdict.notes == (
        "configuration: chunker Sentence → Fixed, chunker.overlap none → 20, max_unscored 0.0 → 0.5",
    )


@pytest.mark.parametrize("text", ["Answer in one word.\nDo not guess.", "word " * 100])
def test_a_long_setting_is_named_and_not_shown(reports: Any, text: str):
    asked = reports.twenty()
    now = reports.results(asked, config={"generator": {"prompt": text}})
    assert judge(reports.results(asked), now).notes == ("configuration: generator.prompt is another text",)


def test_another_version_of_the_scale_is_told(reports: Any):
    asked = reports.twenty()
    verdict = judge(reports.results(asked), reports.results(asked, prints={"code": "newer"}))
    assert verdict.notes == ("evalfirst itself: its code is not the same",)
