"""Arrays in files by stage and key: checked when read, written whole, shared by processes, bounded in size."""

import hashlib
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from filelock import FileLock
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]

UNKEPT = "work can't be kept in"
MOST_BYTES = 2 * 1024**3
_TIMES, _SEAL = "milliseconds", "seal"
_SUFFIX = ".npz"
_UNSEEN = 1 / 32  # of the room, by which it may be passed
_LEFT_OVER_S = 3600.0  # after which a file that was being written belongs to a process that died


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What was kept of one piece of work: its arrays, none where only the time is known, and its milliseconds."""

    arrays: Arrays
    milliseconds: tuple[float, ...]


class WorkCache:
    """Files below ``folder``; those used longest ago go first when they are more than ``most_bytes`` in all.

    An entry that is damaged, or lies under another's name, counts as absent. What can't be written costs only the
    keeping and leaves a line in ``notes``. A key must hold everything that the work follows from, the code included.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._unseen = math.inf  # bytes that were written since the folder was looked through, which takes a while
        self.notes: list[str] = []

    @contextmanager
    def working(self, stage: str, key: str) -> Iterator[None]:
        """Hold this piece of work, so that of several processes that need it one does it and the others wait."""
        path = self._path(stage, key).with_suffix(".lock")
        with ExitStack() as held:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                held.enter_context(FileLock(path))
            except OSError as error:
                self._note(error)
            yield

    def load(self, stage: str, key: str) -> Entry | None:
        """The entry, ``None`` where there is no sound one."""
        whole = self._read(stage, key, lambda file: {name: file[name] for name in file.files})
        if whole is None:
            return None
        seal, times = whole.pop(_SEAL, None), whole.get(_TIMES)
        if seal is None or times is None or not np.array_equal(seal, _seal(stage, key, whole)):
            self.forget(stage, key, ValueError("it is not what was written under this name"))
            return None
        del whole[_TIMES]
        return Entry(whole, tuple(times.tolist()))

    def times(self, stage: str, key: str) -> tuple[float, ...] | None:
        """The milliseconds of an entry without reading its arrays."""
        return self._read(stage, key, lambda file: tuple(file[_TIMES].tolist()))

    def save(self, stage: str, key: str, arrays: Arrays, milliseconds: tuple[float, ...]) -> None:
        """Keep an entry; a reader sees all of it or nothing."""
        path = self._path(stage, key)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        whole = {**arrays, _TIMES: np.array(milliseconds, dtype=np.float64)}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                np.savez(file, allow_pickle=False, **whole, **{_SEAL: _seal(stage, key, whole)})
            self._unseen += beside.stat().st_size
            beside.replace(path)
            if self._unseen > self._most_bytes * _UNSEEN:
                self._make_room()
        except OSError as error:
            self._note(error)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    def forget(self, stage: str, key: str, error: Exception) -> None:
        """Drop an entry of which nothing could be made, and tell."""
        path = self._path(stage, key)
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        self.notes.append(f"{path}: kept work is damaged ({reason}), so it was done again")
        with suppress(OSError):
            path.unlink()

    def _path(self, stage: str, key: str) -> Path:
        return self._folder / stage / f"{key}{_SUFFIX}"

    def _read(self, stage: str, key: str, take: Callable[[NpzFile], T]) -> T | None:
        path = self._path(stage, key)
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                taken = take(file)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self._note(error)
            return None
        except Exception as error:  # noqa: BLE001 – whatever a file makes the libraries raise, it is no entry
            self.forget(stage, key, error)
            return None
        with suppress(OSError):
            os.utime(path)  # used just now
        return taken

    def _note(self, error: OSError) -> None:
        """Tell once that nothing can be kept."""
        if not any(note.startswith(UNKEPT) for note in self.notes):
            self.notes.append(f"{UNKEPT} {self._folder} ({error.strerror or error}), so a repeat will do it again")

    def _make_room(self) -> None:
        """Drop what dead processes left, then the entries used longest ago, with their locks.

        Whoever waits for a lock that is gone does the work again at worst.
        """
        total, self._unseen = 0, 0.0
        for modified, size, path in sorted(self._sizes(), reverse=True):
            total += size
            left_over = path.suffix != _SUFFIX and time.time_ns() - modified > _LEFT_OVER_S * 1e9
            if total > self._most_bytes or left_over:
                path.unlink(missing_ok=True)
                path.with_suffix(".lock").unlink(missing_ok=True)

    def _sizes(self) -> Iterator[tuple[int, int, Path]]:
        """When each file was used last, in nanoseconds, and its size; another process may drop some meanwhile."""
        for path in self._folder.glob(f"*/*{_SUFFIX}*"):
            with suppress(FileNotFoundError):
                status = path.stat()
                yield status.st_mtime_ns, status.st_size, path


def _seal(stage: str, key: str, arrays: Arrays) -> NDArray[np.uint8]:
    """A checksum of an entry and its name."""
    digest = hashlib.sha256(f"{stage}/{key}".encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.data)
    return np.frombuffer(digest.digest(), dtype=np.uint8)
