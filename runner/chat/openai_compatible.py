"""Chat completions as OpenAI's API has them, which most servers and gateways speak: vLLM, Ollama, llama.cpp, …"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import Field

from eval.chat.messages import ChatRequest
from eval.component import component
from runner.chat.access import KeyVariable, key_in
from runner.chat.endpoint import Connection
from runner.chat.settings import HttpModel
from runner.chat.thinking import Thinking


@component
class OpenAICompatible(HttpModel):
    """A model behind OpenAI's chat API, asked through the package ``openai``.

    ``structured`` sends a request's schema as a JSON schema, as a wish for JSON, or not at all. ``max_tokens_name`` is
    the name of the longest reply's option; ``None`` takes the newer one for OpenAI and Azure and the older one, which
    every other server knows. ``thinking`` says how thinking begins that a server leaves in the text: with a tag of its
    own, or at once, where the template of the prompt opened it. The other options are those of ``HttpModel``.
    """

    API: ClassVar = "openai-chat"
    OWN_ADDRESS: ClassVar = "https://api.openai.com/v1"
    PACKAGE: ClassVar = "openai"
    EXTRA: ClassVar = "openai"
    SET_ELSEWHERE: ClassVar = frozenset(
        "model messages stream stream_options response_format temperature n max_tokens max_completion_tokens".split()
    )

    key_env: KeyVariable | None = "OPENAI_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    structured: Literal["schema", "json", "none"] = "schema"
    max_tokens_name: Literal["max_tokens", "max_completion_tokens"] | None = None
    thinking: Thinking = "tagged"

    def identity(self) -> Mapping[str, Any]:
        """What is sent besides a request's own texts, where to, and what is taken for the reply."""
        return {**super().identity(), "thinking": self.thinking}

    def connect(self) -> Connection:
        """A client of its own for the running loop."""
        from runner.chat.openai_connection import OpenAIConnection  # its library takes half a second to load

        return OpenAIConnection(self.address, key_in(self.key_env), self.stream, self.body, self.thinking)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body, but for how its reply is to be sent."""
        messages = [{"role": "system", "content": request.system}] if request.system else []
        messages.append({"role": "user", "content": request.user})
        body = {"messages": messages, self._max_tokens_name: request.max_tokens, **self.options()}
        if request.schema is not None and self.structured != "none":
            body["response_format"] = self._format(request.schema)
        return body

    @property
    def _max_tokens_name(self) -> str:
        host = urlsplit(self.address).hostname or ""
        newer = host == "api.openai.com" or host.endswith(".openai.azure.com")
        return self.max_tokens_name or ("max_completion_tokens" if newer else "max_tokens")

    def _format(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if self.structured == "json":
            return {"type": "json_object"}
        return {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema), "strict": True}}
