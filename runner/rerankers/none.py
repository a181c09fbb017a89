"""No reranking: what was ranked stays as it is."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from eval.component import component
from eval.records import Chunk
from runner.records import Reranked


@component
class NoReranker:
    """Leaves every ranking as it is."""

    depth: ClassVar[int] = 0

    def score(self, question: str, chunks: Sequence[Chunk]) -> Reranked:  # noqa: ARG002 – the Protocol's names
        """Equal scores, so that the order stays."""
        return Reranked(np.zeros(len(chunks)))
