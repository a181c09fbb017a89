"""Any model of the sentence-transformers library (Reimers & Gurevych, EMNLP 2019), from a folder or a hub."""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from eval.component import component
from eval.errors import MissingExtraError
from runner.saved_models import EXTRA, PACKAGE, model_identity, read_model


@component
class SentenceTransformersEmbedder:
    """``model`` is a folder or a name on the hub, which ``revision`` pins; code that a model brings is never run.

    A prompt is put before each text; ``None`` is the model's own for queries or documents, if it names one. A text
    is cut after ``max_length`` tokens, ``None`` is the model's own limit. Which texts share a ``batch`` changes
    the last digits of their vectors (about 1e-7), as they are padded to the longest; a batch of 1 avoids that.
    """

    model: Annotated[str, Field(pattern=r"\S")]
    revision: str | None = None
    query_prompt: str | None = None
    document_prompt: str | None = None
    max_length: Annotated[int, Field(ge=1)] | None = None
    batch: Annotated[int, Field(ge=1)] = 32
    device: str = "cpu"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if find_spec(PACKAGE) is None:
            raise MissingExtraError("embedder=sentence_transformers", EXTRA, EXTRA)
        return self

    @cached_property
    def identity(self) -> str:
        """Package, version, model, and the settings that change a vector."""
        settings = [self.query_prompt, self.document_prompt, self.max_length]
        return f"{model_identity(self.model, self.revision)} {settings}"

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched in, shape (texts, dimensions)."""
        return self._encoded(self._model.encode_document, texts, self.document_prompt)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched for, shape (texts, dimensions)."""
        return self._encoded(self._model.encode_query, texts, self.query_prompt)

    def _encoded(self, encode: Any, texts: Sequence[str], prompt: str | None) -> NDArray[np.float32]:
        vectors = encode(list(texts), prompt=prompt, batch_size=self.batch, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer  # optional: an extra

        def read(model: str, local: bool) -> Any:
            return SentenceTransformer(model, revision=self.revision, device=self.device, local_files_only=local)

        model = read_model("embedder", self.model, self.device, read).eval()
        if self.max_length is not None:
            model.max_seq_length = self.max_length
        return model
