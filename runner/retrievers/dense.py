"""Dense retrieval: every chunk by the cosine of its vector and the question's, none left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from eval.component import component
from eval.errors import EvalfirstError, InputError
from eval.records import Chunk, Ranking
from eval.sources.text_file import is_blank
from runner.protocols import Embedder
from runner.retrievers.order import best_first
from runner.vectors import cosines, unit_vectors

_TOGETHER = 64  # queries that are foreseen in one product of matrices
_ROUNDING = 2.0**-21  # for each dimension; bounds twice the difference of two ways to sum a product in single precision


@component
class DenseRetriever:
    """Ranks by vectors of ``model``, compared with all chunks; ``depth`` ends a ranking, ``None`` ranks every chunk."""

    model: Embedder
    depth: Annotated[int, Field(ge=1)] | None = 1000

    def build(self, chunks: Sequence[Chunk]) -> "DenseIndex":
        """Embed the chunks as they are shown; a blank one is skipped and never found.

        Raises:
            InputError: there is no chunk, or none with a text.
            EvalfirstError: a vector that can't be compared.
        """
        shown = {place: chunk.shown for place, chunk in enumerate(chunks) if not is_blank(chunk.shown)}
        if not shown:
            raise InputError(f"nothing to index: none of the {len(chunks)} chunks has a text; fill the documents")
        texts = list(shown.values())
        vectors = unit_vectors(self.model.documents(texts), texts, self.model.identity)
        return DenseIndex(self.model, self.depth, vectors, np.fromiter(shown, dtype=np.int32))

    def restore(self, chunks: Sequence[Chunk], arrays: Mapping[str, NDArray[Any]]) -> "DenseIndex":
        """The index that ``build`` made of the same chunks, from its ``arrays``.

        Raises:
            ValueError: they can't be of these chunks.
        """
        vectors, positions = arrays["vectors"], arrays["positions"]
        if vectors.ndim != 2 or positions.shape != vectors.shape[:1]:
            raise ValueError(f"shapes {vectors.shape} and {positions.shape} are none of an index")
        if not len(positions) or not 0 <= positions[0] <= positions[-1] < len(chunks):
            raise ValueError(f"an index of other chunks than these {len(chunks)}")
        return DenseIndex(self.model, self.depth, vectors, positions)


@dataclass(frozen=True, slots=True, eq=False)
class Foreseen:
    """A query's vector, and the rows that can be in its ranking; ``None`` where all can."""

    vector: NDArray[np.float32]
    rows: NDArray[np.intp] | None


@dataclass(frozen=True, eq=False)
class DenseIndex:
    """Vectors of the chunks, shape (found, dimensions), and the places of those chunks, rising, shape (found,)."""

    model: Embedder
    depth: int | None
    vectors: NDArray[np.float32]
    positions: NDArray[np.int32]
    _foreseen: dict[str, Foreseen] = field(default_factory=dict)

    def foresee(self, queries: Sequence[str]) -> None:
        """Embed them in batches, and find which chunks come into question. No score and no order follows from it."""
        new = [query for query in dict.fromkeys(queries) if query not in self._foreseen and not is_blank(query)]
        vectors = self._vectors_of(new) if new else ()
        for start in range(0, len(new), _TOGETHER):
            some = slice(start, start + _TOGETHER)
            self._foreseen.update(zip(new[some], self._seen(vectors[some]), strict=True))

    def rank(self, query: str) -> Ranking:
        """All chunks by their cosine, best first, equal ones in corpus order; none for a blank query.

        Raises:
            EvalfirstError: a vector that can't be compared.
        """
        if is_blank(query):
            return Ranking(np.zeros(0, dtype=np.int32), np.zeros(0))
        seen = self._foreseen.get(query) or Foreseen(self._vectors_of([query])[0], None)
        rows = np.arange(len(self.vectors)) if seen.rows is None else seen.rows
        scores = cosines(self.vectors if seen.rows is None else self.vectors[rows], seen.vector)
        best = best_first(scores, self.depth)
        return Ranking(self.positions[rows[best]], scores[best].astype(np.float64))

    def _seen(self, vectors: NDArray[np.float32]) -> Iterator[Foreseen]:
        """A fast product of matrices has other last digits than ``cosines``, but none that leads past the margin."""
        if self.depth is None or self.depth >= len(self.vectors):
            yield from (Foreseen(vector, None) for vector in vectors)
            return
        margin = _ROUNDING * self.vectors.shape[1]
        for vector, near in zip(vectors, vectors @ self.vectors.T, strict=True):
            least = np.partition(near, len(near) - self.depth)[len(near) - self.depth]
            yield Foreseen(vector, np.flatnonzero(near >= least - margin))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What ``DenseRetriever.restore`` needs besides the chunks."""
        return {"vectors": self.vectors, "positions": self.positions}

    def _vectors_of(self, queries: Sequence[str]) -> NDArray[np.float32]:
        vectors = unit_vectors(self.model.queries(queries), queries, self.model.identity)
        if vectors.shape[1] != self.vectors.shape[1]:
            raise EvalfirstError(
                f"the model {self.model.identity} gave vectors of {self.vectors.shape[1]} dimensions for chunks and of "
                f"{vectors.shape[1]} for questions, which can't be compared; use one model for both"
            )
        return vectors
