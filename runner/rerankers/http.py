"""The reranker that asks a model behind an endpoint."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from eval.chat.messages import ChatFailedError, ChatModel, ChatRequest
from eval.component import component
from eval.records import Chunk, Unscored
from runner.records import Reranked

MALFORMED = "malformed reply"
_ANY_JSON: Mapping[str, Any] = {}  # the schema that every JSON meets


@component
class HttpReranker:
    """Has ``model`` score the ``depth`` best chunks, as they are shown, in one request per question.

    A request is ``{"query": text, "documents": [texts], "top_n": their number}``, its reply a list with a score for
    each document in their order.
    """

    model: ChatModel
    depth: Annotated[int, Field(ge=1, le=1000)] = 50

    @property
    def concurrency(self) -> int:
        """How many questions it takes at a time."""
        return self.model.concurrency

    def score(self, question: str, chunks: Sequence[Chunk]) -> Reranked | Unscored:
        """The model's scores; unscored where the call failed. Nobody is asked about no chunks."""
        if not chunks:
            return Reranked(np.empty(0))
        texts = [chunk.shown for chunk in chunks]
        asked = {"query": question, "documents": texts, "top_n": len(texts)}
        request = ChatRequest("", json.dumps(asked, ensure_ascii=False), 0, _ANY_JSON)
        try:
            completion = self.model.complete(request)
        except ChatFailedError as error:
            return Unscored(error.reason, error.raw, error.calls)
        scores = _scores(completion.text, len(texts))
        if scores is None:
            return Unscored(MALFORMED, completion.text, completion.calls)
        return Reranked(scores, completion.calls)


def _scores(text: str, count: int) -> NDArray[np.float64] | None:
    """The scores in a reply; ``None`` where they are not as many finite numbers as there are documents."""
    try:
        scores = np.asarray(json.loads(text), dtype=np.float64)
    except (ValueError, TypeError):
        return None
    return scores if scores.shape == (count,) and np.isfinite(scores).all() else None
