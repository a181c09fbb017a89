"""What a chat server is asked and says, in OpenAI's and in Anthropic's protocol, well and badly."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Fault = Literal[
    "hang",  # no answer at all
    "drip",  # the answer byte by byte, for ever
    "reset",  # the connection is reset
    "cut",  # the connection ends after half of the answer
    "malformed",  # a body that is no JSON
    "shapeless",  # JSON that is no reply
    "error first",  # an error inside of the reply, before any text
    "error later",  # the same, after some text
]


@dataclass(frozen=True)
class Step:
    """What is done with one request: the reply's text, or a failure."""

    text: str = "Yes."
    status: int = 200
    error: str = ""  # its code, or type
    message: str = "no further words"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    finish: Literal["stop", "length", "content_filter"] = "stop"
    thinking: str = ""
    refusal: str = ""
    usage: tuple[int, int] | None = (11, 7)
    fault: Fault | None = None
    echo_key: bool = False


RATE_LIMITED = Step(status=429, error="rate_limit_exceeded")
NO_QUOTA = Step(status=429, error="insufficient_quota")


@dataclass(frozen=True)
class Asked:
    """A request as it came. ``key`` is what its header has."""

    path: str
    body: Mapping[str, Any]
    key: str

    @property
    def system(self) -> str:
        """Its system prompt."""
        if "system" in self.body:
            return str(self.body["system"])
        return "".join(m["content"] for m in self.body["messages"] if m["role"] == "system")

    @property
    def user(self) -> str:
        """Its question."""
        return str(self.body["messages"][-1]["content"])


class Speaks(Protocol):
    """A protocol: bodies and events by a step."""

    def error(self, step: Step, asked: Asked) -> dict[str, Any]:
        """An error's body."""
        ...

    def reply(self, step: Step) -> dict[str, Any]:
        """A whole reply."""
        ...

    def events(self, step: Step, asked: Asked) -> Iterator[bytes]:
        """A stream's events, with one more at its end: the error of the faults that have one."""
        ...


def spoken_at(path: str) -> Speaks:
    """The protocol of an address."""
    return _Anthropic() if path.endswith("/messages") else _OpenAI()


def whole(asked: Asked, step: Step) -> bytes:
    """The body of a reply that is not streamed."""
    kind = spoken_at(asked.path)
    if step.fault == "malformed":
        return b'{"choices": [{"mess'
    if step.fault == "shapeless":
        return b'{"choices": [], "content": null}'
    if step.fault in {"error first", "error later"}:
        return json.dumps(kind.error(step, asked)).encode()
    return json.dumps(kind.reply(step)).encode()


def streamed(asked: Asked, step: Step) -> bytes:
    """The body of a streamed reply."""
    events = [*spoken_at(asked.path).events(step, asked)]
    if step.fault == "error first":
        events = [events[0], events[-1]]
    elif step.fault == "error later":
        events = [*events[:3], events[-1]]
    elif step.fault == "malformed":
        events = [*events[:3], b'event: content_block_delta\ndata: {"cho\n\n']
    elif step.fault == "shapeless":
        events = [b'event: message_start\ndata: {"choices": [1], "type": "message_start"}\n\n']
    else:
        del events[-1]
    return b"".join(events)


class _OpenAI:
    """Chat completions."""

    def error(self, step: Step, asked: Asked) -> dict[str, Any]:
        message = f"{step.message} {asked.key}" if step.echo_key else step.message
        return {"error": {"message": message, "type": "error", "param": None, "code": step.error}}

    def reply(self, step: Step) -> dict[str, Any]:
        message = {"role": "assistant", "content": None if step.refusal else step.text}
        extra = {"reasoning_content": step.thinking} if step.thinking else {}
        refusal = {"refusal": step.refusal} if step.refusal else {}
        choice = {"index": 0, "message": {**message, **extra, **refusal}, "finish_reason": step.finish}
        return {"id": "1", "object": "chat.completion", "model": "m", "choices": [choice], **self._usage(step)}

    def events(self, step: Step, asked: Asked) -> Iterator[bytes]:
        yield self._event(self._choice({"role": "assistant", "content": ""}))
        if step.thinking:
            yield self._event(self._choice({"reasoning_content": step.thinking}))
        half = len(step.text) // 2
        for text in (step.text[:half], step.text[half:]):
            yield self._event(self._choice({"content": text}))
        yield self._event(self._choice({}, step.finish))
        yield self._event({"id": "1", "choices": [], **self._usage(step)})
        yield b"data: [DONE]\n\n"
        yield self._event(self.error(step, asked))

    def _usage(self, step: Step) -> dict[str, Any]:
        if step.usage is None:
            return {}
        return {"usage": {"prompt_tokens": step.usage[0], "completion_tokens": step.usage[1]}}

    def _choice(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {"id": "1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def _event(self, data: dict[str, Any]) -> bytes:
        return f"data: {json.dumps(data)}\n\n".encode()


class _Anthropic:
    """Messages."""

    _STOP: Mapping[str, str] = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}

    def error(self, step: Step, asked: Asked) -> dict[str, Any]:
        message = f"{step.message} {asked.key}" if step.echo_key else step.message
        return {"type": "error", "error": {"type": step.error, "message": message}}

    def reply(self, step: Step) -> dict[str, Any]:
        content = [{"type": "thinking", "thinking": step.thinking, "signature": ""}] if step.thinking else []
        usage = {} if step.usage is None else {"input_tokens": step.usage[0], "output_tokens": step.usage[1]}
        said = {"content": [*content, {"type": "text", "text": step.text}], "stop_reason": self._STOP[step.finish]}
        return {"id": "1", "type": "message", "role": "assistant", "model": "m", **said, "usage": usage}

    def events(self, step: Step, asked: Asked) -> Iterator[bytes]:
        given, got = step.usage or (None, None)
        message = {**self.reply(step), "content": [], "stop_reason": None, "usage": {"input_tokens": given}}
        yield self._event("message_start", message=message)
        block = {"type": "text", "text": ""}
        yield self._event("content_block_start", index=0, content_block=block)
        if step.thinking:
            yield self._delta({"type": "thinking_delta", "thinking": step.thinking})
        half = len(step.text) // 2
        for text in (step.text[:half], step.text[half:]):
            yield self._delta({"type": "text_delta", "text": text})
        yield self._event("content_block_stop", index=0)
        stop = {"stop_reason": self._STOP[step.finish]}
        yield self._event("message_delta", delta=stop, usage={"output_tokens": got})
        yield self._event("message_stop")
        yield self._event("error", **{k: v for k, v in self.error(step, asked).items() if k != "type"})

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return self._event("content_block_delta", index=0, delta=delta)

    def _event(self, kind: str, **data: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()
