"""Run and sweep folders: what the experiment loop wrote there, and the note that says whether it was logged."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

from filelock import FileLock
from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from eval.errors import InputError
from runner.places import write_whole
from runner.tracking.process import parse_process

RUN, SWEEP, NOTE = "run.json", "sweep.json", "tracking.json"
PROCESS_TAG = "evalfirst.process"
LOCK_TIMEOUT_S = 120

T = TypeVar("T")


@dataclass(frozen=True)
class Data:
    """The data that a run measured; ``source`` says where it lies, ``profile`` holds sizes."""

    name: str
    digest: str
    source: Any = None
    profile: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Destination:
    """Where the loop meant to log; None stands for the default, ``wanted`` is false where tracking was switched off."""

    uri: str | None = None
    experiment: str | None = None
    wanted: bool = True


@dataclass(frozen=True)
class RunSummary:
    """A finished run; times in milliseconds since 1970. ``files`` were written beside its summary."""

    name: str
    experiment: str
    status: Literal["FINISHED", "FAILED", "KILLED"]
    complete: bool
    started: int
    ended: int
    params: dict[str, Any]
    metrics: dict[str, float | None]
    tags: dict[str, Any]
    dataset: Data | None = None
    sweep: str | None = None
    error: str | None = None
    tracking: Destination | None = None
    files: list[str] = dataclasses.field(default_factory=list)


@dataclass(frozen=True)
class SweepSummary:
    """A sweep, running or ended; the process that drives it stands in its tag ``evalfirst.process``."""

    name: str
    experiment: str
    status: Literal["RUNNING", "FINISHED", "FAILED", "KILLED"]
    started: int
    ended: int | None = None
    overrides: list[str] = dataclasses.field(default_factory=list)
    tags: dict[str, Any] = dataclasses.field(default_factory=dict)
    metrics: dict[str, float | None] = dataclasses.field(default_factory=dict)
    tracking: Destination | None = None

    @property
    def outcome(self) -> str:
        """Its status; KILLED if it was left running by a process that is gone."""
        process = parse_process(self.tags.get(PROCESS_TAG))
        return "KILLED" if self.status == "RUNNING" and process and process.is_gone() else self.status


@dataclass(frozen=True)
class Note:
    """How far logging got. The ``token`` is a tag of the run, and finds it even if nothing but the note was written."""

    uri: str
    run_id: str = ""
    experiment_id: str = ""
    token: str = ""
    state: Literal["started", "finished"] = "finished"


def read_run(folder: Path) -> RunSummary:
    """The run of a run folder; ``InputError`` if its file is missing or wrong."""
    return _read(folder / RUN, RunSummary)


def read_sweep(folder: Path) -> SweepSummary:
    """The sweep of a sweep folder; ``InputError`` if its file is missing or wrong."""
    return _read(folder / SWEEP, SweepSummary)


def read_note(folder: Path) -> Note | None:
    """How far logging got; None if it never began."""
    return _read(folder / NOTE, Note) if (folder / NOTE).exists() else None


def write_note(folder: Path, note: Note) -> None:
    """Replace the note."""
    write_whole(folder / NOTE, json.dumps(dataclasses.asdict(note), indent=2) + "\n")


def lock(folder: Path) -> FileLock:
    """One process at a time logs a folder; the lock falls with the process that holds it."""
    return FileLock(folder / ".tracking.lock", timeout=LOCK_TIMEOUT_S)


def artifacts(folder: Path) -> Iterator[tuple[Path, str | None]]:
    """Files to upload with the folder that they belong to in the store.

    The files of a sweep's jobs belong to their own runs; what begins with a dot is Hydra's or ours.
    """
    pattern = "*" if (folder / SWEEP).exists() else "**/*"
    for path in sorted(folder.glob(pattern)):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        if path.is_file() and not hidden and inside.as_posix() not in {RUN, SWEEP, NOTE}:
            yield path, inside.parent.as_posix() if inside.parent.parts else None


def _read(path: Path, kind: type[T]) -> T:
    try:
        return TypeAdapter(kind).validate_python(json.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        places = [(".".join(map(str, each["loc"])) or "the whole", each["msg"]) for each in error.errors()]
        raise InputError(*(f"{path}: {place}: {message}" for place, message in places)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: can't be read: {error}") from None
