"""Vectors in a PostgreSQL that is already there, by its extension pgvector."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from eval.component import component
from eval.errors import InputError
from eval.records import Chunk, Ranking
from runner.protocols import Embedder
from runner.retrievers.postgres import Database, Table, identifier, storable
from runner.retrievers.stores import VariableName, content_name, embedded, need

if TYPE_CHECKING:
    import psycopg
    from psycopg.sql import Composed, Identifier

_LARGEST, _LARGEST_INDEXED = 16_000, 2_000  # dimensions


@component
class Hnsw:
    """A graph that finds most of the nearest vectors (Malkov and Yashunin, 2018), quicker than comparing all.

    APPROXIMATE: what it misses depends on chance when it is built, so two tables of the same content may rank
    differently; one table does not. ``m`` and ``ef_construction`` are pgvector's; ``ef_search`` is how many it
    looks at, and the longest ranking it can give.
    """

    m: Annotated[int, Field(ge=2, le=100)] = 16
    ef_construction: Annotated[int, Field(ge=4, le=1000)] = 64
    ef_search: Annotated[int, Field(ge=1, le=1000)] = 1000

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.ef_construction < 2 * self.m:
            raise ValueError(
                f"hnsw.ef_construction must be at least twice hnsw.m (got {self.ef_construction} and {self.m})"
            )
        return self


@component
class PostgresVectorRetriever:
    """Ranks by the cosine between a question's vector and each chunk's.

    ``uri_env`` is the NAME of the environment variable with the connection string. ``hnsw`` ``None`` compares with
    every vector, which is exact. ``depth`` ends a ranking; ``None`` ranks every chunk that is not blank.
    """

    ELSEWHERE: ClassVar = True  # a server ranks, whose version is not ours to know: rankings are not kept on disk
    INCIDENTAL: ClassVar = frozenset({"uri_env"})

    model: Embedder
    uri_env: VariableName = "EVALFIRST_POSTGRES"
    hnsw: Hnsw | None = None
    depth: Annotated[int, Field(ge=1)] | None = 1000

    @model_validator(mode="after")
    def _check(self) -> Self:
        need(self, "psycopg", "postgres")
        need(self, "pgvector", "postgres")
        if self.hnsw and (self.depth is None or self.depth > self.hnsw.ef_search):
            raise ValueError(
                f"depth must be at most hnsw.ef_search (got {self.depth} and {self.hnsw.ef_search}): "
                "a graph gives no longer ranking"
            )
        return self

    def build(self, chunks: Sequence[Chunk]) -> "PostgresVectorIndex":
        """Write the chunks' vectors into a table, unless it is there.

        Raises:
            InputError: there is no chunk, or all are blank; or the vectors are too long for pgvector.
            EvalfirstError: the server can't be reached, or refuses.
        """
        database = Database(self.uri_env)
        graph = [self.hnsw.m, self.hnsw.ef_construction] if self.hnsw else None
        name = content_name("vectors", [self.model.identity, graph], chunks)
        rows = sum(bool(chunk.shown.strip()) for chunk in chunks)
        note = f"evalfirst: vectors of {rows} chunks by {self.model.identity}"
        database.ensure(Table(name, rows, _Writer(self, chunks).fill, note, "vector"))
        return PostgresVectorIndex(_ready(database, self.hnsw), name, self)


def _ready(database: Database, hnsw: Hnsw | None) -> Database:
    from pgvector.psycopg import register_vector

    with database.telling():
        register_vector(database.connection)
        if hnsw:
            database.connection.execute("SELECT set_config('hnsw.ef_search', %s, false)", [str(hnsw.ef_search)])
    return database


@dataclass(frozen=True, eq=False)
class PostgresVectorIndex:
    """A table that is searched by one connection."""

    database: Database
    table: str
    settings: PostgresVectorRetriever

    def foresee(self, queries: Sequence[str]) -> None:
        """Embed them together."""
        if asked := [query for query in queries if query.strip()]:
            self.settings.model.queries(asked)

    def rank(self, query: str) -> Ranking:
        """The nearest chunks, best first, equal scores in corpus order; none for a blank question."""
        if not query.strip():
            return Ranking(np.array([], np.int32), np.array([], np.float64))
        (vector,) = self.settings.model.queries([query])
        rows = self.database.rows(self._statement, [vector, self.settings.depth])
        rows.sort(key=lambda row: (row[1], row[0]))
        return Ranking(np.array([row[0] for row in rows], np.int32), 1 - np.array([row[1] for row in rows], np.float64))

    @cached_property
    def _statement(self) -> "Composed":
        from psycopg.sql import SQL

        # an order that names the position too can't be read from a graph
        order = SQL("distance" if self.settings.hnsw else "distance, position")
        statement = SQL("SELECT position, embedding <=> %s AS distance FROM {} ORDER BY {} LIMIT %s")
        return statement.format(identifier(self.table), order)


@dataclass(frozen=True)
class _Writer:
    settings: PostgresVectorRetriever
    chunks: Sequence[Chunk]

    def fill(self, connection: "psycopg.Connection[Any]", name: "Identifier") -> None:
        """Create the table, embed block by block, and copy in binary form."""
        from pgvector.psycopg import register_vector
        from psycopg.sql import SQL, Literal

        register_vector(connection)
        blocks = embedded(self.settings.model, self.chunks)
        first = next(blocks)
        columns = SQL("position integer PRIMARY KEY, chunk_id text NOT NULL, embedding vector({}) NOT NULL")
        size = Literal(self._size(first[1]))
        connection.execute(SQL("CREATE TABLE {} ({})").format(name, columns.format(size)))
        with (
            connection.cursor() as cursor,
            cursor.copy(SQL("COPY {} FROM STDIN WITH (FORMAT BINARY)").format(name)) as copy,
        ):
            copy.set_types(["int4", "text", "vector"])
            for places, vectors in chain([first], blocks):
                for place, vector in zip(places.tolist(), vectors, strict=True):
                    copy.write_row((place, storable(self.chunks[place].id), vector))
        if graph := self.settings.hnsw:
            options = SQL("m = {}, ef_construction = {}").format(Literal(graph.m), Literal(graph.ef_construction))
            statement = SQL("CREATE INDEX ON {} USING hnsw (embedding vector_cosine_ops) WITH ({})")
            connection.execute(statement.format(name, options))

    def _size(self, vectors: NDArray[np.float32]) -> int:
        size, graph = int(vectors.shape[1]), self.settings.hnsw
        largest = _LARGEST_INDEXED if graph else _LARGEST
        if size > largest:
            raise InputError(
                f"pgvector {'indexes' if graph else 'holds'} at most {largest} dimensions (got {size} of "
                f"{self.settings.model.identity}): choose a model with fewer{', or hnsw null' if graph else ''}"
            )
        return size
