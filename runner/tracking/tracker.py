"""What tracking hands back to the experiment loop. Nothing here needs MLflow."""

from dataclasses import dataclass
from pathlib import Path

from eval.errors import EvalfirstError


@dataclass(frozen=True)
class Logged:
    """Where a run or a sweep was logged; ``url`` opens its page in the MLflow UI."""

    run_id: str
    experiment_id: str
    url: str
    uri: str


class TrackingUnavailable(EvalfirstError):  # noqa: N818 - a state of the store, which may pass
    """The store cannot take a run now; one line that says why and what to do."""

    def __init__(self, reason: str, kept: Path | None = None) -> None:
        remedy = f"; the run is kept in {kept}; log it later with: python -m runner.relog" if kept else ""
        super().__init__(f"{reason}{remedy}")
        self.reason = reason


class TrackingRefused(TrackingUnavailable):
    """The store answers and has no place for the run; waiting will not help."""


class ServerSilent(TrackingUnavailable):
    """The MLflow server did not answer; every further call would wait for as long again."""
