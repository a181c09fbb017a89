"""Vectors that were computed or paid for, kept in a table under the model and the text that they are for."""

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal
from weakref import finalize

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from runner.sqlite_files import ASIDE, inode, is_damage, open_or_renew, open_to_read

Role = Literal["document", "query"]
FILE = "vectors.sqlite"
FORMAT = 1  # of keys and of the table
MAX_BYTES = 2 * 1024**3
_AT_ONCE = 500  # keys of one look-up
_LEFT = 0.95  # of the bound, after it was reached and what was longest unused was thrown away
_OVER = 0.05  # of the bound, by which a file may pass it while vectors are put there
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS vectors"
    " (key BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum BLOB NOT NULL, used INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS by_use ON vectors (used)",
    "SELECT key, vector, checksum, used FROM vectors LIMIT 0",  # fails if the table is somebody else's
)
_INSERT = "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)"
_TOUCH = "UPDATE vectors SET used = ? WHERE key = ?"
_FORGET = "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors ORDER BY used, rowid LIMIT ?)"
_LAST_TURN = 2**62  # never reached by counting, only by damage
_FAILURES = (sqlite3.Error, OSError, Timeout)

Vector = NDArray[np.float32]


class VectorStore:
    """The table in ``folder``: what was longest unused is thrown away first when its file is larger than ``max_bytes``.

    The file passes that by a twentieth at most, or by one vector. Its journal comes on top until the file is closed:
    4 MB, or what is put there and thrown away at once. A file that is damaged or no such table is moved aside, to
    ``vectors.sqlite.damaged``, and a new one begun.

    Several threads and processes may use it at a time. Whatever goes wrong costs the keeping and leaves a line in
    ``notes``, never a wrong vector. Without a folder nothing is kept.
    """

    def __init__(self, folder: Path | None, max_bytes: int = MAX_BYTES) -> None:
        self.notes: list[str] = []
        self._path = None if folder is None else folder / FILE
        self._tried = folder is None
        self._max_bytes = max_bytes
        self._foreseen: set[bytes] = set()  # keys of what an estimate would have made
        self._lock = threading.Lock()
        self._table: sqlite3.Connection | None = None
        self._writable = False
        self._inode: int | None = None  # of the file that is open
        self._damaged: int | None = None  # of one that was found damaged while it was
        self._turn = 0  # rises with each opening, and says when a vector was last used

    def get(self, identity: str, role: Role, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors of those of ``texts`` that are kept, as they were given; ``identity`` is the model's."""
        keys = {_key(identity, role, text): text for text in texts}
        found: dict[str, Vector] = {}

        def look(table: sqlite3.Connection) -> None:
            unused = []
            for key, vector, used in self._sound(_rows(table, list(keys))):
                found[keys[key]] = vector
                if used < self._turn:
                    unused.append(key)
            self._touch(table, unused)

        if keys:
            self._do(look, "kept vectors could not be read, so they were made again")
        return found

    def put(self, identity: str, role: Role, vectors: Mapping[str, Vector]) -> None:
        """Keep a vector for each text, all of them or none."""

        def write(table: sqlite3.Connection) -> None:
            if self._writable:
                rows = [_row(_key(identity, role, text), vector, self._turn) for text, vector in vectors.items()]
                with _transaction(table):
                    _insert(table, rows, self._max_bytes)
                _cut(table, self._max_bytes)

        self._do(write, "vectors could not be kept, so a repeat will make them again")

    def foresee(self, identity: str, role: Role, texts: Sequence[str]) -> list[str]:
        """Those of ``texts`` that nobody foresaw, which are foreseen from now on; all of them where nothing is kept."""
        if self._path is None:
            return list(texts)
        with self._lock:
            new = [text for text in texts if _key(identity, role, text) not in self._foreseen]
            self._foreseen.update(_key(identity, role, text) for text in new)
        return new

    @contextmanager
    def making(self, identity: str) -> Iterator[None]:
        """Hold the making of this model's vectors: of several processes that want the same one makes them."""
        with ExitStack() as held:
            if self._path is not None and self._writable:
                name = hashlib.sha256(identity.encode()).hexdigest()[:16]
                with suppress(OSError):
                    held.enter_context(FileLock(self._path.with_name(f"vectors-{name}.lock")))
            yield

    @property
    def place(self) -> str:
        """The file's path."""
        return "nowhere" if self._path is None else str(self._path)

    def close(self) -> None:
        """Close the file; nothing is found or kept any more."""
        with self._lock:
            if self._table is not None:
                self._table.close()
            self._table, self._tried = None, True

    def _do(self, work: Callable[[sqlite3.Connection], None], consequence: str) -> None:
        """Do something with the table, once more with a new one if it is damaged; note a failure once for each kind."""
        with self._lock:
            try:
                try:
                    self._with_table(work)
                except sqlite3.Error as error:
                    if not (self._writable and is_damage(error)):
                        raise
                    self._forget_table()
                    self._with_table(work)
            except _FAILURES as error:
                self._note(f"{consequence} ({_one_line(error)})")

    def _with_table(self, work: Callable[[sqlite3.Connection], None]) -> None:
        if (table := self._opened()) is not None:
            work(table)

    def _forget_table(self) -> None:
        """Let go of a file that was found damaged, so that another is opened in its place."""
        if self._table is not None:
            self._table.close()
        self._table, self._tried, self._damaged = None, False, self._inode

    def _opened(self) -> sqlite3.Connection | None:
        """The table, opened when it is first needed; a file that can't be written is still read."""
        if self._path is not None and not self._tried:
            self._tried = True
            self._table = self._open(self._path)
            if self._table is not None:
                finalize(self, self._table.close)  # whoever only asks in passing closes nothing
                (last,) = self._table.execute("SELECT CAST(coalesce(max(used), 0) AS INTEGER) FROM vectors").fetchone()
                self._turn = min(last + 1, _LAST_TURN)
        return self._table

    def _open(self, path: Path) -> sqlite3.Connection | None:
        self._writable = False
        try:
            table, wrong = open_or_renew(path, _SCHEMA, FORMAT, self._damaged)
        except _FAILURES as error:
            self._note(f"can't be written, so no new vectors are kept ({_one_line(error)})")
        else:
            self._writable, self._inode = True, inode(path)
            if wrong is not None:
                self._note(f"no sound store of vectors ({wrong}), so it was moved to {FILE}{ASIDE} and a new one begun")
            return table
        try:
            return open_to_read(path, FORMAT, read_all=False) if path.exists() else None
        except _FAILURES as error:
            self._note(f"can't be read, so no vectors are found; delete it ({_one_line(error)})")
            return None

    def _sound(self, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[bytes, Vector, int]]:
        """The rows that are what was put there."""
        for key, vector, checksum, used in rows:
            if isinstance(vector, bytes) and isinstance(used, int) and checksum == _checksum(key, vector):
                yield key, np.frombuffer(vector, dtype="<f4").astype(np.float32, copy=False), used
            else:
                self._note("damaged vectors were found, so they were made again")

    def _touch(self, table: sqlite3.Connection, keys: Sequence[bytes]) -> None:
        if keys and self._writable:
            with _transaction(table):
                table.executemany(_TOUCH, ((self._turn, key) for key in keys))

    def _note(self, text: str) -> None:
        note = f"{self.place}: {text}"
        if note not in self.notes:
            self.notes.append(note)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _key(identity: str, role: Role, text: str) -> bytes:
    parts = (str(FORMAT), role, identity, text)
    digests = (hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts)
    return hashlib.sha256(b"".join(digests)).digest()


def _checksum(key: bytes, vector: bytes) -> bytes:
    """Binds a vector to its place, too: one that landed in another row is no vector of that text."""
    return hashlib.sha256(key + vector).digest()[:8]


def _row(key: bytes, vector: Vector, turn: int) -> tuple[bytes, bytes, bytes, int]:
    content = vector.astype("<f4").tobytes()
    return key, content, _checksum(key, content), turn


def _rows(table: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[Any, ...]]:
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        places = ", ".join("?" * len(some))
        yield from table.execute(f"SELECT key, vector, checksum, used FROM vectors WHERE key IN ({places})", some)  # noqa: S608 – only question marks


@contextmanager
def _transaction(table: sqlite3.Connection) -> Iterator[None]:
    table.execute("BEGIN IMMEDIATE")
    try:
        yield
        table.execute("COMMIT")
    except BaseException:
        if table.in_transaction:  # a full disk has ended it already
            table.execute("ROLLBACK")
        raise


def _insert(table: sqlite3.Connection, rows: Sequence[tuple[bytes, bytes, bytes, int]], max_bytes: int) -> None:
    """Put rows into the table a few at a time, so that room is made before the file has grown far past its bound."""
    size = max((len(row[1]) for row in rows), default=1)
    at_once = max(1, int(_OVER / 2 * max_bytes / (size + 1)))  # half, as pages are not full
    for start in range(0, len(rows), at_once):
        table.executemany(_INSERT, rows[start : start + at_once])
        _shrink(table, max_bytes)


def _cut(table: sqlite3.Connection, max_bytes: int) -> None:
    """Give back pages by which the file is larger than it should be, as far as they are free; outside a transaction."""
    pages, size = (table.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    if (over := pages - max_bytes // size) > 0:
        table.executescript(f"PRAGMA incremental_vacuum({over})")  # anything else would stop after one page


def _shrink(table: sqlite3.Connection, max_bytes: int) -> None:
    """Throw away what was longest unused if the file holds more than it should; what is free is filled again."""
    pages, free, size = (
        table.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    live = (pages - free) * size
    if live > max_bytes:
        (entries,) = table.execute("SELECT count(*) FROM vectors").fetchone()
        table.execute(_FORGET, (max(1, int(entries * (1 - _LEFT * max_bytes / live))),))
