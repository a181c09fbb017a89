"""The reranker that compares vectors: a dense model over the head of any ranking."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from eval.component import component
from eval.records import Chunk
from eval.sources.text_file import is_blank
from runner.protocols import Embedder
from runner.records import Reranked
from runner.vectors import cosines, unit_vectors

_LOWEST = -1.0  # of a cosine


@component
class EmbeddingReranker:
    """Scores the ``depth`` best chunks by the cosine of their vector and the question's, both made by ``model``."""

    model: Embedder
    depth: Annotated[int, Field(ge=1)] = 50

    def score(self, question: str, chunks: Sequence[Chunk]) -> Reranked:
        """Cosines; a blank chunk has the lowest, and for a blank question all are equal.

        Raises:
            EvalfirstError: a vector that can't be compared.
        """
        shown = {place: chunk.shown for place, chunk in enumerate(chunks) if not is_blank(chunk.shown)}
        scores = np.full(len(chunks), _LOWEST)
        if shown and not is_blank(question):
            texts, name = list(shown.values()), self.model.identity
            query = unit_vectors(self.model.queries([question]), [question], name)
            scores[list(shown)] = cosines(unit_vectors(self.model.documents(texts), texts, name), query[0])
        return Reranked(scores)
