"""SQLite files that several threads and processes keep things in, opened with care."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock

PATIENCE_S = 20  # for another process to let go


def open_to_write(path: Path, statements: Sequence[str], version: int, *, read_all: bool) -> sqlite3.Connection:
    """A connection whose writes are each a transaction of their own, to a file that is made if there is none.

    One process at a time opens it, as two that make one get in each other's way.

    Args:
        path: the file; its folder is made.
        statements: make tables and indexes that are not there yet.
        version: of the format; a file of another is not touched.
        read_all: look for damage in the whole file, which takes the longer the larger it is.

    Raises:
        filelock.Timeout: another process holds it.
        OSError, sqlite3.OperationalError: it can't be opened or written.
        sqlite3.DatabaseError: it is damaged, no such file, or of another format.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{path}.lock", timeout=PATIENCE_S):
        table = sqlite3.connect(path, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
        try:
            table.execute("PRAGMA journal_mode=WAL")
            table.execute("PRAGMA synchronous=NORMAL")
            _check(table, version, read_all=read_all)
            for statement in statements:
                table.execute(statement)
            table.execute(f"PRAGMA user_version={version}")
        except BaseException:
            table.close()
            raise
    return table


def open_to_read(path: Path, version: int, *, read_all: bool) -> sqlite3.Connection:
    """A connection to a file as it lies there, perhaps where nothing can be written; raises as ``open_to_write``."""
    for how in ("mode=ro", "mode=ro&immutable=1"):  # the second where not even a lock can be written
        table = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, check_same_thread=False)
        try:
            _check(table, version, read_all=read_all)
        except sqlite3.Error as error:
            table.close()
            if "immutable" in how or not isinstance(error, sqlite3.OperationalError):
                raise
        else:
            return table
    raise AssertionError("the loop returns or raises")


def _check(table: sqlite3.Connection, version: int, *, read_all: bool) -> None:
    """Raise ``sqlite3.DatabaseError`` if the file is damaged, or not of our format; 0 is a new one's."""
    (found,) = table.execute("PRAGMA user_version").fetchone()
    verdict = table.execute("PRAGMA quick_check(1)").fetchone()[0] if read_all else "ok"
    if verdict != "ok" or found not in {0, version}:
        raise sqlite3.DatabaseError(verdict if verdict != "ok" else f"its format is {found}, not {version}")
