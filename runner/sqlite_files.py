"""SQLite files that several threads and processes keep things in, opened with care."""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

PATIENCE_S = 20  # for another process to let go
_JOURNAL_BYTES = 4 * 1024**2  # about what SQLite lets it grow to anyway, unless much is written at once
ASIDE = ".damaged"  # behind the name of a file that was moved out of the way
# What statements that never change can fail with only where the file is not what they were written for.
_DAMAGE = {
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_NOTADB,
}


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
        return _opened(path, statements, version, read_all=read_all)


def open_or_renew(
    path: Path, statements: Sequence[str], version: int, damaged: int | None = None
) -> tuple[sqlite3.Connection, str | None]:
    """As ``open_to_write``, for what may be lost: a file that is no sound one of ours is moved aside, a new one made.

    Whoever has the old file open goes on with it where it is. Free pages of the new one can be given back, by
    ``PRAGMA incremental_vacuum``.

    Args:
        path, statements, version: as above.
        damaged: the inode of a file that was found damaged while in use; it is moved though it may open well.

    Returns:
        The connection, and what was wrong with the file that was moved; ``None`` where none was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{path}.lock", timeout=PATIENCE_S):
        wrong = "damaged" if damaged is not None and damaged == inode(path) else None
        if wrong is None:
            try:
                return _opened(path, statements, version, read_all=False, shrinks=True), None
            except sqlite3.Error as error:
                if not is_damage(error):
                    raise
                wrong = " ".join(str(error).split())
        _move_aside(path)
        return _opened(path, statements, version, read_all=False, shrinks=True), wrong


def is_damage(error: Exception) -> bool:
    """Whether an error says that a file is damaged or not ours, not that it is busy, read-only or the disk full."""
    if not isinstance(error, sqlite3.DatabaseError) or isinstance(error, sqlite3.ProgrammingError):
        return False
    code: int | None = getattr(error, "sqlite_errorcode", None)  # what is raised here has none
    return code is None or code & 0xFF in _DAMAGE


def inode(path: Path) -> int | None:
    """What tells a file from another of the same name; ``None`` where there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _move_aside(path: Path) -> None:
    """Put a file and what belongs to it out of the way, in the place of what was put there before."""
    for suffix in ("-wal", "-shm", ""):
        aside = Path(f"{path}{ASIDE}{suffix}")
        aside.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").replace(aside)


def _opened(
    path: Path, statements: Sequence[str], version: int, *, read_all: bool, shrinks: bool = False
) -> sqlite3.Connection:
    table = sqlite3.connect(path, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        if shrinks:
            table.execute("PRAGMA auto_vacuum=INCREMENTAL")  # takes effect before anything is in a file
            table.execute(f"PRAGMA journal_size_limit={_JOURNAL_BYTES}")
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
