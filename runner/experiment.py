"""One run, from configuration to record, report and tracking."""

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.errors import EvalfirstError
from eval.report.build import Report, build_report
from runner.clock import now_ms
from runner.config import Setup
from runner.logbook import Logbook
from runner.memo import Memo
from runner.places import write_whole
from runner.protocols import Logged
from runner.run_folder import Job, write_failure, write_run
from runner.stages import measure


@dataclass(frozen=True)
class Outcome:
    """How a run ended. ``error`` is one line; ``untracked`` says why the tracking database does not have it yet.

    The exit code of a run that is incomplete is that of a run without a verdict.
    """

    job: Job
    name: str
    report: Report | None = None
    markdown: str = ""
    logged: Logged | None = None
    error: str | None = None
    exit_code: int = 0
    untracked: str | None = None


def run_job(
    prepare: Callable[[], Setup], unresolved: Mapping[str, Any], job: Job, name: str, memo: Memo, logbook: Logbook
) -> Outcome:
    """Measure one configuration. What goes wrong is written down and told in the outcome, not raised.

    Args:
        prepare: builds the configuration's parts, or raises ``InputError``.
        unresolved: the configuration as composed, for the record of a run that could not be prepared.
        job: where the run's record goes.
        name: the run's name as far as the configuration gives none.
        memo: results of earlier runs of the same sweep.
        logbook: what is known of the tracking database.
    """
    try:
        setup = prepare()
        logbook.open(setup.tracking, job.experiment or setup.dataset.dataset_name())
        run = measure(setup, memo)
        report = build_report(run, job.run_id)
        markdown = write_run(job, run, report, now_ms())
    except EvalfirstError as error:
        return _failed(unresolved, job, name, str(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 – a sweep goes on past a broken part, and its traceback is kept
        write_whole(job.folder / "error.txt", traceback.format_exc())
        told = f"{type(error).__name__}: {error} (traceback in {job.folder / 'error.txt'})"
        return _failed(unresolved, job, name, " ".join(told.split()), EvalfirstError.exit_code)
    logged, untracked = logbook.log(setup.tracking, job)
    code = EvalfirstError.exit_code if report.incomplete else 0
    return Outcome(job, setup.name, report, markdown, logged, exit_code=code, untracked=untracked)


def _failed(unresolved: Mapping[str, Any], job: Job, name: str, error: str, exit_code: int) -> Outcome:
    write_failure(job, name, unresolved, error, now_ms())
    return Outcome(job, name, error=error, exit_code=exit_code)
