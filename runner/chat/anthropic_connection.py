"""One client of Anthropic's library: one call, whole or streamed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from anthropic import AnthropicError, AsyncAnthropic, AsyncStream

from eval.chat.messages import ChatRequest, Finish
from runner.chat.endpoint import Overloaded, Reply
from runner.chat.failures import failure, said
from runner.chat.sdk import HERE_ONLY, SdkConnection
from runner.chat.thinking import without_thinking

_FINISH: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}


class AnthropicConnection(SdkConnection):
    """One call, whole or streamed."""

    PATH: ClassVar = "/v1/messages"
    ERRORS: ClassVar = AnthropicError

    def __init__(
        self, address: str, key: str | None, stream: bool, body: Callable[[ChatRequest], dict[str, Any]]
    ) -> None:
        client = AsyncAnthropic(base_url=address, api_key=key or "none", max_retries=0, timeout=None)
        super().__init__(client, key, stream, body)

    async def streamed(self, body: dict[str, Any]) -> Reply:
        """A reply that comes in pieces."""
        kind = AsyncStream[dict[str, Any]]
        body = {**body, "stream": True}
        stream = await self._client.post(
            self.PATH, cast_to=object, body=body, options=HERE_ONLY, stream=True, stream_cls=kind
        )
        async with stream:
            return self.read(_joined([event async for event in stream]))

    def read(self, body: Any) -> Reply:
        """The reply in a message; an error may come under the status 200. What is missing raises as Python does."""
        if body.get("type") == "error":
            raise failure(said(200, body))
        usage = body.get("usage") or {}
        text = without_thinking("".join(block["text"] for block in body["content"] if block["type"] == "text"))
        read = [usage.get(name) for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")]
        given = None if read[0] is None else sum(count or 0 for count in read)
        return Reply(text, _FINISH.get(str(body.get("stop_reason")), "stop"), given, usage.get("output_tokens"))


def _joined(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A stream's events as the message that would have come whole.

    Raises:
        Overloaded: it ended before it said why.
    """
    text: list[str] = []
    usage: dict[str, Any] = {}
    stop_reason = None
    for event in events:
        if event["type"] == "message_start":
            usage |= event["message"].get("usage") or {}
        elif event["type"] == "content_block_delta" and event["delta"]["type"] == "text_delta":
            text.append(event["delta"]["text"])
        elif event["type"] == "message_delta":
            usage |= event.get("usage") or {}
            stop_reason = event["delta"].get("stop_reason") or stop_reason
    if stop_reason is None:
        raise Overloaded("connection lost", maybe_billed=True)
    return {"content": [{"type": "text", "text": "".join(text)}], "stop_reason": stop_reason, "usage": usage}
