"""Arrays in files by stage and key: checked when read, written whole, shared by processes, bounded in size."""

import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

UNKEPT = "work can't be kept in"
MOST_BYTES = 2 * 1024**3
_TIMES = "milliseconds"
_SUFFIX = ".npz"
# What a file may raise that was cut, altered, or written by something else.
_BROKEN = (ValueError, KeyError, EOFError, zipfile.BadZipFile)


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What was kept of one piece of work: its arrays, none where only the time is known, and its milliseconds."""

    arrays: Arrays
    milliseconds: tuple[float, ...]


class WorkCache:
    """Files below ``folder``; those used longest ago go first when they are more than ``most_bytes`` in all.

    An entry that is damaged counts as absent. What can't be written costs only the keeping and leaves a line in
    ``notes``. A key must hold everything that the work follows from, the code included.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most_bytes = folder, most_bytes
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
        return self._read(self._path(stage, key), only_times=False)

    def times(self, stage: str, key: str) -> tuple[float, ...] | None:
        """The milliseconds of an entry without reading its arrays."""
        entry = self._read(self._path(stage, key), only_times=True)
        return None if entry is None else entry.milliseconds

    def save(self, stage: str, key: str, arrays: Arrays, milliseconds: tuple[float, ...]) -> None:
        """Keep an entry; a reader sees all of it or nothing."""
        path = self._path(stage, key)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                np.savez(file, allow_pickle=False, **arrays, **{_TIMES: np.array(milliseconds)})
            beside.replace(path)
            self._make_room()
        except OSError as error:
            self._note(error)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    def _path(self, stage: str, key: str) -> Path:
        return self._folder / stage / f"{key}{_SUFFIX}"

    def _read(self, path: Path, *, only_times: bool) -> Entry | None:
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                names = [] if only_times else [name for name in file.files if name != _TIMES]
                entry = Entry({name: file[name] for name in names}, tuple(file[_TIMES].tolist()))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self._note(error)
            return None
        except _BROKEN as error:
            self._forget(path, error)
            return None
        with suppress(OSError):
            os.utime(path)  # used just now
        return entry

    def _forget(self, path: Path, error: Exception) -> None:
        self.notes.append(f"{path}: kept work is damaged ({' '.join(str(error).split())}), so it was done again")
        with suppress(OSError):
            path.unlink()

    def _note(self, error: OSError) -> None:
        """Tell once that nothing can be kept."""
        if not any(note.startswith(UNKEPT) for note in self.notes):
            self.notes.append(f"{UNKEPT} {self._folder} ({error.strerror or error}), so a repeat will do it again")

    def _make_room(self) -> None:
        """Drop the entries used longest ago, with their locks: whoever waits for one does the work again at worst."""
        total = 0
        for _, size, path in sorted(self._sizes(), reverse=True):
            total += size
            if total > self._most_bytes:
                path.unlink(missing_ok=True)
                path.with_suffix(".lock").unlink(missing_ok=True)

    def _sizes(self) -> Iterator[tuple[int, int, Path]]:
        """When each entry was used last, in nanoseconds, and its size; another process may drop some meanwhile."""
        for path in self._folder.glob(f"*/*{_SUFFIX}"):
            with suppress(FileNotFoundError):
                status = path.stat()
                yield status.st_mtime_ns, status.st_size, path
