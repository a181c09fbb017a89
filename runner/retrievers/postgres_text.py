"""PostgreSQL's full text search, over a table of its own in a database that is already there."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from eval.component import component
from eval.errors import InputError
from eval.records import Chunk, Ranking
from eval.text.analyzer import Analyzer
from runner.retrievers.postgres import Database, Table, identifier, storable
from runner.retrievers.stores import VariableName, content_name, need

if TYPE_CHECKING:
    import psycopg
    from psycopg.sql import Composable, Composed, Identifier

_LONGEST = 2046  # bytes of a lexeme


@component
class PostgresTextRetriever:
    """Ranks by ``ts_rank`` or ``ts_rank_cd`` (Clarke et al., 1999). Neither knows how rare a word is.

    ``uri_env`` is the NAME of the environment variable with the connection string. ``configuration`` is PostgreSQL's
    own analysis (english, simple …); none of those that it ships cuts Chinese into words: a run of it is one word.
    ``None`` has the terms made by ``analyzer``, and asks for those that carry content. ``match`` asks for chunks with
    ``any`` or with ``all`` words of the question. ``normalization`` is PostgreSQL's bit mask against long documents.
    ``depth`` ends a ranking; ``None`` gives every match.
    """

    ELSEWHERE: ClassVar = True  # a server ranks, whose version is not ours to know: rankings are not kept on disk
    INCIDENTAL: ClassVar = frozenset({"uri_env"})

    uri_env: VariableName = "EVALFIRST_POSTGRES"
    configuration: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$")] | None = None
    function: Literal["ts_rank", "ts_rank_cd"] = "ts_rank"
    normalization: Annotated[int, Field(ge=0, le=63)] = 1
    match: Literal["any", "all"] = "any"
    depth: Annotated[int, Field(ge=1)] | None = 1000
    analyzer: Analyzer = Field(default_factory=Analyzer)

    @model_validator(mode="after")
    def _check(self) -> Self:
        need(self, "psycopg", "postgres")
        return self

    def build(self, chunks: Sequence[Chunk]) -> "PostgresTextIndex":
        """Write the chunks as they are shown into a table, unless it is there.

        Raises:
            InputError: there is no chunk, or none with a word in it; or the server lacks the configuration.
            EvalfirstError: the server can't be reached, or refuses.
        """
        database = Database(self.uri_env)
        self._check_configuration(database)
        analysis = self.configuration or asdict(self.analyzer)
        name = content_name("text", analysis, chunks)
        note = f"evalfirst: {len(chunks)} chunks for full text search, {self.configuration or 'own terms'}"
        database.ensure(Table(name, len(chunks), _Writer(self, chunks).fill, note))
        return PostgresTextIndex(database, name, self)

    def _check_configuration(self, database: Database) -> None:
        known = sorted(name for (name,) in database.rows("SELECT cfgname::text FROM pg_ts_config"))
        if self.configuration and self.configuration.rpartition(".")[2] not in known:
            raise InputError(
                f"configuration must be null or one that the server has, {', '.join(known)} (got {self.configuration})"
            )


@dataclass(frozen=True, eq=False)
class PostgresTextIndex:
    """A table that is searched by one connection."""

    database: Database
    table: str
    settings: PostgresTextRetriever

    def rank(self, query: str) -> Ranking:
        """Chunks that match, best first, equal scores in corpus order."""
        lexemes = self._lexemes(storable(query))
        if not lexemes:
            return Ranking(np.array([], np.int32), np.array([], np.float64))
        asked = (" | " if self.settings.match == "any" else " & ").join(map(_quoted, lexemes))
        rows = self.database.rows(self._statement, [asked, asked, self.settings.depth])
        return Ranking(np.array([row[0] for row in rows], np.int32), np.array([row[1] for row in rows], np.float64))

    @cached_property
    def _statement(self) -> "Composed":
        from psycopg.sql import SQL, Literal

        return SQL(
            "SELECT * FROM (SELECT position, {function}(terms, %s::tsquery, {normalization})::float8 AS score"
            " FROM {table} WHERE terms @@ %s::tsquery) AS found WHERE score > 0 ORDER BY score DESC, position LIMIT %s"
        ).format(
            function=SQL(self.settings.function),
            normalization=Literal(self.settings.normalization),
            table=identifier(self.table),
        )

    def _lexemes(self, query: str) -> list[str]:
        """The question's terms, each once, by the analysis that made the table."""
        if self.settings.configuration is None:
            return [term for term in dict.fromkeys(self._own_terms(query)) if _fits(term)]
        statement = "SELECT tsvector_to_array(to_tsvector(%s::regconfig, %s))"
        ((lexemes,),) = self.database.rows(statement, [self.settings.configuration, query])
        return list(lexemes)

    def _own_terms(self, query: str) -> list[str]:
        """Without function words, which count as much as any word where rarity does not."""
        analyzer = self.settings.analyzer
        # segmented words are not the pairs of characters that carry content
        content = analyzer.content_terms(query) if analyzer.chinese == "bigrams" else []
        return content or analyzer.terms(query)


@dataclass(frozen=True)
class _Writer:
    settings: PostgresTextRetriever
    chunks: Sequence[Chunk]

    def fill(self, connection: "psycopg.Connection[Any]", name: "Identifier") -> None:
        """Create the table and copy the chunks into it."""
        from psycopg.sql import SQL

        columns = SQL("position integer PRIMARY KEY, chunk_id text NOT NULL, shown text NOT NULL, terms tsvector")
        connection.execute(SQL("CREATE TABLE {} ({} {})").format(name, columns, self._made()))
        copied = SQL("position, chunk_id, shown, terms" if self._own else "position, chunk_id, shown")
        with (
            connection.cursor() as cursor,
            cursor.copy(SQL("COPY {} ({}) FROM STDIN").format(name, copied)) as copy,
        ):
            for row in self._rows():
                copy.write_row(row)
        if not connection.execute(SQL("SELECT 1 FROM {} WHERE length(terms) > 0 LIMIT 1").format(name)).fetchone():
            raise InputError(f"nothing to index: none of the {len(self.chunks)} chunks has a word; fill the documents")
        connection.execute(SQL("CREATE INDEX ON {} USING gin (terms)").format(name))

    @property
    def _own(self) -> bool:
        """Whether the terms are made here and not by PostgreSQL."""
        return self.settings.configuration is None

    def _made(self) -> "Composable":
        """How PostgreSQL fills the column of terms where the analysis is its own."""
        from psycopg.sql import SQL, Literal

        if self._own:
            return SQL("")
        configuration = Literal(self.settings.configuration)
        return SQL("GENERATED ALWAYS AS (to_tsvector({}, shown)) STORED").format(configuration)

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for position, chunk in enumerate(self.chunks):
            row = (position, storable(chunk.id), storable(chunk.shown))
            if self._own:
                yield *row, _vector(self.settings.analyzer.terms(chunk.shown))
            else:
                yield row


def _vector(terms: Sequence[str]) -> str:
    """A ``tsvector`` as PostgreSQL reads it: each term with its places, counted from 1."""
    places = defaultdict(list)
    for place, term in enumerate(terms, 1):
        places[term].append(str(place))
    return " ".join(f"{_quoted(term)}:{','.join(at)}" for term, at in places.items() if _fits(term))


def _fits(term: str) -> bool:
    return len(term.encode()) <= _LONGEST


def _quoted(lexeme: str) -> str:
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
