"""Keeping runs in the tracking database, as far as it can be reached."""

from dataclasses import dataclass, field

from eval.errors import EvalfirstError
from runner.protocols import Logged, Tracking
from runner.run_folder import Job
from runner.tracking.tracker import ServerSilent, TrackingRefused, TrackingUnavailable


@dataclass
class Logbook:
    """What is known of the tracking database so far: a silent server is asked once, as each asking takes seconds."""

    silent: str | None = None
    opened: set[str] = field(default_factory=set)

    def open(self, tracking: Tracking, experiment: str) -> None:
        """Find out, before anything is measured, whether runs can be kept in this experiment.

        Raises:
            TrackingRefused: they can't, and waiting will not help: the experiment was deleted, say. A database that
                can't be reached is no error: the run is kept on disk.
        """
        if self.silent is not None or experiment in self.opened:
            return
        try:
            tracking.check(experiment)
        except TrackingRefused:
            raise
        except ServerSilent as error:
            self.silent = error.reason
        except TrackingUnavailable:
            return  # it may pass until there is something to log
        self.opened.add(experiment)

    def log(self, tracking: Tracking, job: Job) -> tuple[Logged | None, str | None]:
        """Log a run's folder. Returns where it is, or why it is not there yet."""
        if self.silent is not None:
            return None, str(ServerSilent(self.silent, job.folder))
        try:
            return tracking.log_run(job.folder), None
        except ServerSilent as error:
            self.silent = error.reason
            return None, str(error)
        except EvalfirstError as error:
            return None, str(error)
