"""A sweep as files: what its jobs need to know of it while it runs, and its leaderboard at the end."""

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.errors import EvalfirstError
from runner.clock import now_ms
from runner.leaderboard import Entry, leaderboard_markdown, rank_entries
from runner.places import write_whole
from runner.run_folder import destination, to_json
from runner.tracking.folders import PROCESS_TAG
from runner.tracking.process import this_process

FILE = "sweep.json"


@dataclass(frozen=True)
class Sweep:
    """What a job needs to know of its sweep: the experiment that keeps its runs, and the keys that differ."""

    name: str
    experiment: str
    swept: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> "Sweep":
        """From the sweep's own folder, so that a job in another process can read it too."""
        record = _record(folder)
        return cls(folder.name, record["experiment"], tuple(record["swept"]))


def experiment_of(datasets: Collection[str], name: str) -> str:
    """The tracking experiment of a sweep: its dataset's; for several datasets one named after the sweep.

    Only runs of one experiment are shown side by side.
    """
    return next(iter(datasets)) if len(datasets) == 1 else name


def open_sweep(
    folder: Path,
    name: str,
    experiment: str,
    config: Mapping[str, Any],
    overrides: Sequence[str],
    swept: Sequence[str],
    jobs: int,
) -> None:
    """Write the sweep's record before its first job starts."""
    record = {
        "name": name,
        "experiment": experiment,
        "tracking": destination(config),
        "overrides": list(overrides),
        "swept": sorted(swept),
        "jobs": jobs,
        "started": now_ms(),
        "ended": None,
        "status": "RUNNING",
        "tags": {PROCESS_TAG: str(this_process())},
        "metrics": {},
    }
    write_whole(folder / FILE, to_json(record))


@dataclass(frozen=True)
class Result:
    """How a sweep ended, as its folder tells; so it does not matter in which processes its jobs ran."""

    ranked: tuple[Entry, ...]
    jobs: int
    failures: tuple[str, ...]
    status: str
    exit_code: int

    @property
    def finished(self) -> int:
        """Jobs that were measured."""
        return sum(entry.error is None for entry in self.ranked)

    @property
    def leaderboard(self) -> str:
        """The jobs side by side, as Markdown."""
        return leaderboard_markdown(self.ranked)


def read_result(folder: Path, *, interrupted: bool) -> Result:
    """What the jobs left in their folders; one that left nothing counts as failed."""
    jobs: int = _record(folder)["jobs"]
    folders = [path.parent for path in sorted(folder.glob("**/run.json"), key=_job_number)]
    ranked = rank_entries(Entry.read(path) for path in folders)
    codes = [_exit_code(path) for path in folders]
    lost = jobs - len(folders)
    failures = [f"{entry.name}: {entry.error}" for entry in ranked if entry.error is not None]
    if lost and not interrupted:
        failures.append(f"{lost} of {jobs} jobs left no record")
    if failures and not any(codes):  # a run ended well and its record can't be read
        codes.append(EvalfirstError.exit_code)
    status = "KILLED" if interrupted else "FAILED" if failures else "FINISHED"
    return Result(tuple(ranked), jobs, tuple(failures), status, max(codes, default=EvalfirstError.exit_code))


def write_result(folder: Path, *, interrupted: bool) -> Result:
    """Write the leaderboard of what finished, and close the sweep's record."""
    result = read_result(folder, interrupted=interrupted)
    metrics = {"sweep/jobs": result.jobs, "sweep/finished": result.finished}
    closed = {"status": result.status, "ended": now_ms(), "metrics": metrics}
    record = _record(folder)
    tags = {**record["tags"], "mlflow.note.content": result.leaderboard}
    write_whole(folder / "leaderboard.md", result.leaderboard)
    write_whole(folder / "leaderboard.json", to_json([entry.plain() for entry in result.ranked]))
    write_whole(folder / FILE, to_json({**record, **closed, "tags": tags}))
    return result


def _record(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    return record


def _exit_code(folder: Path) -> int:
    try:
        return int(json.loads((folder / "run.json").read_text(encoding="utf-8"))["exit_code"])
    except (OSError, ValueError, KeyError):
        return EvalfirstError.exit_code


def _job_number(path: Path) -> tuple[int, str]:
    """Jobs in their order; folders that somebody named otherwise come by name."""
    name = path.parent.name
    return (int(name) if name.isdecimal() else sys.maxsize, name)
