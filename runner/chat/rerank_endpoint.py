"""Reranking as Cohere's API has it, and in its wake Jina, vLLM, LiteLLM and, a little differently, TEI."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from eval.chat.messages import ChatRequest
from eval.component import component
from runner.chat.endpoint import Reply
from runner.chat.failures import failure, said
from runner.chat.json_endpoint import JsonModel


@component
class RerankEndpoint(JsonModel):
    """A reranking model behind HTTP.

    A request is ``{"query": text, "documents": [texts], "top_n": their number}``. A reply is a list with a score for
    each document, in their order. ``documents_name`` is what a server calls the documents: TEI says ``texts``, and
    knows no ``top_n``. The other options are those of ``JsonModel``.
    """

    INCIDENTAL: ClassVar = JsonModel.INCIDENTAL | {"documents_name"}
    API: ClassVar = "rerank"
    OWN_ADDRESS: ClassVar = None
    PATH: ClassVar = "/rerank"
    SET_ELSEWHERE: ClassVar = frozenset({"model", "query", "documents", "texts", "top_n"})

    documents_name: Literal["documents", "texts"] = "documents"

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """A request's body."""
        asked = json.loads(request.user)
        if self.documents_name == "texts":
            asked = {"query": asked["query"], "texts": asked["documents"]}
        return {**asked, **self.options()}

    def read(self, request: ChatRequest, body: Any) -> Reply:
        """The scores in a body, whatever their order there; an error may come under the status 200."""
        if isinstance(body, list):  # TEI's
            body = {"results": body}
        if body.get("error"):
            raise failure(said(200, body))
        scores = _scores(body["results"], len(json.loads(request.user)["documents"]))
        usage = body.get("usage") or {}
        return Reply(json.dumps(scores), "stop", usage.get("prompt_tokens", usage.get("total_tokens")), 0)


def _scores(results: Sequence[Mapping[str, Any]], count: int) -> list[float]:
    """The scores by their ``index``.

    Raises:
        ValueError: one is missing, there twice, or no number.
    """
    found = {item["index"]: item["relevance_score"] if "relevance_score" in item else item["score"] for item in results}
    if len(results) != count or set(found) != set(range(count)):
        raise ValueError(f"{len(results)} scores for {count} documents")
    scores = [found[place] for place in range(count)]
    if not all(type(score) in {int, float} and math.isfinite(score) for score in scores):
        raise ValueError("a score is no number")
    return [float(score) for score in scores]
