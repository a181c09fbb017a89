"""Anthropic's own API for messages."""

from collections.abc import Mapping
from dataclasses import field
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from eval.chat.messages import ChatRequest
from eval.component import component
from eval.errors import MissingExtraError
from runner.chat.access import Address, KeyVariable, key_in
from runner.chat.endpoint import Connection
from runner.chat.settings import INCIDENTAL, Prices, check_extra_body
from runner.chat.vendors import vendor_of

_VENDORS_OWN = "https://api.anthropic.com"
_OURS = frozenset({"model", "messages", "system", "max_tokens", "stream", "temperature", "output_config"})


@component
class AnthropicMessages:
    """A model behind Anthropic's API, asked through the package ``anthropic``.

    The options mean what they do in ``OpenAICompatible``. ``temperature`` ``None`` is not sent: the newest models
    refuse one. ``structured`` sends a request's schema as the format of the output, or not at all.
    """

    INCIDENTAL: ClassVar[frozenset[str]] = INCIDENTAL

    name: Annotated[str, Field(min_length=1)]
    base_url: Address | None = None
    key_env: KeyVariable | None = "ANTHROPIC_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=1)] | None = 0.0
    structured: Literal["schema", "none"] = "schema"
    stream: bool = False
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    tries: Annotated[int, Field(ge=1, le=20)] = 5
    extra_body: dict[str, Any] = field(default_factory=dict)
    usd_per_million: Prices | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_extra_body(self.extra_body, _OURS)
        if find_spec("anthropic") is None:
            raise MissingExtraError("a model behind Anthropic's API", "anthropic", "anthropic")
        return self

    @property
    def vendor(self) -> str:
        """Who made the model."""
        return vendor_of(self.name, self.address)

    @property
    def address(self) -> str:
        """Base URL that calls go to. The library would let an environment variable choose another in silence."""
        return self.base_url or _VENDORS_OWN

    def identity(self) -> Mapping[str, Any]:
        """What is sent besides a request's own texts, and where to."""
        kind = {"api": "anthropic-messages", "address": self.address, "structured": self.structured}
        return {**kind, "options": self._options()}

    def check(self) -> None:
        """Raise ``InputError`` where the key's variable is not set."""
        key_in(self.key_env)

    def connect(self) -> Connection:
        """A client of its own for the running loop."""
        from runner.chat.anthropic_connection import AnthropicConnection  # its library takes a second to load

        return AnthropicConnection(self.address, key_in(self.key_env), self.stream, self.body)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body, but for how its reply is to be sent."""
        messages = [{"role": "user", "content": request.user}]
        body = {"messages": messages, "max_tokens": request.max_tokens, **self._options()}
        if request.system:
            body["system"] = request.system
        if request.schema is not None and self.structured == "schema":
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
        return body

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"model": self.name, **self.extra_body}
        return options if self.temperature is None else {**options, "temperature": self.temperature}
