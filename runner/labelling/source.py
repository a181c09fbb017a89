"""The run whose answers are labelled: its report, and where its traces are, if it has any."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from eval.labels.answers import Answers, answers_of
from runner.command.console import short
from runner.reports import REPORT, find_report
from runner.tracking.folders import read_note
from runner.tracking.mlflow_store import MlflowTracking


@dataclass(frozen=True)
class Traced:
    """A run of a tracking store, whose traces people may have labelled."""

    tracking: MlflowTracking
    experiment: str
    run_id: str


@dataclass(frozen=True)
class Source:
    """A run's report, how it is called, and its run in a tracking store where it is known."""

    report: Mapping[str, Any]
    called: str
    logged: Traced | None = None

    @cached_property
    def answers(self) -> Answers:
        """The answers of the report; ``InputError`` where it is none."""
        return answers_of(self.report, self.called)

    @property
    def traced(self) -> Traced | None:
        """Where its traces are; ``None`` where it was measured without."""
        config = self.report.get("config")
        tracking = config.get("tracking") if isinstance(config, dict) else None
        return self.logged if isinstance(tracking, dict) and tracking.get("traces") is True else None


def find_source(given: str, tracking: MlflowTracking) -> Source:
    """The run that is meant, as ``runner.reports`` finds it, with what it raises."""
    found = find_report(given, tracking)
    if found.run is not None:
        return Source(found.report, found.called, Traced(tracking, found.run.experiment, found.run.id))
    path = found.path or Path(given)
    return Source(found.report, short(path), _noted(path, tracking))


def _noted(report: Path, tracking: MlflowTracking) -> Traced | None:
    """Where the run of a folder was logged, by the note that was left there."""
    note = read_note(report.parent) if report.name == REPORT else None
    if note is None or note.state != "finished":
        return None
    return Traced(MlflowTracking(uri=note.uri, timeout_s=tracking.timeout_s), note.experiment_id, note.run_id)
