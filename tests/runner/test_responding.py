"""Somebody else's system in the place of our parts: what is counted, what is judged, what is told."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from eval.chat.messages import Call
from eval.component import component
from eval.metrics.measures import measure as means_of
from eval.records import Question, Unscored
from eval.report.build import build_report
from eval.report.markdown import render_markdown
from runner.records import Passage, Response
from tests.runner.tiny_run import Measured, by_id, tiny_runs

HERE = __name__
CALL = Call("deployed", 100, 10, 0.25, 40.0)
LONG = "Leave is thirty days. " * 40


@component
class Answering:
    """Answers the first question, fails at the second, and says nothing to the third."""

    answers: bool = True

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:
        return (f"ready for {len(questions)} questions",)

    def respond(self, question: Question) -> Response | Unscored:
        if question.id == "q2":
            return Unscored("server error 500 after 3 tries", calls=(CALL,))
        if question.id == "q3":
            return Response((), "I do not know." if self.answers else None, (CALL,))
        passages = (
            Passage("Cinema tickets are sold at the gate."),
            Passage(LONG, id="kb-7"),
            Passage("Parking costs five euro.", title="Prices"),
            Passage(None, doc_id="a_2"),
        )
        return Response(passages, "Parking costs five euro." if self.answers else None, (CALL,))


@pytest.fixture
def run(tmp_path: Path) -> Measured:
    return tiny_runs(tmp_path)


def system(**settings: object) -> dict[str, object]:
    return {"_target_": f"{HERE}.Answering", **settings}


def test_passages_are_ranked_as_given_and_those_of_no_document_keep_their_rank(run: Measured):
    found = by_id(run(system=system()), "q1")
    assert [line.doc_id for line in found.ranked] == ["", "", "a", "a_2"]
    assert found.reciprocal_rank == pytest.approx(1 / 3)
    assert found.ndcg_at_10 == pytest.approx(0.5)  # 1 / log2(4) over the ideal 1
    assert found.doc_ndcg_at_10 == pytest.approx(0.5)  # two passages of no document are two documents


@component
class ShowingMore:
    """Finds one passage of the right document for the first question, and three more of it for the others."""

    answers: bool = False
    others: bool = True

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:  # noqa: ARG002 – the Protocol's
        return ()

    def respond(self, question: Question) -> Response:
        if question.id == "q1":
            return Response((Passage("Parking costs five euro.", "a"), Passage("five euro", "a")))
        return Response(tuple(Passage(text, "a") for text in ("Parking", "costs", "euro")) if self.others else ())


def test_a_question_s_values_do_not_hang_on_what_was_found_for_others(run: Measured):
    alone, beside = (run(system={"_target_": f"{HERE}.ShowingMore", "others": more}) for more in (False, True))
    for found in (alone, beside):
        asked = by_id(found, "q1")
        assert (asked.ndcg_at_10, asked.doc_ndcg_at_10) == (1.0, 1.0)  # the second passage of "a" counts for nothing


def test_recall_counts_what_fits_the_budget_and_the_judge_sees_all_that_the_system_used(run: Measured):
    found = run(system=system())
    asked = by_id(found, "q1")
    assert asked.hit is False  # the long passage alone is above 100 tokens
    assert asked.context_tokens <= 100
    assert "Parking costs five euro." in asked.material
    assert LONG in asked.material
    assert any("gave more than the budget of 100 tokens" in note for note in found.notes)
    larger = run(system=system(), budget__tokens=1000)
    assert by_id(larger, "q1").hit is True
    assert not any("more than the budget" in note for note in larger.notes)


def test_what_could_not_be_mapped_is_counted_and_shown(run: Measured):
    notes = "\n".join(run(system=system()).notes)
    assert "ready for 3 questions" in notes
    assert "mapped to no document" in notes
    assert "Cinema tickets" in notes


def test_its_answers_are_judged_and_its_failure_is_in_every_ledger(run: Measured):
    found = run(system=system())
    assert by_id(found, "q1").answer == "Parking costs five euro."
    means = means_of(found.records)
    assert means["recall"].unscored == {"server error 500 after 3 tries": 1}
    assert means["faithfulness"].unscored == {"no answer: server error 500 after 3 tries": 1}
    assert (means["faithfulness"].attempted, means["faithfulness"].scored) == (3, 2)
    assert by_id(found, "q3").answer == "I do not know."
    bills = build_report(found, "r").data["bills"]
    assert [(each["stage"], each["calls"], each["usd_paid"]) for each in bills["models"]] == [("respond", 3, 0.75)]


def test_one_that_only_finds_passages_is_answered_for_by_the_generator(run: Measured):
    found = run(system=system(answers=False), budget__tokens=1000)
    assert by_id(found, "q1").answer == "Parking costs five euro. Parking is free."  # the generator copies sentences
    assert by_id(found, "q3").answer == "The documents do not answer this question."
    assert "generator" in found.config


def test_parts_that_take_no_part_are_in_no_record(run: Measured):
    found = run(system=system())
    assert not {"chunker", "retriever", "query", "reranker", "generator"} & set(found.config)
    page = render_markdown(found, build_report(found, "r"))
    assert "of which the system gave 4 passages" in page
    assert run(system=system(), chunker__size=10).fingerprints == found.fingerprints


def test_a_budget_is_swept_without_asking_again_but_a_failure_is_asked_again(run: Measured):
    run(system=system())
    again = run(system=system(), budget__tokens=1000)
    assert {times.stage: times.reused for times in again.times}["respond"] is False  # q2 had failed


def test_without_a_judge_s_tier_only_retrieval_is_measured(run: Measured):
    found = run(system=system(), tier__name="retrieval")
    assert by_id(found, "q1").answer is None
    assert by_id(found, "q1").material == ""
    assert "faithfulness" not in means_of(found.records)
