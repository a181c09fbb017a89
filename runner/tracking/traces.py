"""A run's answers as traces in the MLflow UI, and the labels that people give them there."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mlflow import MlflowClient
from mlflow.entities import Feedback as MlflowFeedback
from mlflow.entities import Span, Trace, TraceInfo, TraceLocation, TraceState
from mlflow.tracing.client import TracingClient

from eval.labels.answers import Asked
from runner.tracking.database import StoreRefusedError
from runner.tracking.store import paged

FEEDBACK = "unsupported"
QUESTION_TAG, HASH_TAG, RUN_TAG = "evalfirst.question", "evalfirst.answer_hash", "evalfirst.run"
_RUN = "mlflow.sourceRun"  # ties a trace to its run, so that the run's page lists it
_FORMAT = {"mlflow.trace_schema.version": "3"}
_PREVIEW = 1000  # characters that the list of traces can show
_AT_ONCE = 50  # traces whose spans go to the store in one call
_PAGE = 500  # MLflow's limit
_NS = 1_000_000
_YES, _NO = frozenset({"yes", "true", "1", "1.0"}), frozenset({"no", "false", "0", "0.0"})


@dataclass(frozen=True)
class Feedback:
    """What a person said of an answer in the UI; ``label`` is None where the value is neither yes nor no."""

    label: Literal["yes", "no"] | None
    value: str
    note: str
    by: str


def log_traces(client: MlflowClient, experiment: str, run_id: str, asked: Sequence[Asked], started: int) -> None:
    """One trace per answered question, tied to the run. When it returns all of them are in the store.

    A trace holds the question with its material and the answer, and below that the two steps. The judge's view is
    left out: who labels answers in the UI should not see it before. Traces take no time of their own: a report does
    not say when each question was asked. The ids follow from run and question, so a second call writes nothing new.

    Args:
        client: of the store.
        experiment: the id of the run's experiment.
        run_id: of the run that the answers are of.
        asked: the questions of its report; those without an answer get no trace.
        started: when the run began, in milliseconds since 1970; the UI lists the first question first.
    """
    tracing = TracingClient(client.tracking_uri)
    answered = [each for each in asked if each.answer is not None]
    for begin in range(0, len(answered), _AT_ONCE):
        spans: list[Span] = []
        for number, each in enumerate(answered[begin : begin + _AT_ONCE], begin):
            at = started + len(answered) - number
            tracing.start_trace(_info(each, experiment, run_id, at))
            spans += _spans(each, _trace_id(run_id, each.id), at)
        try:
            tracing.log_spans(experiment, spans)
        except NotImplementedError as error:
            raise StoreRefusedError(f"{error}; leave traces out with tracking.traces=false") from error


def forget_traces(client: MlflowClient, experiment: str, run_id: str) -> None:
    """Delete the traces of a run that was not logged to its end."""
    ids = [trace.info.trace_id for trace in _traces(client, experiment, run_id)]
    for begin in range(0, len(ids), _AT_ONCE):
        client.delete_traces(experiment, trace_ids=ids[begin : begin + _AT_ONCE])


def feedback_of(client: MlflowClient, experiment: str, run_id: str) -> dict[tuple[str, str], Feedback]:
    """What people said of a run's answers, by question id and answer hash.

    It is an assessment of a human source under the name ``unsupported``; true or yes says that the answer holds
    something that is not in the material, false or no that it does not. A person's newest counts; where two people
    say the opposite there is no label.
    """
    found: dict[tuple[str, str], Feedback] = {}
    for trace in _traces(client, experiment, run_id):
        tags = trace.info.tags
        given = [each for each in trace.info.assessments if isinstance(each, MlflowFeedback) and _counts(each)]
        if given and QUESTION_TAG in tags and HASH_TAG in tags:
            found[tags[QUESTION_TAG], tags[HASH_TAG]] = _together(given)
    return found


def _together(given: Sequence[MlflowFeedback]) -> Feedback:
    """What people say of one answer."""
    in_order = sorted(given, key=lambda each: (each.last_update_time_ms or 0, str(each.assessment_id)))
    said = {str(each.source.source_id): _feedback(each) for each in in_order}
    if len({each.label for each in said.values()}) == 1:
        return _feedback(in_order[-1])
    values, people = (", ".join(names) for names in ([each.value for each in said.values()], said))
    return Feedback(None, values, "", people)


def _counts(assessment: MlflowFeedback) -> bool:
    """Whether a person gave it, under the name, and has not replaced it since."""
    return (
        assessment.source.source_type == "HUMAN"
        and assessment.name.strip().lower() == FEEDBACK
        and assessment.valid is not False
    )


def _feedback(assessment: MlflowFeedback) -> Feedback:
    value = str(assessment.value).strip()
    word = value.lower()
    label: Literal["yes", "no"] | None = "yes" if word in _YES else "no" if word in _NO else None
    return Feedback(label, value, assessment.rationale or "", str(assessment.source.source_id))


def _traces(client: MlflowClient, experiment: str, run_id: str) -> Iterator[Trace]:
    return paged(
        lambda token: client.search_traces(
            locations=[experiment], run_id=run_id, max_results=_PAGE, include_spans=False, page_token=token
        )
    )


def _info(asked: Asked, experiment: str, run_id: str, at: int) -> TraceInfo:
    tags = {"mlflow.traceName": asked.id, RUN_TAG: run_id, QUESTION_TAG: asked.id}
    return TraceInfo(
        trace_id=_trace_id(run_id, asked.id),
        trace_location=TraceLocation.from_experiment_id(experiment),
        request_time=at,
        state=TraceState.OK,
        request_preview=asked.question[:_PREVIEW],
        response_preview=(asked.answer or "")[:_PREVIEW],
        execution_duration=0,
        trace_metadata={_RUN: run_id, **_FORMAT},
        tags=tags if asked.answer_hash is None else {**tags, HASH_TAG: asked.answer_hash},
    )


def _spans(asked: Asked, trace_id: str, at: int) -> list[Span]:
    shown = {"question_id": asked.id, "question": asked.question, "material": asked.material}
    chunks = [{"document": each.doc_id, "chunk": each.chunk_id, "rank": each.rank} for each in asked.context]
    answer = {"answer": asked.answer}
    return [
        _span(trace_id, at, "question", "CHAIN", shown, answer, below=None),
        _span(trace_id, at, "retrieve", "RETRIEVER", {"question": asked.question}, chunks, below="question"),
        _span(trace_id, at, "answer", "LLM", {"question": asked.question}, answer, below="question"),
    ]


def _span(trace_id: str, at: int, name: str, kind: str, inputs: Any, outputs: Any, below: str | None) -> Span:
    """A span that has ended, in the form in which MLflow stores them."""
    attributes = {"traceRequestId": trace_id, "spanType": kind, "spanInputs": inputs, "spanOutputs": outputs}
    data: Mapping[str, Any] = {
        "name": name,
        "trace_id": _base64(trace_id.removeprefix("tr-")),
        "span_id": _base64(_hash(trace_id, name)[:16]),
        "parent_span_id": "" if below is None else _base64(_hash(trace_id, below)[:16]),
        "start_time_unix_nano": at * _NS,
        "end_time_unix_nano": at * _NS,
        "status": {"code": "STATUS_CODE_OK", "message": ""},
        "attributes": {f"mlflow.{key}": json.dumps(value, ensure_ascii=False) for key, value in attributes.items()},
    }
    return Span.from_dict(dict(data))


def _trace_id(run_id: str, question_id: str) -> str:
    return f"tr-{_hash(run_id, question_id)[:32]}"


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _base64(digits: str) -> str:
    return base64.b64encode(bytes.fromhex(digits)).decode()
