"""Anthropic's own API for messages."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from eval.chat.messages import ChatRequest
from eval.component import component
from runner.chat.access import KeyVariable, key_in
from runner.chat.endpoint import Connection
from runner.chat.settings import HttpModel


@component
class AnthropicMessages(HttpModel):
    """A model behind Anthropic's API, asked through the package ``anthropic``.

    ``temperature`` ``None`` is not sent: the newest models refuse one. ``structured`` sends a request's schema as the
    format of the output, or not at all. The other options are those of ``HttpModel``.
    """

    API: ClassVar = "anthropic-messages"
    OWN_ADDRESS: ClassVar = "https://api.anthropic.com"
    PACKAGE: ClassVar = "anthropic"
    EXTRA: ClassVar = "anthropic"
    SET_ELSEWHERE: ClassVar = frozenset("model messages system max_tokens stream temperature output_config".split())

    key_env: KeyVariable | None = "ANTHROPIC_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=1)] | None = 0.0
    structured: Literal["schema", "none"] = "schema"

    def connect(self) -> Connection:
        """A client of its own for the running loop."""
        from runner.chat.anthropic_connection import AnthropicConnection  # its library takes a second to load

        return AnthropicConnection(self.address, key_in(self.key_env), self.stream, self.body)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body, but for how its reply is to be sent."""
        messages = [{"role": "user", "content": request.user}]
        body = {"messages": messages, "max_tokens": request.max_tokens, **self.options()}
        if request.system:
            body["system"] = request.system
        if request.schema is not None and self.structured == "schema":
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
        return body
