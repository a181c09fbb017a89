"""One run, from configuration to record, report and tracking."""

import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import fsum

from eval.errors import EvalfirstError
from eval.labels.items import Labels
from eval.report.build import Report, build_report
from eval.report.estimate import Estimate, estimate
from eval.report.markdown import render_markdown
from runner.baseline.find import Baselines
from runner.clock import now_ms
from runner.config.setup import Resources, Setup
from runner.label_files import known_labels
from runner.logbook import Logbook
from runner.memo import Memo
from runner.places import write_whole
from runner.protocols import Logged
from runner.run_folder import Job, forget_verdict, write_failure, write_run
from runner.stages.answering import answers
from runner.stages.measure import measure

INTERRUPTED = 130  # as shells give it


@dataclass(frozen=True)
class Outcome:
    """How a run ended. ``error`` is one line; ``untracked`` says why the tracking database does not have it yet.

    A run of which only the cost was asked for has an ``estimate`` and nothing else.

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
    warnings: tuple[str, ...] = ()
    estimate: Estimate | None = None


@dataclass(frozen=True)
class Shared:
    """What the runs of one start have in common: results, money, what is known of the tracking database, baselines."""

    memo: Memo = field(default_factory=Memo)
    resources: Resources = field(default_factory=Resources)
    logbook: Logbook = field(default_factory=Logbook)
    baselines: Baselines = field(default_factory=Baselines)


def run_job(prepare: Callable[[], Setup], job: Job, name: str, shared: Shared) -> Outcome:
    """Measure one configuration. What goes wrong is told in the outcome, not raised.

    A configuration that is refused leaves no record, as nothing was measured; what fails later does.

    Args:
        prepare: builds the configuration's parts, or raises ``InputError``.
        job: where the run's record goes.
        name: the run's name as far as the configuration gives none.
        shared: what earlier runs of the same sweep left.
    """
    forget_verdict(job.reports)
    try:
        setup = prepare()
        if setup.terms.estimate:
            return _estimated(setup, job, shared)
        labels = known_labels(setup.dataset.dataset_name()) if answers(setup) else None
        experiment = job.experiment or setup.dataset.dataset_name()
        shared.logbook.open(setup.tracking, experiment)
    except EvalfirstError as error:
        return Outcome(job, name, error=str(error), exit_code=error.exit_code)
    placed = replace(job, experiment=experiment, started=now_ms())
    outcome = _measured(setup, placed, shared, labels)
    if outcome.error is not None and outcome.report is not None:  # measured, but the disk did not take it
        return outcome
    logged, untracked = shared.logbook.log(setup.tracking, placed)
    return replace(outcome, logged=logged, untracked=untracked)


def _estimated(setup: Setup, job: Job, shared: Shared) -> Outcome:
    """What the run would cost: measured as ever, with made-up replies, and written nowhere."""
    with setup.desk:
        run = measure(setup, shared.memo)
        most = fsum(call.most_usd or 0.0 for call in setup.desk.estimates)
        return Outcome(job, setup.name, estimate=estimate(run, most), warnings=run.notes)


def _measured(setup: Setup, job: Job, shared: Shared, labels: Labels | None) -> Outcome:
    """Measure and write the record; one of the failure if there is one."""
    try:
        with setup.desk:
            setup.desk.warm()
            run = measure(setup, shared.memo)
        baseline = shared.baselines.find(setup.tracking, run.dataset.name, setup.gate, shared.logbook.silent)
        report = build_report(run, job.run_id, setup.gate, baseline, labels)
        markdown = render_markdown(run, report)
    except KeyboardInterrupt:
        _keep_failure(setup, job, "KILLED", "interrupted", INTERRUPTED)
        raise
    except EvalfirstError as error:
        return _keep_failure(setup, job, "FAILED", str(error), error.exit_code)
    except (Exception, SystemExit) as error:  # noqa: BLE001 – a sweep goes on past a broken part, its traceback is kept
        with suppress(OSError):
            write_whole(job.folder / "error.txt", traceback.format_exc())
        told = " ".join(f"{type(error).__name__}: {error} (traceback in error.txt of the run's folder)".split())
        return _keep_failure(setup, job, "FAILED", told, EvalfirstError.exit_code)
    code = _exit_code(setup, job, report)
    try:
        write_run(job, run, report, markdown, code, now_ms())
    except OSError as error:
        lost = f"the record can't be written: {error.strerror} ({error.filename}); make room or give access, then rerun"
        return Outcome(job, setup.name, report, markdown, error=lost, exit_code=EvalfirstError.exit_code)
    return Outcome(job, setup.name, report, markdown, exit_code=code, warnings=run.notes)


def _exit_code(setup: Setup, job: Job, report: Report) -> int:
    """Of a run that was measured. In a sweep the verdict is told by a tag, as one bad configuration is no surprise."""
    if report.incomplete:
        return EvalfirstError.exit_code
    return 0 if job.sweep else report.verdict.exit_code(enforce=setup.gate.mode == "enforce")


def _keep_failure(setup: Setup, job: Job, status: str, error: str, exit_code: int) -> Outcome:
    with suppress(OSError):  # what went wrong first is what is told
        write_failure(job, setup.name, setup.config, status, error, exit_code, now_ms())
    return Outcome(job, setup.name, error=error, exit_code=exit_code)
