"""Vectors in Milvus: a cluster that is already there, or a file of its embedded edition, Milvus Lite.

A collection is written under a passing name and gets its own, which follows from the content, when it is complete: so
one that is found is whole, and of two processes at the same work the first wins. ``MilvusClient(URI).drop_collection``
removes one; all begin with ``evalfirst_``, and those that a killed process left with ``evalfirst_part_``.
"""

import logging
import uuid
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field, model_validator

from eval.component import component
from eval.errors import EvalfirstError
from eval.records import Chunk, Ranking
from runner.places import START
from runner.protocols import Embedder
from runner.retrievers.stores import VariableName, best_first, content_name, embedded, masked_line, need, value_of

if TYPE_CHECKING:
    from pymilvus import MilvusClient

_MOST = 16_384  # hits that a search may ask for
_BATCH = 1_000  # rows of one insert: its message must stay below 64 MB
_PATIENCE_S = 60.0
_LITE = ".db"
# They print a traceback for what is raised as well, and for calls that Milvus Lite lacks and does without.
_TALKATIVE = ("pymilvus.decorators", "pymilvus.client.connection_manager", "grpc._server")


def _address(uri: str) -> str:
    """Refuse what is no address of Milvus, or holds a secret, without showing it."""
    try:
        parts = urlsplit(uri)
        secret = parts.username is not None or parts.password is not None
        server = parts.scheme in {"http", "https", "tcp"} and bool(parts.hostname)
    except ValueError:
        secret = server = False
    if secret or "@" in uri:
        raise ValueError("holds a user or a password: leave them out, and name the token's variable with token_env")
    if not server and (parts.scheme or not uri.endswith(_LITE)):
        raise ValueError("must be an address such as http://127.0.0.1:19530, or a file of Milvus Lite that ends in .db")
    return uri


@component
class MilvusRetriever:
    """Ranks by the cosine between a question's vector and each chunk's.

    ``uri`` is a cluster's address or a file. ``token_env`` is the NAME of the environment variable with the token
    (user:password, or a key), ``None`` for servers without. ``index`` ``FLAT`` compares with every vector; any other
    kind that the server knows is APPROXIMATE, with its own ``index_params`` and ``search_params``. ``depth`` ends a
    ranking: Milvus gives no more than 16384.
    """

    ELSEWHERE: ClassVar = True  # a server ranks, whose version is not ours to know: rankings are not kept on disk
    INCIDENTAL: ClassVar = frozenset({"token_env", "uri"})

    model: Embedder
    uri: Annotated[str, AfterValidator(_address)] = "http://127.0.0.1:19530"
    token_env: VariableName | None = None
    index: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] = "FLAT"
    index_params: dict[str, Any] = Field(default_factory=dict)
    search_params: dict[str, Any] = Field(default_factory=dict)
    depth: Annotated[int, Field(ge=1, le=_MOST)] = 1000

    @model_validator(mode="after")
    def _check(self) -> Self:
        need(self, "pymilvus", "milvus")
        if not urlsplit(self.uri).scheme:
            need(self, "milvus_lite", "milvus")
        return self

    def build(self, chunks: Sequence[Chunk]) -> "MilvusIndex":
        """Write the chunks' vectors into a collection, unless it is there.

        Raises:
            InputError: there is no chunk, or all are blank.
            EvalfirstError: Milvus can't be reached, or refuses.
        """
        store = _Store(self.uri, value_of(self.token_env, "the token") if self.token_env else "")
        name = content_name("evalfirst_vectors", [self.model.identity, self.index, self.index_params], chunks)
        rows = sum(bool(chunk.shown.strip()) for chunk in chunks)
        with store.telling():
            if not store.holds(name, rows):
                _write(store, name, self, chunks)
        return MilvusIndex(store, name, rows, self)


@dataclass(frozen=True, eq=False)
class MilvusIndex:
    """A collection, loaded."""

    store: "_Store"
    name: str
    rows: int
    settings: MilvusRetriever

    def foresee(self, queries: Sequence[str]) -> None:
        """Embed them together."""
        if asked := [query for query in queries if query.strip()]:
            self.settings.model.queries(asked)

    def rank(self, query: str) -> Ranking:
        """The nearest chunks, best first, equal scores in corpus order; none for a blank question."""
        if not query.strip():
            return Ranking(np.array([], np.int32), np.array([], np.float64))
        (vector,) = self.settings.model.queries([query])
        return best_first(lambda limit: self._found(vector, limit), self.settings.depth, min(self.rows, _MOST))

    def _found(self, vector: NDArray[np.float32], limit: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        how = {"metric_type": "COSINE", "params": self.settings.search_params}
        with self.store.telling():
            (hits,) = self.store.client.search(
                self.name, [vector], limit=limit, search_params=how, output_fields=["position"], timeout=_PATIENCE_S
            )
        return np.array([hit["position"] for hit in hits], np.int32), np.array([hit["distance"] for hit in hits])


class _Store:
    """A client, closed when nobody holds this object any more; every failure is one line without the token."""

    def __init__(self, uri: str, token: str) -> None:
        self._uri, self._token = uri, token
        with self.telling():
            self.client = self._connect()
        weakref.finalize(self, self.client.close)

    def _connect(self) -> "MilvusClient":
        from pymilvus import MilvusClient

        if urlsplit(self._uri).scheme:
            return MilvusClient(uri=self._uri, token=self._token, timeout=_PATIENCE_S)
        file = START / self._uri
        file.parent.mkdir(parents=True, exist_ok=True)
        return MilvusClient(uri=str(file))

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Turn what Milvus raises into one line, and keep its library from printing its own account."""
        from pymilvus.exceptions import MilvusException

        loggers = [logging.getLogger(name) for name in _TALKATIVE]
        was = [logger.disabled for logger in loggers]
        try:
            for logger in loggers:
                logger.disabled = True
            yield
        except MilvusException as error:
            told = masked_line(EvalfirstError(error.message), [self._token])
            raise EvalfirstError(f"Milvus at {self._uri} failed: {told}; start it, or correct retriever.uri") from None
        finally:
            for logger, disabled in zip(loggers, was, strict=True):
                logger.disabled = disabled

    def holds(self, name: str, rows: int) -> bool:
        """Whether the collection is there with all its rows; one that lost some is dropped."""
        if not self.client.has_collection(name):
            return False
        self.client.load_collection(name)
        (counted,) = self.client.query(name, filter="", output_fields=["count(*)"], timeout=_PATIENCE_S)
        if counted["count(*)"] == rows:
            return True
        self.client.drop_collection(name)
        return False


def _write(store: _Store, name: str, settings: MilvusRetriever, chunks: Sequence[Chunk]) -> None:
    client, part = store.client, f"evalfirst_part_{uuid.uuid4().hex}"
    try:
        for places, vectors in embedded(settings.model, chunks):
            if not client.has_collection(part):
                _create(client, part, settings, vectors.shape[1])
            for start in range(0, len(places), _BATCH):
                batch = zip(places[start : start + _BATCH].tolist(), vectors[start : start + _BATCH], strict=True)
                client.insert(part, [{"position": place, "vector": vector} for place, vector in batch])
        client.flush(part)
        if not client.has_collection(name):
            client.rename_collection(part, name)
    finally:
        with suppress(Exception):  # what went wrong before is told
            if client.has_collection(part):
                client.drop_collection(part)
    client.load_collection(name)


def _create(client: "MilvusClient", name: str, settings: MilvusRetriever, dimensions: int) -> None:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("position", DataType.INT64, is_primary=True)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimensions)
    index = client.prepare_index_params()
    index.add_index("vector", index_type=settings.index, metric_type="COSINE", params=settings.index_params)
    client.create_collection(name, schema=schema, index_params=index, consistency_level="Strong")
