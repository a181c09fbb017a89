"""One client of OpenAI's library: one call, read with care, since servers that speak this API do so loosely."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from openai import AsyncOpenAI, AsyncStream, OpenAIError

from eval.chat.messages import ChatRequest, Finish
from runner.chat.endpoint import Overloaded, Reply
from runner.chat.failures import failure, said
from runner.chat.sdk import HERE_ONLY, SdkConnection
from runner.chat.thinking import Thinking, without_thinking

_FINISH: Mapping[str, Finish] = {"length": "length", "max_tokens": "length", "content_filter": "content_filter"}


class OpenAIConnection(SdkConnection):
    """One call, whole or streamed."""

    PATH: ClassVar = "/chat/completions"
    ERRORS: ClassVar = OpenAIError

    def __init__(
        self,
        address: str,
        key: str | None,
        stream: bool,
        body: Callable[[ChatRequest], dict[str, Any]],
        thinking: Thinking,
    ) -> None:
        client = AsyncOpenAI(base_url=address, api_key=key or "none", max_retries=0, timeout=None)
        super().__init__(client, key, stream, body)
        self._thinking = thinking

    async def streamed(self, body: dict[str, Any]) -> Reply:
        """A reply that comes in pieces."""
        body = {**body, "stream": True, "stream_options": {"include_usage": True}}
        kind = AsyncStream[dict[str, Any]]
        stream = await self._client.post(
            self.PATH, cast_to=object, body=body, options=HERE_ONLY, stream=True, stream_cls=kind
        )
        async with stream:
            return self.read(_joined([chunk async for chunk in stream]))

    def read(self, body: Any) -> Reply:
        """The reply in a body; an error may come under the status 200. What is missing raises as Python does."""
        if isinstance(body, Mapping) and body.get("error"):
            raise failure(said(200, body))
        choice = body["choices"][0]
        message, usage = choice["message"], body.get("usage") or {}
        counts = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if refusal := message.get("refusal"):
            return Reply(str(refusal), "content_filter", *counts)
        text = without_thinking(_text(message.get("content")), self._thinking)
        return Reply(text, _FINISH.get(str(choice.get("finish_reason")), "stop"), *counts)


def _joined(chunks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A stream's chunks as the body that would have come whole.

    Raises:
        Overloaded: it ended before it said why.
    """
    texts, refusals, finish, usage = [], [], None, None
    for chunk in chunks:
        usage = chunk.get("usage") or usage
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta") or {}
            texts.append(_text(delta.get("content")))
            refusals.append(delta.get("refusal") or "")
            finish = choice.get("finish_reason") or finish
    if finish is None:
        raise Overloaded("connection lost", maybe_billed=True)
    message = {"content": "".join(texts), "refusal": "".join(refusals)}
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}


def _text(content: Any) -> str:
    """A message's text: a string, nothing, or parts of which some are thinking."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part["text"] for part in content if part.get("type") == "text")
