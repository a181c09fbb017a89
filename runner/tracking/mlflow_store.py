"""MLflow as the place where runs are kept side by side. The library is loaded when the first run is logged."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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


@component
class MlflowTracking:
    """Logs run folders to MLflow.

    ``uri`` is a database or a server; None is ``mlflow.db`` below ``root``, which is created on first use.
    ``experiment`` replaces the experiment that a run names. ``timeout_s`` bounds each request to a server.
    """

    uri: str | None = None
    experiment: str | None = None
    timeout_s: Annotated[int, Field(gt=0)] = 5
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

            return log_run(folder, place, self.experiment)

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
        failures = _load(self.timeout_s)
        try:
            yield place
        except failures as error:
            raise _unavailable(error, place, kept, failed) from error


def _load(timeout_s: int) -> tuple[type[Exception], ...]:
    """Import MLflow, quiet and impatient unless the environment says otherwise. Returns what it raises."""
    for name, value in {**_QUIET, "MLFLOW_HTTP_REQUEST_TIMEOUT": str(timeout_s)}.items():
        os.environ.setdefault(name, value)
    from alembic.util.exc import CommandError
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    from runner.tracking.database import StoreRefusedError

    return (MlflowException, StoreRefusedError, SQLAlchemyError, CommandError, sqlite3.Error, OSError, ImportError)


def _unavailable(error: Exception, place: Address, kept: Path | None, failed: str) -> TrackingUnavailable:
    lines = [line for line in str(error).splitlines() if line.strip() and "(raised as a result of" not in line]
    first = (lines or [type(error).__name__])[0].strip()
    if re.match(r"API request to \S+ failed with", first):
        return ServerSilent(f"the MLflow server at {place.uri} does not answer, or only with errors", kept)
    reason = re.sub(r"^\([\w.]+\) ", "", first)[:_REASON_LENGTH]
    if type(error).__name__ == "StoreRefusedError":
        return TrackingRefused(f"{failed} {place.uri}: {reason}; or measure without it: tracking=none", kept)
    return TrackingUnavailable(f"{failed} {place.uri}: {reason}", kept)
