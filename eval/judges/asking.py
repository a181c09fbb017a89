"""Asking a model for a verdict: one JSON object is read strictly, one more try is given, and nothing is repaired."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from eval.chat.messages import Call, ChatFailedError, ChatModel, ChatRequest, Completion
from eval.errors import EvalfirstError
from eval.records import Unscored
from eval.sources.strict_json import parse

T = TypeVar("T")

NO_JSON = "the judge's reply is no JSON"
SEVERAL_OBJECTS = "the judge's reply holds more than one object"
CUT_OFF = "the judge's reply was cut off"
_TRIES = 2


class InvalidReplyError(EvalfirstError):
    """A reply that gives no verdict. ``reason`` is alike for like faults; ``detail`` tells the model what to mend.

    Neither holds any text of the reply: that may be somebody's who wrote a document.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """What was read from a reply, and all calls that it took."""

    value: T
    calls: tuple[Call, ...]


def ask(model: ChatModel, request: ChatRequest, read: Callable[[str], T]) -> Reply[T] | Unscored:
    """Ask, and let ``read`` make a value of the reply's text or raise ``InvalidReplyError``.

    A reply that is no verdict is asked for once more, saying what was wrong, and one that was cut off with twice the
    room. The second try is another request, so a cache can't answer it with the first reply.
    """
    calls: tuple[Call, ...] = ()
    raw, reason = "", ""
    for _ in range(_TRIES):
        try:
            completion = model.complete(request)
            calls, raw = (*calls, *completion.calls), completion.text
            return Reply(_value(completion, read), calls)
        except InvalidReplyError as error:
            reason, request = error.reason, _once_more(request, error)
        except ChatFailedError as error:
            return Unscored(error.reason, error.raw or raw, (*calls, *error.calls))
    return Unscored(reason, raw, calls)


def only_object(text: str) -> dict[str, Any]:
    """The one JSON object of a reply: bare or fenced, with or without words around it.

    No other brace may stand in the reply. So an object that the model repeats from a document can't be taken for its
    own, neither before it, behind it, nor inside one that is broken.

    Raises:
        InvalidReplyError: there is none, there are several, or it is not strictly JSON (a key twice, NaN).
    """
    start = text.find("{")
    try:
        parsed = parse(text, start) if start >= 0 else None
    except json.JSONDecodeError:
        parsed = None
    if parsed is None or parsed.problems:
        raise InvalidReplyError(NO_JSON, "it is not one JSON object")
    if "{" in text[parsed.end :]:
        raise InvalidReplyError(SEVERAL_OBJECTS, "it holds more than one JSON object, or braces outside of it")
    found: dict[str, Any] = parsed.value
    return found


def _value(completion: Completion, read: Callable[[str], T]) -> T:
    if completion.finish == "length":
        raise InvalidReplyError(CUT_OFF, "it was cut off")
    return read(completion.text)


def _once_more(request: ChatRequest, error: InvalidReplyError) -> ChatRequest:
    if error.reason == CUT_OFF:
        return replace(request, max_tokens=2 * request.max_tokens)
    said = f"An earlier reply to this could not be used: {error.detail}. Reply with one JSON object as described."
    return replace(request, user=f"{request.user}\n\n{said}")
