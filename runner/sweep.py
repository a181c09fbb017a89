"""A sweep as files: what its jobs need to know of it while it runs, and its leaderboard at the end."""

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.clock import now_ms
from runner.leaderboard import Entry, leaderboard_markdown, rank_entries
from runner.places import write_whole
from runner.protocols import Logged, Tracking
from runner.run_folder import to_json
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
        record = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return cls(folder.name, record["experiment"], tuple(record["swept"]))


def open_sweep(
    folder: Path,
    name: str,
    datasets: Collection[str],
    tracking: Mapping[str, Any],
    overrides: Sequence[str],
    swept: Sequence[str],
    jobs: int,
) -> None:
    """Write the sweep's record before its first job starts.

    Runs of several datasets are kept in one experiment, named after the sweep: only runs of one experiment are shown
    side by side.
    """
    record = {
        "name": name,
        "experiment": next(iter(datasets)) if len(datasets) == 1 else name,
        "tracking": {key: tracking.get(key) for key in ("uri", "experiment")},
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


def _job_number(path: Path) -> tuple[int, str]:
    """Jobs in their order; folders that somebody named otherwise come by name."""
    name = path.parent.name
    return (int(name) if name.isdecimal() else sys.maxsize, name)


def close_sweep(folder: Path, tracking: Tracking, status: str) -> tuple[str, Logged | None]:
    """Write the leaderboard of what finished, close the sweep's record and log it. Returns the leaderboard."""
    entries = [Entry.read(path.parent) for path in sorted(folder.glob("**/run.json"), key=_job_number)]
    ranked = rank_entries(entries)
    markdown = leaderboard_markdown(ranked)
    write_whole(folder / "leaderboard.md", markdown)
    write_whole(folder / "leaderboard.json", to_json([entry.plain() for entry in ranked]))
    record: Mapping[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    finished = sum(entry.error is None for entry in entries)
    metrics = {"sweep/jobs": record["jobs"], "sweep/finished": finished}
    write_whole(folder / FILE, to_json({**record, "status": status, "ended": now_ms(), "metrics": metrics}))
    return markdown, tracking.log_sweep(folder)
