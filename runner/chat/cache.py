"""Replies that were paid for, kept in a small table under the complete request that they answer."""

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self
from weakref import finalize

from filelock import Timeout
from pydantic import TypeAdapter, ValidationError

from eval.chat.messages import ChatRequest
from eval.errors import EvalfirstError
from eval.fingerprints import canonical_json
from runner.sqlite_files import open_to_read, open_to_write

CacheMode = Literal["on", "off", "only"]
FILE = "calls.sqlite"
FORMAT = 1  # of keys and of the table
_TABLE = """
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, text TEXT NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, milliseconds REAL NOT NULL, usd REAL
) WITHOUT ROWID
"""

_SELECT = "SELECT model, text, input_tokens, output_tokens, milliseconds, usd FROM calls WHERE key = ?"
_INSERT = "INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Kept:
    """A reply that ended by itself, and what it cost when it was paid for; ``usd`` is ``None`` if that is unknown."""

    model: str
    text: str
    input_tokens: int
    output_tokens: int
    milliseconds: float
    usd: float | None


_KEPT: TypeAdapter[Kept] = TypeAdapter(Kept)
_COLUMNS = ("model", "text", "input_tokens", "output_tokens", "milliseconds", "usd")


def call_key(identity: Mapping[str, Any], request: ChatRequest) -> str:
    """SHA-256 of everything that a reply follows from; how long it is expected to be is no part of that."""
    asked = [request.system, request.user, request.max_tokens, request.schema]
    return hashlib.sha256(canonical_json([FORMAT, identity, asked]).encode("utf-8", "surrogatepass")).hexdigest()


class CallCache:
    """The table in ``folder``; with the mode ``off`` there is none, and ``only`` says to callers not to ask a model.

    Several threads and processes may use it at a time. What goes wrong while a run is on costs an entry and leaves a
    line in ``notes``, never a reply.
    """

    def __init__(self, folder: Path, mode: CacheMode = "on") -> None:
        self.mode: CacheMode = mode
        self.notes: list[str] = []
        self._lock = threading.Lock()
        self._path = folder / FILE
        self._table: sqlite3.Connection | None = None

    def open(self) -> Self:
        """Open the file, or make it; before that nothing is found or kept. May be called twice.

        Raises:
            EvalfirstError: the file is damaged, or can't be written.
        """
        with self._lock:
            if self._table is None and self.mode != "off":
                self._table = _opened(self._path, read_only=self.mode == "only")
                finalize(self, self._table.close)  # a configuration that is only checked closes nothing itself
        return self

    def get(self, key: str) -> Kept | None:
        """The reply under this key; one that somebody else wrote there and that is none is not found."""
        row = None
        with self._lock, self._noting("a cached reply could not be read, so it was asked for again"):
            row = self._read(key)
        return row  # noqa: RET504 – what is raised in between is noted, and then it is None

    def _read(self, key: str) -> Kept | None:
        row = None if self._table is None else self._table.execute(_SELECT, (key,)).fetchone()
        return None if row is None else _KEPT.validate_python(dict(zip(_COLUMNS, row, strict=True)))

    def put(self, key: str, kept: Kept) -> Kept:
        """Keep a reply. The first one stays and is given back, so that all processes go on with the same."""
        row = (key, kept.model, kept.text, kept.input_tokens, kept.output_tokens, kept.milliseconds, kept.usd)
        with self._lock, self._noting("replies could not be kept, so a repeat will ask for them again"):
            if self._table is not None and self._table.execute(_INSERT, row).rowcount == 0:
                return self._read(key) or kept
        return kept

    def forget(self, key: str) -> None:
        """Keep a reply no longer, as it was of no use."""
        with self._lock, self._noting("a reply could not be forgotten"):
            if self._table is not None and self.mode == "on":
                self._table.execute("DELETE FROM calls WHERE key = ?", (key,))

    def close(self) -> None:
        """Close the file; nothing is found or kept any more."""
        with self._lock:
            if self._table is not None:
                self._table.close()
            self._table = None

    @contextmanager
    def _noting(self, consequence: str) -> Iterator[None]:
        """Note a failure of the file, once for each kind."""
        try:
            yield
        except (sqlite3.Error, ValidationError) as error:
            note = f"{self._path}: {consequence} ({' '.join(str(error).split())})"
            if note not in self.notes:
                self.notes.append(note)


def _opened(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """The table, made if there is none."""
    try:
        return _only_read(path) if read_only else open_to_write(path, (_TABLE,), FORMAT, read_all=True)
    except Timeout:
        raise EvalfirstError(f"{path} is held by another process: let it end, or run with cache=off") from None
    except (OSError, sqlite3.OperationalError) as error:
        reason = " ".join(str(error).split())
        raise EvalfirstError(f"{path} can't be opened ({reason}): make it writable, or run with cache=off") from None
    except sqlite3.DatabaseError as error:
        raise EvalfirstError(f"{path} is no sound cache ({error}): delete it, or run with cache=off") from None


def _only_read(path: Path) -> sqlite3.Connection:
    """The table as it lies there; an empty one where there is none."""
    if path.exists():
        return open_to_read(path, FORMAT, read_all=True)
    table = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    table.execute(_TABLE)
    return table
