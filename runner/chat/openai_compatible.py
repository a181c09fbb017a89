"""Chat completions as OpenAI's API has them, which most servers and gateways speak: vLLM, Ollama, llama.cpp, …"""

from collections.abc import Mapping
from dataclasses import field
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from eval.chat.messages import ChatRequest
from eval.component import component
from eval.errors import MissingExtraError
from runner.chat.access import Address, KeyVariable, key_in
from runner.chat.endpoint import Connection
from runner.chat.settings import INCIDENTAL, Prices, check_extra_body
from runner.chat.vendors import vendor_of

_VENDORS_OWN = "https://api.openai.com/v1"
_OURS = frozenset({"model", "messages", "stream", "stream_options", "response_format", "temperature", "n"})
_MAX_TOKENS_KEYS = frozenset({"max_tokens", "max_completion_tokens"})


@component
class OpenAICompatible:
    """A model behind OpenAI's chat API, asked through the package ``openai``.

    ``base_url`` is the server's, ``None`` OpenAI's own. ``key_env`` is the NAME of the environment variable that
    holds the key, ``None`` for servers without keys. ``temperature`` ``None`` is not sent, as some models refuse it.
    ``structured`` says how a request's schema is sent: as a JSON schema, as a wish for JSON, or not at all.
    ``timeout_s`` is for a whole try. ``max_tokens_key`` is the name of the longest reply's option; ``None`` takes the
    newer one for OpenAI and Azure and the older one, which every other server knows. ``extra_body`` is sent as it is.
    ``usd_per_million`` takes the place of the price table.
    """

    INCIDENTAL: ClassVar[frozenset[str]] = INCIDENTAL

    name: Annotated[str, Field(min_length=1)]
    base_url: Address | None = None
    key_env: KeyVariable | None = "OPENAI_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    structured: Literal["schema", "json", "none"] = "schema"
    stream: bool = False
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    tries: Annotated[int, Field(ge=1, le=20)] = 5
    max_tokens_key: Literal["max_tokens", "max_completion_tokens"] | None = None
    extra_body: dict[str, Any] = field(default_factory=dict)
    usd_per_million: Prices | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_extra_body(self.extra_body, _OURS | _MAX_TOKENS_KEYS)
        if find_spec("openai") is None:
            raise MissingExtraError("a model behind OpenAI's API", "openai", "openai")
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
        kind = {"api": "openai-chat", "address": self.address, "structured": self.structured}
        return {**kind, "options": self._options()}

    def check(self) -> None:
        """Raise ``InputError`` where the key's variable is not set."""
        key_in(self.key_env)

    def connect(self) -> Connection:
        """A client of its own for the running loop."""
        from runner.chat.openai_connection import OpenAIConnection  # its library takes half a second to load

        return OpenAIConnection(self.address, key_in(self.key_env), self.stream, self.body)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body, but for how its reply is to be sent."""
        messages = [{"role": "system", "content": request.system}] if request.system else []
        messages.append({"role": "user", "content": request.user})
        body = {"messages": messages, self._max_tokens_key: request.max_tokens, **self._options()}
        if request.schema is not None and self.structured != "none":
            body["response_format"] = self._format(request.schema)
        return body

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"model": self.name, **self.extra_body}
        return options if self.temperature is None else {**options, "temperature": self.temperature}

    @property
    def _max_tokens_key(self) -> str:
        host = urlsplit(self.address).hostname or ""
        newer = host == "api.openai.com" or host.endswith(".openai.azure.com")
        return self.max_tokens_key or ("max_completion_tokens" if newer else "max_tokens")

    def _format(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if self.structured == "json":
            return {"type": "json_object"}
        return {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema), "strict": True}}
