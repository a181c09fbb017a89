"""Tables in a PostgreSQL that is already there, each written once and found again by its content.

All of them are in the schema ``evalfirst``. A table is made within one transaction, so that whatever interrupts it
leaves nothing; an advisory lock lets a second process wait and then use it. ``DROP TABLE evalfirst.NAME`` removes one
(``\\dt+ evalfirst.*`` in psql lists them with what they hold), ``DROP SCHEMA evalfirst CASCADE`` removes all.
"""

import hashlib
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval.errors import EvalfirstError, InputError
from runner.retrievers.stores import masked_line, value_of

if TYPE_CHECKING:
    import psycopg
    from psycopg.sql import Composed, Identifier

SCHEMA = "evalfirst"
_FORM = "a connection string such as postgresql://user:password@host:5432/database"
_PATIENCE_S = 10  # for a connection, unless the connection string says otherwise


def storable(text: str) -> str:
    """``text`` without the two things that PostgreSQL can't hold: NUL and halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


class Database:
    """A connection, opened at once and closed when nobody holds this object any more.

    Every failure is one line without the password, as ``EvalfirstError``.
    """

    def __init__(self, variable: str) -> None:
        """Connect to what the environment variable says; ``InputError`` where that is no connection string."""
        self._variable = variable
        self._uri = value_of(variable, _FORM)
        self._options = _options_in(self._uri, variable)
        self.connection = self._connect()
        weakref.finalize(self, self.connection.close)

    def _connect(self) -> "psycopg.Connection[Any]":
        import psycopg

        options = {"connect_timeout": _PATIENCE_S, "application_name": "evalfirst", **self._options}
        with self.telling():  # a pooler between us and the server knows no prepared statements
            return psycopg.connect(**options, autocommit=True, prepare_threshold=None)

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Turn what the server or the way to it raises into one line."""
        import psycopg

        try:
            yield
        except psycopg.OperationalError as error:
            raise EvalfirstError(
                f"PostgreSQL at {self._where} can't be reached: {self._masked(error)}; start it, or correct "
                f"{self._variable}"
            ) from None
        except psycopg.Error as error:
            raise EvalfirstError(f"PostgreSQL at {self._where} refused: {self._masked(error)}") from None

    @property
    def _where(self) -> str:
        host, port = self._options.get("host", "localhost"), self._options.get("port", 5432)
        return f"{host}:{port}/{self._options.get('dbname', '')}"

    def _masked(self, error: BaseException) -> str:
        return masked_line(error, [self._uri, self._options.get("password")])

    def rows(self, statement: "str | Composed", values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows that a statement gives."""
        with self.telling():
            return self.connection.execute(statement, values).fetchall()

    def ensure(self, table: "Table") -> None:
        """Make the table unless it is there, complete."""
        with self.telling():
            self._prepare(table.extension)
            with self.connection.transaction():
                self._lock(table.name)
                if not self._has(table):
                    self._make(table)

    def _prepare(self, extension: str | None) -> None:
        """Make schema and extension where they are missing: only that takes rights that a user may lack."""
        from psycopg.sql import SQL, Identifier

        with self.connection.transaction():
            self._lock(SCHEMA)
            if self._one("SELECT to_regnamespace(%s) IS NULL", SCHEMA):
                self.connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(SCHEMA)))
            if extension and not self._one("SELECT count(*) FROM pg_extension WHERE extname = %s", extension):
                self.connection.execute(SQL("CREATE EXTENSION {}").format(Identifier(extension)))

    def _lock(self, name: str) -> None:
        """Wait for everybody else who is at the same thing, until the end of the transaction."""
        key = int.from_bytes(hashlib.sha256(f"{SCHEMA}.{name}".encode()).digest()[:8], signed=True)
        self.connection.execute("SELECT pg_advisory_xact_lock(%s)", [key])

    def _has(self, table: "Table") -> bool:
        from psycopg.sql import SQL

        if self._one("SELECT to_regclass(%s) IS NULL", f"{SCHEMA}.{table.name}"):
            return False
        return bool(self._one(SQL("SELECT count(*) FROM {}").format(identifier(table.name))) == table.rows)

    def _make(self, table: "Table") -> None:
        from psycopg.sql import SQL, Literal

        name = identifier(table.name)
        self.connection.execute(SQL("DROP TABLE IF EXISTS {}").format(name))
        table.fill(self.connection, name)
        self.connection.execute(SQL("ANALYZE {}").format(name))
        self.connection.execute(SQL("COMMENT ON TABLE {} IS {}").format(name, Literal(storable(table.note))))

    def _one(self, statement: "str | Composed", *values: Any) -> Any:
        row = self.connection.execute(statement, values).fetchone()
        return row[0] if row else None


def identifier(table: str) -> "Identifier":
    """The table's full name as it stands in a statement."""
    from psycopg.sql import Identifier

    return Identifier(SCHEMA, table)


@dataclass(frozen=True)
class Table:
    """A table and how it is made.

    ``name`` follows from the content. ``rows`` is how many it has when it is complete. ``fill(connection, name)``
    creates it with its indexes and its rows. ``extension`` is what the server must have. ``note`` tells a person
    what it is.
    """

    name: str
    rows: int
    fill: Callable[["psycopg.Connection[Any]", "Identifier"], None]
    note: str
    extension: str | None = None


def _options_in(uri: str, variable: str) -> dict[str, Any]:
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        return dict(conninfo_to_dict(uri))
    except ProgrammingError:  # its message shows parts of the string, which may be the password
        raise InputError(f"the environment variable {variable} can't be read: it must hold {_FORM}") from None
