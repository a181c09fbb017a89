"""Vectors by a model behind an endpoint."""

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from eval.chat.messages import ChatFailedError, ChatModel, ChatRequest
from eval.component import component
from eval.errors import EvalfirstError
from eval.fingerprints import fingerprint
from eval.sources.text_file import is_blank
from runner.spread import spread

_ANY_JSON: Mapping[str, Any] = {}  # the schema that every JSON meets
_LONGEST_WORDS = 300  # of a server that are told


@component
class EndpointEmbedder:
    """Asks ``model`` for ``per_request`` texts at a time, and as often at once as it allows.

    A request is ``{"input": [texts]}``, its reply a list with each text's vector in their order, as base64 of
    little-endian 32-bit floats. ``query_prefix`` and ``document_prefix`` stand before each text of their kind, as the
    model was trained (``"query: "`` and ``"passage: "`` for E5).
    """

    INCIDENTAL: ClassVar = frozenset({"per_request"})

    model: ChatModel
    per_request: Annotated[int, Field(ge=1, le=2048)] = 64
    query_prefix: str = ""
    document_prefix: str = ""

    @property
    def identity(self) -> str:
        """The model's name, and a fingerprint of what is sent and where to."""
        sent = getattr(self.model, "identity", None)  # a model that is only a script has none
        return f"{self.model.name} {fingerprint([sent, self.query_prefix, self.document_prefix])}"

    @property
    def batch(self) -> int:
        """Texts that keep as many requests under way as the model takes."""
        return self.per_request * self.model.concurrency

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched in, shape (n, dimensions); zeros for a blank one, which is not sent.

        Raises:
            EvalfirstError: a request failed, or is only estimated; all that an estimate needs have been counted then.
        """
        return self._vectors(self.document_prefix, texts)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched for; see ``documents``."""
        return self._vectors(self.query_prefix, texts)

    @property
    def only_estimates(self) -> bool:
        """Whether the model makes no calls and only counts them; then texts that are not cached have no vectors."""
        return bool(getattr(self.model, "only_estimates", False))

    def _vectors(self, prefix: str, texts: Sequence[str]) -> NDArray[np.float32]:
        places = [place for place, text in enumerate(texts) if not is_blank(text)]
        sent = [prefix + texts[place] for place in places]
        requests = [_request(sent[start : start + self.per_request]) for start in range(0, len(sent), self.per_request)]
        found = self._counted(requests) if self.only_estimates else self._all(requests)
        widths = sorted({vectors.shape[1] for vectors in found})
        if len(widths) > 1:
            raise EvalfirstError(f"{self.model.name}: its vectors have {widths[0]} dimensions and also {widths[-1]}")
        vectors = np.zeros((len(texts), widths[0] if widths else 0), dtype=np.float32)
        if found:
            vectors[places] = np.concatenate(found)
        return vectors

    def _all(self, requests: Sequence[ChatRequest]) -> list[NDArray[np.float32]]:
        found, _ = spread(self._asked, requests, self.model.concurrency, lambda: None)
        return found

    def _counted(self, requests: Sequence[ChatRequest]) -> list[NDArray[np.float32]]:
        """As ``_all``, but what fails first keeps none of the others from being counted; each is counted once."""
        found: list[NDArray[np.float32]] = []
        failures: list[EvalfirstError] = []
        for request in requests:
            try:
                found.append(self._asked(request))
            except EvalfirstError as error:
                failures.append(error)
        if failures:
            raise failures[0]
        return found

    def _asked(self, request: ChatRequest) -> NDArray[np.float32]:
        """One request's vectors, shape (texts, dimensions)."""
        try:
            text = self.model.complete(request).text
        except ChatFailedError as error:
            words = " ".join(error.raw.split())[:_LONGEST_WORDS]
            said = f"{error.reason}: {words}" if words else error.reason
            raise EvalfirstError(f"{self.model.name} gave no vectors: {said}") from None
        try:
            return np.stack([np.frombuffer(b64decode(vector), dtype="<f4") for vector in json.loads(text)])
        except (ValueError, TypeError) as error:
            raise EvalfirstError(f"{self.model.name} gave no vectors: malformed reply") from error


def _request(texts: Sequence[str]) -> ChatRequest:
    return ChatRequest("", json.dumps({"input": list(texts)}, ensure_ascii=False), 0, _ANY_JSON)
