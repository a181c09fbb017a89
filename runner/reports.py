"""Which report a person means: a file, the folder of a run, or a run of the tracking database."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.gate.results import read_object
from runner.places import mlruns
from runner.tracking.address import locate
from runner.tracking.mlflow_store import MlflowTracking

REPORT = "report.json"
LATEST = "latest"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of the tracking database."""

    id: str
    name: str
    experiment: str


@dataclass(frozen=True, slots=True)
class Found:
    """A report, how messages call it, and where it comes from: a file or a stored run."""

    report: Mapping[str, Any]
    called: str
    path: Path | None = None
    run: StoredRun | None = None


def find_report(given: str, tracking: MlflowTracking) -> Found:
    """The report that is meant.

    Args:
        given: a report file, the folder of a run, or a logged run by id, the beginning of it, name, or ``latest``.
        tracking: the store that has the logged runs.

    Raises:
        InputError: there is none, or there are several.
        TrackingUnavailable: the store that may have it does not answer.
    """
    if given == LATEST and not is_stored(tracking) and (latest := mlruns() / "reports" / "latest.json").is_file():
        return Found(read_object(latest), str(latest), path=latest)  # measured without tracking
    folders = (Path(given), mlruns() / "runs" / given, mlruns() / "sweeps" / given)
    for path in (Path(given), *(folder / REPORT for folder in folders)):
        if path.is_file():
            return Found(read_object(path), str(path), path=path)
    if any(character in given for character in "/\\") or given.endswith(".json"):
        raise InputError(f"{given} is not there: give a run, the folder of one, or a report file")
    return _stored(given, tracking)


def is_stored(tracking: MlflowTracking) -> bool:
    """Whether there is a store: a server, or a database that was made already."""
    database = locate(tracking.uri, tracking.root).database
    return database is None or database.exists()


def _stored(given: str, tracking: MlflowTracking) -> Found:
    with tracking.opened(failed="can't read runs from") as address:
        if address.database is not None and not address.database.exists():
            raise InputError(
                f"no run is called {given!r}: there is no tracking database {address.database} yet; give a report "
                "file, the folder of a run, or --uri"
            )
        from runner.baseline.registry import Registry
        from runner.baseline.runs import Runs

        registry = Registry.at(address)
        run = Runs(registry.client).find(given)
        called = f"run {run.info.run_id} ({run.info.run_name})"
        stored = StoredRun(str(run.info.run_id), str(run.info.run_name), str(run.info.experiment_id))
        return Found(registry.report(run, called), called, run=stored)
