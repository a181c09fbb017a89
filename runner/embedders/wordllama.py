"""WordLlama (github.com/dleemiller/WordLlama): averages of static token vectors. Small, fast, made for English."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from eval.component import component
from eval.errors import MissingExtraError


@component
class WordLlamaEmbedder:
    """Uses the weights inside the package: nothing is downloaded.

    ``dimensions`` below 256 keep the head of each vector, as the model was trained for (Matryoshka representations).
    """

    dimensions: Literal[64, 128, 256] = 256
    batch: Annotated[int, Field(ge=1)] = 512

    @model_validator(mode="after")
    def _check(self) -> Self:
        if find_spec("wordllama") is None:
            raise MissingExtraError("embedder=wordllama", "wordllama", "wordllama")
        return self

    @cached_property
    def identity(self) -> str:
        """Package, version and dimensions."""
        return f"wordllama {version('wordllama')} l2_supercat {self.dimensions}"

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors, shape (texts, dimensions); each follows from its own text alone."""
        # one at a time: a batch is padded to its longest text, which costs memory where a whole book is one chunk
        vectors: NDArray[np.float32] = self._model.embed(list(texts), batch_size=1)
        return vectors

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same as for documents."""
        return self.documents(texts)

    @cached_property
    def _model(self) -> Any:
        with _logging_as_it_is():
            import wordllama  # optional: an extra

        return wordllama.WordLlama.load(
            cache_dir=Path(wordllama.__file__).parent, trunc_dim=self.dimensions, disable_download=True
        )


@contextmanager
def _logging_as_it_is() -> Iterator[None]:
    """The package sets up the root logger on import, which does nothing where that has a handler."""
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
