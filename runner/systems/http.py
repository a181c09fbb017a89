"""Somebody else's system, deployed behind an endpoint that takes JSON by POST."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from pydantic import model_validator

from eval.chat.messages import Call, ChatFailedError, ChatModel, ChatRequest
from eval.component import component
from eval.records import Question, Unscored
from eval.sources.finding import WrongValueError
from runner.records import Passage, Response
from runner.systems.notes import unfound
from runner.systems.paths import MismatchError, Written, json_path
from runner.systems.shapes import name_of, score_of
from runner.systems.template import Template, filled

MALFORMED = "malformed reply"
USUAL = {"question": "{question}"}
_ANY_JSON: Mapping[str, Any] = {}  # the schema that every JSON meets


@component
class HttpSystem:
    """Asks ``endpoint`` each question once, and finds answer, passages and tokens in its reply.

    ``request`` is the body, see ``runner.systems.template``; ``None`` is ``USUAL``. All others are paths, see
    ``runner.systems.paths``: ``answer`` (``None``: it only retrieves), ``contexts``, ``input_tokens`` and
    ``output_tokens`` start from the whole reply, ``text``, ``doc_id``, ``id``, ``title`` and ``score`` from one of the
    contexts. ``None``: the system doesn't say. Contexts that are plain texts are passages without more; no contexts are
    no passages.

    Where the path of an answer, the contexts or a text leads nowhere, it costs the question: what is not there is never
    taken for empty. The others may be absent, here and there or always; of those that are never there a note tells.
    """

    endpoint: ChatModel
    request: Template | None = None
    answer: Written | None = "answer"
    contexts: Written = "contexts"
    text: Written | None = "text"
    doc_id: Written | None = None
    id: Written | None = None
    title: Written | None = None
    score: Written | None = None
    input_tokens: Written | None = None
    output_tokens: Written | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.text is None and self.doc_id is None:
            raise ValueError("text and doc_id are both null: a context must have a text, or name its document")
        return self

    @property
    def answers(self) -> bool:
        """Whether it writes answers itself."""
        return self.answer is not None

    @property
    def concurrency(self) -> int:
        """How many questions it takes at a time."""
        return self.endpoint.concurrency

    def ready(self, questions: Sequence[Question]) -> tuple[str, ...]:  # noqa: ARG002 – one form for all systems
        """Nothing to do: the client is opened while other work goes on."""
        return ()

    def review(self, responses: Sequence[Response | Unscored]) -> tuple[str, ...]:
        """A note for each path that led nowhere in all replies."""
        options = ("doc_id", "id", "title", "score", "input_tokens", "output_tokens")
        return unfound({option: getattr(self, option) for option in options}, responses)

    def respond(self, question: Question) -> Response | Unscored:
        """Its passages and answer; unscored where the call failed or the reply is not as the paths say."""
        body = json.dumps(filled(self.request or USUAL, question), ensure_ascii=False)
        try:
            completion = self.endpoint.complete(ChatRequest("", body, 0, _ANY_JSON))
        except ChatFailedError as error:
            return Unscored(error.reason, error.raw, error.calls)
        try:
            return self._response(json.loads(completion.text), completion.calls)
        except MismatchError as error:
            return Unscored(str(error), completion.text, completion.calls)
        except ValueError:
            return Unscored(MALFORMED, completion.text, completion.calls)

    def _response(self, reply: Any, calls: tuple[Call, ...]) -> Response:
        items = json_path(self.contexts).find(reply)
        if not isinstance(items, list):
            raise MismatchError(f"{self.contexts} is no list")
        answer = None if self.answer is None else _text(self.answer, reply)
        return Response(tuple(self._passage(item) for item in items), answer, self._counted(reply, calls))

    def _passage(self, item: Any) -> Passage:
        if isinstance(item, str):
            return Passage(item)
        return Passage(
            text=None if self.text is None else _text(self.text, item),
            doc_id=_name(self.doc_id, item),
            id=_name(self.id, item),
            title=_name(self.title, item) or "",
            score=_score(self.score, item),
        )

    def _counted(self, reply: Any, calls: tuple[Call, ...]) -> tuple[Call, ...]:
        """The calls with the tokens that the reply counts; it is the last one's."""
        given, got = _tokens(self.input_tokens, reply), _tokens(self.output_tokens, reply)
        return (*calls[:-1], *(replace(call, input_tokens=given, output_tokens=got) for call in calls[-1:]))


def _text(path: str, value: Any) -> str:
    found = json_path(path).find(value)
    if not isinstance(found, str):
        raise MismatchError(f"{path} is no text")
    return found


def _optional(path: str | None, value: Any) -> Any:
    """What ``value`` holds there, if anything."""
    try:
        return None if path is None else json_path(path).find(value)
    except MismatchError:
        return None


def _name(path: str | None, value: Any) -> str | None:
    """A text, or a number that serves as a name."""
    try:
        return name_of(_optional(path, value), "it")
    except WrongValueError as error:
        raise MismatchError(f"{path} is neither text nor a whole number") from error


def _score(path: str | None, value: Any) -> float | None:
    try:
        return score_of(_optional(path, value))
    except WrongValueError as error:
        raise MismatchError(f"{path} is no number") from error


def _tokens(path: str | None, value: Any) -> int:
    found = _optional(path, value)
    if found is None:
        return 0
    if type(found) is not int or found < 0:
        raise MismatchError(f"{path} is no count")
    return found
