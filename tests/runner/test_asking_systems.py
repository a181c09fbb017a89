"""How systems of others are asked: what they give is cleaned once for all kinds, and they can be asked no more."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from eval.component import component
from eval.metrics.measures import measure as means_of
from eval.records import Question, Unscored
from runner.records import Passage, Response
from tests.runner.tiny_run import Measured, by_id, tiny_runs

HERE = __name__
HALF = "\ud83c"


@component
class Sloppy:
    """Half characters, control characters and keys wherever text can be."""

    answers: bool = True

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:  # noqa: ARG002 – the Protocol's
        return (f"ready\x1b[2J {HALF}",)

    def review(self, responses: Sequence[Response | Unscored]) -> tuple[str, ...]:
        return (f"{len(responses)} reviewed\x07",)

    def respond(self, question: Question) -> Response | Unscored:
        if question.id == "q2":
            return Unscored(f"wrong key\nsk-test-1234567890abc {HALF}", "at postgres://user:hunter2@host")
        return Response((Passage("Parking costs\0five euro.", HALF, HALF, HALF),), f"Five euro. \x1b[2J{HALF}")


@component
class Answering:
    """Gives the same answer to all."""

    answer: str
    answers: bool = True

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:  # noqa: ARG002 – the Protocol's
        return ()

    def respond(self, question: Question) -> Response:  # noqa: ARG002 – the Protocol's
        return Response((Passage("Parking costs five euro.", "a"),), self.answer)


REASONS: list[str] = []
STOPPED = threading.Event()


@component
class Hanging:
    """Answers when it is stopped, and not before."""

    answers: bool = False
    fails: bool = False

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:  # noqa: ARG002 – the Protocol's
        STOPPED.clear()
        REASONS.clear()
        return ()

    def respond(self, question: Question) -> Response | Unscored:  # noqa: ARG002 – the Protocol's
        if self.fails:
            raise KeyboardInterrupt
        assert STOPPED.wait(60)
        return Unscored(REASONS[0])

    def stop(self, reason: str) -> None:
        REASONS.append(reason)
        STOPPED.set()


@pytest.fixture
def run(tmp_path: Path) -> Measured:
    return tiny_runs(tmp_path)


def system(name: str, **settings: Any) -> dict[str, Any]:
    return {"_target_": f"{HERE}.{name}", **settings}


def test_whatever_kind_of_system_it_is_its_text_is_fit_for_files_and_terminals(run: Measured):
    found = run(system=system("Sloppy"))
    (line,) = by_id(found, "q1").ranked
    assert (line.doc_id, line.chunk_id) == ("a", "\ufffd")
    assert by_id(found, "q1").material.endswith("Parking costs five euro.")
    assert by_id(found, "q1").answer == "Five euro.  [2J\ufffd"
    assert {"ready [2J \ufffd", "3 reviewed "} <= set(found.notes)
    assert by_id(found, "q2").unretrieved == Unscored("wrong key *** \ufffd", "at postgres://***@host")


@pytest.mark.parametrize("answer", ["", " \n", "\u200b", "\x00\x07"])
def test_a_blank_answer_is_unscored_and_retrieval_is_not(run: Measured, answer: str):
    means = means_of(run(system=system("Answering", answer=answer)).records)
    for name in ("faithfulness", "refusal_rate", "answer_relevancy"):
        assert set(means[name].unscored) == {"no answer: the system's answer is blank"}
        assert means[name].scored == 0
    assert means["recall"].scored == means["recall"].attempted > 0


def test_a_system_is_asked_no_more_when_the_deadline_of_the_run_is_over(run: Measured):
    found = run(system=system("Hanging"), deadline_s=0.1)
    assert means_of(found.records)["recall"].unscored == {"the run's deadline of 0.1 s is over": 2}
    assert REASONS == ["the run's deadline of 0.1 s is over", "the run is over"]


def test_a_system_is_stopped_when_the_run_is_interrupted(run: Measured):
    with pytest.raises(KeyboardInterrupt):
        run(system=system("Hanging", fails=True))
    assert REASONS == ["the run is over"]
