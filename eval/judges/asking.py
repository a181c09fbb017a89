"""Asking a model for a verdict: one JSON object is read strictly, one more try is given, and nothing is repaired."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import regex

from eval.chat.messages import Call, ChatFailedError, ChatModel, ChatRequest, Completion
from eval.errors import EvalfirstError
from eval.records import Unscored
from eval.sources.strict_json import parse

T = TypeVar("T")

NO_JSON = "the judge's reply is no JSON"
SEVERAL_OBJECTS = "the judge's reply holds more than one object"
CUT_OFF = "the judge's reply was cut off"
_TRIES = 2
_NAME = r"[A-Za-z_][\w.-]{0,63}"
_BRACE = regex.compile(rf"\{{{_NAME}\}}|\{{\{{{_NAME}\}}\}}|[{{}}]")  # a name in braces, or a brace of another kind
_THINKING = regex.compile(r"<(think|thinking|thought|reasoning)>(?!.*</\1>)", regex.DOTALL | regex.IGNORECASE)
_SPARE_COMMA = regex.compile(r'("(?:[^"\\]|\\.)*+(?:"|$))|(?<![\[{,]\s*),(?=[ \t\r\n]*[}\]])', regex.DOTALL)


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
    room. The second try is another request, so a cache can't answer it with the first reply. Where that is of no use
    either, the model is told to forget both.
    """
    calls: tuple[Call, ...] = ()
    asked: list[ChatRequest] = []
    raw, reason = "", ""
    for _ in range(_TRIES):
        asked.append(request)
        try:
            completion = model.complete(request)
            calls, raw = (*calls, *completion.calls), completion.text
            return Reply(_value(completion, read), calls)
        except InvalidReplyError as error:
            reason, request = error.reason, _once_more(request, error)
        except ChatFailedError as error:
            return Unscored(error.reason, error.raw or raw, (*calls, *error.calls))
    for each in asked:
        model.forget(each)
    return Unscored(reason, raw, calls)


def only_object(text: str) -> dict[str, Any]:
    """The one JSON object of a reply: bare or fenced, with or without words around it.

    No other brace may stand in the reply, but for names in braces before the object, as paths have them (``{id}``). So
    an object that the model repeats from a document can't be taken for its own, neither before it, behind it, nor
    inside one that is broken; nor can a text that closes the model's object early, as the rest of that stays behind.
    One comma too many before a closing brace or bracket is no matter. What stands in a thought that was begun and not
    ended is no reply.

    Raises:
        InvalidReplyError: there is none, there are several, or it is not strictly JSON (a key twice, NaN).
    """
    start = next((match.start() for match in _BRACE.finditer(text) if match[0] in "{}"), len(text))
    reply = "" if _THINKING.search(text[:start]) else _SPARE_COMMA.sub(r"\1", text[start:])
    try:
        parsed = parse(reply) if reply.startswith("{") else None
    except json.JSONDecodeError:
        parsed = None
    if parsed is None or parsed.problems:
        raise InvalidReplyError(NO_JSON, "it is not one JSON object")
    if regex.search("[{}]", reply, pos=parsed.end):
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
