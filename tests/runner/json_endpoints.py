"""Endpoints that are no chat models, each with a request and a reply, for the tests of what they have in common."""

import json
from dataclasses import dataclass
from typing import Any

from eval.chat.messages import ChatRequest
from runner.chat.embeddings_endpoint import EmbeddingsEndpoint
from runner.chat.json_endpoint import JsonEndpoint
from runner.chat.rerank_endpoint import RerankEndpoint
from runner.chat.system_endpoint import SystemEndpoint
from tests.runner.json_server import JsonServer


@dataclass(frozen=True)
class Kind:
    """One kind: ``asked`` is a request's JSON, ``given`` a good reply to it, ``path`` where it is posted to."""

    make: type[JsonEndpoint]
    asked: Any
    given: Any
    path: str

    def at(self, server: JsonServer, **settings: Any) -> JsonEndpoint:
        """An endpoint at this server that needs no key and is quick to give up."""
        usual = {"name": "some-model", "base_url": f"{server.url}/v1", "key_env": None, "tries": 2, "timeout_s": 20}
        return self.make(**{**usual, **settings})

    @property
    def request(self) -> ChatRequest:
        """The request."""
        return request_of(self.asked)


def request_of(asked: Any) -> ChatRequest:
    """JSON as a request."""
    return ChatRequest("", json.dumps(asked, ensure_ascii=False), 0, {})


EMBEDDINGS = Kind(
    EmbeddingsEndpoint,
    {"input": ["one", "two"]},
    {"data": [{"index": 0, "embedding": [1.0, 0.5]}, {"index": 1, "embedding": [0, 1]}], "usage": {"prompt_tokens": 5}},
    "/v1/embeddings",
)
RERANK = Kind(
    RerankEndpoint,
    {"query": "open?", "documents": ["one", "two"], "top_n": 2},
    {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]},
    "/v1/rerank",
)
SYSTEM = Kind(SystemEndpoint, {"question": "open?"}, {"answer": "Yes.", "contexts": ["It is open."]}, "/v1")
KINDS = (EMBEDDINGS, RERANK, SYSTEM)
