"""MLflow as the place where runs are kept side by side. The library is loaded when the first run is logged."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from typing import Annotated

from pydantic import Field, field_validator

from eval.component import component
from runner.places import mlruns
from runner.tracking.address import Address, locate, problem_with
from runner.tracking.tracker import Logged, ServerSilent, TrackingRefused, TrackingUnavailable

_QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",  # MLflow's own 7 wait for minutes
    "MLFLOW_LOGGING_LEVEL": "CRITICAL",  # what goes wrong is raised, and told in one line here
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
}
_REASON_LENGTH = 300
_NOT_MLFLOW = "the server's answer is not MLflow's"
_NOT_JSON = r"API request to endpoint.* was successful but"
_OWN = frozenset({"__main__", "eval", "runner"})
_LIBRARIES = frozenset({"mlflow", "sqlalchemy", "alembic"})


@component
class MlflowTracking:
    """Logs run folders to MLflow.

    ``uri`` is a database or a server; None is ``mlflow.db`` below ``root``, which is created on first use.
    ``experiment`` replaces the experiment that a run names. ``traces`` logs a run's answers as traces, too, which
    people can label in the UI; see ``runner.tracking.traces``. ``timeout_s`` bounds each request to a server, and for
    PostgreSQL the making of a connection; a lock is waited for three times, a statement twelve times as long. Who
    has set PGCONNECT_TIMEOUT or PGOPTIONS, to nothing even, keeps these.
    """

    uri: str | None = None
    experiment: str | None = None
    timeout_s: Annotated[int, Field(gt=0)] = 5
    traces: bool = False
    root: Annotated[Path, Field(strict=False)] = Field(default_factory=mlruns)

    @field_validator("uri")
    @classmethod
    def _names_a_store(cls, uri: str | None) -> str | None:
        if uri is not None and (problem := problem_with(uri)):
            raise ValueError(problem)
        return uri

    def check(self, experiment: str) -> None:
        """Open the store and the experiment, so that a slip is told before anything is paid for.

        Raises:
            TrackingUnavailable: a run could not be logged now.
        """
        with self.opened() as place:
            from runner.tracking.store import open_store

            open_store(place, self.experiment or experiment)

    def log_run(self, folder: Path) -> Logged:
        """Log a run folder, once: one that was logged before is left as it is.

        Raises:
            TrackingUnavailable: the store cannot take it now; the folder stays pending.
            eval.errors.InputError: the folder holds something that MLflow never takes.
        """
        with self.opened(folder) as place:
            from runner.tracking.transfer import log_run

            return log_run(folder, place, self.experiment, traces=self.traces)

    def log_sweep(self, folder: Path) -> Logged:
        """Bring the parent run of a sweep up to date with its folder, and end it when the sweep has ended.

        Raises:
            TrackingUnavailable: as for a run.
            eval.errors.InputError: as for a run.
        """
        with self.opened(folder) as place:
            from runner.tracking.transfer import log_sweep

            return log_sweep(folder, place, self.experiment)

    @contextmanager
    def opened(self, kept: Path | None = None, failed: str = "runs can't be logged to") -> Iterator[Address]:
        """Load MLflow for what is done inside; whatever it raises there becomes one line.

        ``runner.tracking.database.open_client`` opens the address. ``kept`` is the folder of a run that is not lost,
        ``failed`` says what can't be done with the store.

        Raises:
            TrackingUnavailable: anything that MLflow, its database or the file system raised.
        """
        place = locate(self.uri, self.root)
        failures = _load(self.timeout_s, place)
        try:
            yield place
        except failures as error:
            raise _unavailable(error, place, kept, failed) from error
        except Exception as error:
            if not _is_of_libraries(error):
                raise
            told = _NOT_MLFLOW if place.is_server else f"{type(error).__name__}: {_first_line(error)}"
            raise TrackingUnavailable(f"{failed} {place.uri}: {told}", kept) from error


def _load(timeout_s: int, place: Address) -> tuple[type[Exception], ...]:
    """Import MLflow, quiet and impatient unless the environment says otherwise. Returns what it raises."""
    limits = {"MLFLOW_HTTP_REQUEST_TIMEOUT": str(timeout_s)}
    if place.uri.startswith("postgresql"):  # the driver reads these for MLflow's connections, too
        waits = f"-c lock_timeout={3000 * timeout_s} -c statement_timeout={12000 * timeout_s}"  # milliseconds
        limits |= {"PGCONNECT_TIMEOUT": str(timeout_s), "PGOPTIONS": waits}
    for name, value in {**_QUIET, **limits}.items():
        os.environ.setdefault(name, value)
    from alembic.util.exc import CommandError
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    from runner.tracking.database import StoreRefusedError

    return (MlflowException, StoreRefusedError, SQLAlchemyError, CommandError, sqlite3.Error, OSError, ImportError)


def _is_of_libraries(error: Exception) -> bool:
    """Whether it was raised below a call of ours into MLflow or its database layer, and so is no slip of ours."""
    rooms = [str(frame.f_globals.get("__name__")).partition(".")[0] for frame, _ in walk_tb(error.__traceback__)]
    below = max((place for place, room in enumerate(rooms) if room in _OWN), default=-1) + 1
    return below < len(rooms) and rooms[below] in _LIBRARIES


def _first_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip() and "(raised as a result of" not in line]
    return (lines or [type(error).__name__])[0].strip()[:_REASON_LENGTH]


def _unavailable(error: Exception, place: Address, kept: Path | None, failed: str) -> TrackingUnavailable:
    first = _first_line(error)
    if re.match(r"API request to \S+ failed with", first):
        return ServerSilent(f"the MLflow server at {place.uri} does not answer, or only with errors", kept)
    reason = _NOT_MLFLOW if re.match(_NOT_JSON, first) else re.sub(r"^\([\w.]+\) ", "", first)
    if type(error).__name__ == "StoreRefusedError":
        return TrackingRefused(f"{failed} {place.uri}: {reason}; or measure without it: tracking=none", kept)
    return TrackingUnavailable(f"{failed} {place.uri}: {reason}", kept)
