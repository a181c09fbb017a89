"""Answers as traces in a real tracking database, and the labels that people give them there."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlflow
import pytest
from mlflow import MlflowClient
from mlflow.entities import AssessmentSource, Trace

from eval.labels.items import hash_of
from eval.labels.sample import sample
from runner.labelling.source import find_source
from runner.labelling.taking_over import take_over
from runner.relog import relog
from runner.tracking.address import locate
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.traces import Feedback, feedback_of, log_traces
from runner.tracking.tracker import Logged
from tests.runner.commands import python
from tests.runner.labels_runs import answered_run, log_answered
from tests.runner.measured import log_measured

ADA = AssessmentSource("HUMAN", "ada")


def client(root: Path) -> MlflowClient:
    return MlflowClient(locate(None, root).uri)


def traces(root: Path, logged: Logged) -> list[Trace]:
    """The traces of a run, the first question first, as the UI lists them."""
    return list(client(root).search_traces(locations=[logged.experiment_id], run_id=logged.run_id, max_results=500))


def say(trace: Trace, value: Any, why: str = "", name: str = "unsupported", **how: Any) -> None:
    """What the UI sends when a person gives feedback."""
    given = {"source": ADA, "rationale": why or None, **how}
    mlflow.log_feedback(trace_id=trace.info.trace_id, name=name, value=value, **given)


@pytest.fixture
def logged(root: Path, monkeypatch: pytest.MonkeyPatch) -> Logged:
    """A run with traces."""
    monkeypatch.setenv("MLFLOW_TRACKING_URI", locate(None, root).uri)
    return log_answered(root.parent, found=range(6), traces=True)


def hash_for(number: int) -> str:
    return hash_of(f"What is {number}?", f"The number {number}.", f"It is {number}.")


def test_a_run_has_a_trace_for_each_answer_when_asked_for_and_none_by_default(root: Path) -> None:
    with_them = log_answered(root.parent, name="a", traces=True)
    without = log_answered(root.parent, name="b")
    assert (len(traces(root, with_them)), len(traces(root, without))) == (20, 0)


def test_a_trace_shows_question_material_and_answer_and_not_what_the_judge_made_of_it(
    root: Path, logged: Logged
) -> None:
    first = traces(root, logged)[0]
    question, retrieve, answer = first.data.spans
    shown = {"question_id": "q00", "question": "What is 0?", "material": "The number 0."}
    assert (question.name, question.inputs, question.outputs) == ("question", shown, {"answer": "It is 0."})
    assert [(span.name, span.parent_id) for span in (retrieve, answer)] == [
        ("retrieve", question.span_id),
        ("answer", question.span_id),
    ]
    assert (first.info.request_preview, first.info.response_preview) == ("What is 0?", "It is 0.")
    tags = {name: value for name, value in first.info.tags.items() if name.startswith("evalfirst.")}
    assert tags == {
        "evalfirst.run": logged.run_id,
        "evalfirst.question": "q00",
        "evalfirst.answer_hash": hash_for(0),
    }
    whole = json.dumps([span.to_dict() for span in first.data.spans])
    assert "not there" not in whole
    assert [trace.info.tags["evalfirst.question"] for trace in traces(root, logged)][:3] == ["q00", "q01", "q02"]


def test_logging_again_doubles_no_trace(root: Path, logged: Logged) -> None:
    folder = root / "runs" / "a"
    assert MlflowTracking(root=root, traces=True).log_run(folder) == logged
    assert relog(root, None) == 0
    assert len(traces(root, logged)) == 20
    asked = find_source(str(folder), MlflowTracking(root=root)).answers.asked
    with MlflowTracking(root=root).opened():
        log_traces(client(root), logged.experiment_id, logged.run_id, asked, 0)
    assert len(traces(root, logged)) == 20


def test_an_attempt_that_was_interrupted_leaves_no_traces_and_relog_makes_them(root: Path, logged: Logged) -> None:
    note = root / "runs" / "a" / "tracking.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "state": "started", "run_id": ""}))
    assert relog(root, None) == 0
    again = json.loads(note.read_text())
    assert again["run_id"] != logged.run_id
    everything = client(root).search_traces(locations=[logged.experiment_id], max_results=500, include_spans=False)
    assert {trace.info.tags["evalfirst.run"] for trace in everything} == {again["run_id"]}
    assert len(everything) == 20


def test_an_answer_of_any_script_and_length_is_a_trace(root: Path) -> None:
    run = answered_run(traces=True)
    long = "年假每年十天。" * 5000
    records = [*run.records]
    records[0] = replace(records[0], answer=long, material='{"a": 1} \x1b[2J \u0000')
    tracking = MlflowTracking(root=root, traces=True)
    logged = log_measured(tracking, replace(run, records=records), root / "runs" / "a")
    first = traces(root, logged)[0]
    assert first.data.spans[0].outputs == {"answer": long}
    assert first.data.spans[0].inputs["material"] == '{"a": 1} \x1b[2J \u0000'


def test_what_people_say_is_read_and_the_newest_counts(root: Path, logged: Logged) -> None:
    found = traces(root, logged)
    say(found[0], True, "the 0 is new")
    say(found[1], "No")
    say(found[2], True)
    say(found[2], False, "looked again")
    say(found[3], "maybe")
    say(found[4], True, name="relevant")
    say(found[5], True, source=AssessmentSource("LLM_JUDGE", "judge"))
    say(found[6], "yes", name=" Unsupported")
    assert feedback_of(client(root), logged.experiment_id, logged.run_id) == {
        ("q00", hash_for(0)): Feedback("yes", "True", "the 0 is new", "ada"),
        ("q01", hash_for(1)): Feedback("no", "No", "", "ada"),
        ("q02", hash_for(2)): Feedback("no", "False", "looked again", "ada"),
        ("q03", hash_for(3)): Feedback(None, "maybe", "", "ada"),
        ("q06", hash_for(6)): Feedback("yes", "yes", "", "ada"),
    }


def test_two_people_who_say_the_opposite_give_no_label_and_two_who_agree_do(root: Path, logged: Logged) -> None:
    found = traces(root, logged)
    say(found[0], True)
    say(found[0], False, source=AssessmentSource("HUMAN", "bob"))
    say(found[1], 1)
    say(found[1], "yes", "so it is", source=AssessmentSource("HUMAN", "bob"))
    assert feedback_of(client(root), logged.experiment_id, logged.run_id) == {
        ("q00", hash_for(0)): Feedback(None, "True, False", "", "ada, bob"),
        ("q01", hash_for(1)): Feedback("yes", "yes", "so it is", "bob"),
    }


def test_feedback_that_was_replaced_or_taken_back_does_not_count(root: Path, logged: Logged) -> None:
    first, second, *_ = traces(root, logged)
    kept = mlflow.log_feedback(trace_id=first.info.trace_id, name="unsupported", value=True, source=ADA)
    mlflow.override_feedback(
        trace_id=first.info.trace_id, assessment_id=kept.assessment_id, value=False, source=ADA, rationale="no"
    )
    gone = mlflow.log_feedback(trace_id=second.info.trace_id, name="unsupported", value=True, source=ADA)
    mlflow.delete_assessment(second.info.trace_id, gone.assessment_id)
    assert feedback_of(client(root), logged.experiment_id, logged.run_id) == {
        ("q00", hash_for(0)): Feedback("no", "False", "no", "ada")
    }


def test_the_commands_take_labels_of_the_ui_over_and_tell_a_conflict(root: Path, logged: Logged) -> None:
    project = root.parent
    file = project / "eval" / "human-labels.json"
    assert python(project, "runner.labels", "sample", "a", "--n", "16").returncode == 0
    data = json.loads(file.read_text())
    for item in data["items"]:
        item["label"] = "no" if item["id"] == "q01" else None
    file.write_text(json.dumps(data))
    found = traces(root, logged)
    say(found[0], True, "the 0 is new")
    say(found[1], True)
    say(found[2], "maybe")
    say(found[16], False)
    done = python(project, "runner.labels", "agreement", logged.run_id[:8], "--json")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "warning: n0: the label of ada in the UI is about a refusal, or an answer that has no value",
        "warning: q01: the file says no, ada says yes in the UI; the file's counts, set it to null to take the other",
        "warning: q02: what ada said in the UI (maybe) is no yes or no that all agree on",
        "1 labels were taken over from the MLflow UI",
    ]
    assert (json.loads(done.stdout)["labels"], json.loads(done.stdout)["agreement"]) == (2, 0.5)
    kept = {item["id"]: (item["label"], item["note"]) for item in json.loads(file.read_text())["items"]}
    assert kept["q00"] == ("yes", "the 0 is new (ada, in the UI)")
    assert kept["q01"] == ("no", "")


def test_an_answer_that_was_labelled_in_the_ui_alone_is_added_to_the_file(root: Path, logged: Logged) -> None:
    project = root.parent
    say(traces(root, logged)[9], False)
    done = python(project, "runner.labels", "sample", "a", "--n", "1")
    assert done.stderr == "1 labels were taken over from the MLflow UI\n"
    items = json.loads((project / "eval" / "human-labels.json").read_text())["items"]
    assert ("q09", "no") in {(item["id"], item["label"]) for item in items}
    reviewed = python(project, "runner.labels", "review", "--run", "a")
    assert reviewed.returncode == 0
    assert "1 of 2 have a label" in reviewed.stdout


@pytest.mark.usefixtures("logged")
def test_a_store_that_is_gone_is_told_and_the_labels_of_the_file_count(root: Path) -> None:
    note = root / "runs" / "a" / "tracking.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "uri": "http://127.0.0.1:9"}))
    source = find_source(str(root / "runs" / "a"), MlflowTracking(root=root, timeout_s=1))
    drawn = sample(None, source.answers).labels
    taken = take_over(drawn, source)
    assert taken.labels == drawn
    assert taken.told == ("the MLflow server at http://127.0.0.1:9 does not answer, or only with errors",)


@pytest.mark.xdist_group("servers")
def test_traces_and_feedback_pass_through_a_server(
    mlflow_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", mlflow_server)
    tracking = MlflowTracking(uri=mlflow_server, root=tmp_path, traces=True, timeout_s=60)
    logged = log_measured(tracking, answered_run(traces=True), tmp_path / "runs" / "a")
    remote = MlflowClient(mlflow_server)
    found = remote.search_traces(locations=[logged.experiment_id], run_id=logged.run_id, max_results=500)
    assert [trace.info.tags["evalfirst.question"] for trace in found][:2] == ["q00", "q01"]
    assert len(found) == 20
    assert found[0].data.spans[0].inputs["material"] == "The number 0."
    say(found[0], True)
    assert feedback_of(remote, logged.experiment_id, logged.run_id) == {
        ("q00", hash_for(0)): Feedback("yes", "True", "", "ada")
    }
