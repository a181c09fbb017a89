"""Embeddings as OpenAI's API has them, which most servers and gateways speak: vLLM, Ollama, llama.cpp, TEI, …"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from eval.chat.messages import ChatRequest
from eval.component import component
from runner.chat.access import KeyVariable
from runner.chat.endpoint import Refused, Reply
from runner.chat.failures import failure, said
from runner.chat.json_endpoint import JsonModel


@component
class EmbeddingsEndpoint(JsonModel):
    """An embedding model behind OpenAI's API.

    A request is ``{"input": [texts]}``. A reply is a list with a vector for each text, in their order: base64 of
    little-endian 32-bit floats, as the API itself can send them, which takes a third of the room of digits.
    ``dimensions`` shortens the vectors of models that allow it. The other options are those of ``JsonModel``.
    """

    API: ClassVar = "openai-embeddings"
    OWN_ADDRESS: ClassVar = "https://api.openai.com/v1"
    PATH: ClassVar = "/embeddings"
    SET_ELSEWHERE: ClassVar = frozenset({"model", "input", "dimensions", "encoding_format"})

    key_env: KeyVariable | None = "OPENAI_API_KEY"
    dimensions: Annotated[int, Field(ge=1)] | None = None

    def options(self) -> dict[str, Any]:
        """What every request's body holds."""
        options = {**super().options(), "encoding_format": "float"}
        return options if self.dimensions is None else {**options, "dimensions": self.dimensions}

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body."""
        return {**json.loads(request.user), **self.options()}

    def read(self, request: ChatRequest, body: Any) -> Reply:
        """The vectors in a body, whatever their order there; an error may come under the status 200."""
        if isinstance(body, Mapping) and body.get("error"):
            raise failure(said(200, body))
        vectors = _vectors(body["data"], len(json.loads(request.user)["input"]))
        if self.dimensions not in {None, vectors.shape[1]}:
            raise Refused(f"its vectors have {vectors.shape[1]} dimensions, not {self.dimensions}")
        text = json.dumps([b64encode(vector.tobytes()).decode() for vector in vectors])
        usage = body.get("usage") or {}
        return Reply(text, "stop", usage.get("prompt_tokens", usage.get("total_tokens")), 0)


def _vectors(data: Sequence[Mapping[str, Any]], count: int) -> NDArray[np.float32]:
    """The vectors by their ``index``, shape (count, dimensions).

    Raises:
        ValueError: one is missing, there twice, of another length, or holds what is no number.
    """
    found = {item["index"]: item["embedding"] for item in data}
    if len(data) != count or set(found) != set(range(count)):
        raise ValueError(f"{len(data)} vectors for {count} texts")
    numbers = np.array([found[place] for place in range(count)])
    if numbers.dtype.kind not in "if" or numbers.ndim != 2 or numbers.shape[1] == 0:
        raise ValueError("no vectors")
    with np.errstate(over="ignore"):  # what is too large for 32 bits becomes infinite, and is refused with the rest
        vectors = numbers.astype("<f4")
    if not np.isfinite(vectors).all():
        raise ValueError("a number is not finite")
    return vectors
