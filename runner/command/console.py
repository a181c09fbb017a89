"""What the command prints: reports to standard output, complaints to standard error."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from eval.gate.verdict import Verdict
from eval.report.estimate import total
from eval.report.verdict_markdown import in_one_line
from runner.experiment import Outcome
from runner.places import START, mlruns
from runner.protocols import Logged
from runner.sweep import Result


def complain(message: str, exit_code: int) -> int:
    """Print a failure as its lines, and hand back the code to end with."""
    for line in message.splitlines():
        sys.stderr.write(f"error: {line}\n")
    return exit_code


def storage_problem(error: OSError) -> str:
    """Why files can't be written, in one line; a full disk does not always say which file it hit."""
    return f"{error.filename or mlruns()}: {error.strerror}; make room or give access"


def warn(message: str) -> None:
    """Print what went wrong beside a result that stands."""
    sys.stderr.write(f"warning: {message}\n")


def say(text: str) -> None:
    """Print to standard output. Whoever read it may have gone, as ``head`` does: then the rest is said to nobody."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_markdown(text: str) -> None:
    """Markdown, laid out on a terminal and as it is in a file or pipe."""
    if sys.stdout.isatty():
        from rich.console import Console  # only people need them, and they take a while to load
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        say(text)


def show_outcome(outcome: Outcome, *, in_sweep: bool) -> None:
    """A run's end: the whole report, or within a sweep one line."""
    for warning in outcome.warnings:
        warn(warning)
    if outcome.estimate is not None:
        say(f"{outcome.name}: {outcome.estimate.total}\n") if in_sweep else show_markdown(outcome.estimate.page)
        return
    if outcome.error is not None:
        if not in_sweep:
            show_markdown(outcome.markdown)  # what was measured before the error
        complain(f"{outcome.name}: {outcome.error}" if in_sweep else outcome.error, outcome.exit_code)
        return
    incomplete = outcome.report.incomplete if outcome.report is not None else None
    if incomplete is not None:
        complain(f"{outcome.name} is incomplete: {incomplete}", outcome.exit_code)
    if outcome.untracked is not None:
        warn(outcome.untracked)
    if in_sweep:
        say(f"{outcome.name}: {_gated(outcome)}\n")
        return
    show_markdown(outcome.markdown)
    if outcome.report is not None and incomplete is None:
        _show_verdict(outcome.report.verdict, outcome.exit_code)
    where = [f"Report: {short(outcome.job.reports / 'latest.md')}", f"Record: {short(outcome.job.folder)}"]
    say("\n" + "\n".join([*where, *_link(outcome.logged)]) + "\n")


def show_estimates(outcomes: Sequence[Outcome]) -> None:
    """What the runs of a sweep would cost together; work that they share is in the first of them."""
    found = [outcome.estimate for outcome in outcomes if outcome.estimate is not None]
    if len(found) > 1:
        say(f"\nTogether: {total(found)}\n")


def _show_verdict(verdict: Verdict, exit_code: int) -> None:
    """The verdict in a line of its own, as a complaint where the command ends with it."""
    told = in_one_line(verdict)
    if exit_code:
        complain(f"gate: {told}", exit_code)
    else:
        say(f"\nGate: {told}\n")


def show_sweep(result: Result, logged: Logged | None, folder: Path) -> None:
    """A sweep's end: the leaderboard, how many jobs ended well, and each that did not."""
    say("\n")
    show_markdown(result.leaderboard)
    lines = [f"{result.finished}/{result.jobs} ok", f"Record: {short(folder)}", *_link(logged)]
    lines += [f"failed: {failure}" for failure in result.failures]
    say("\n" + "\n".join(lines) + "\n")


def _gated(outcome: Outcome) -> str:
    if outcome.report is None:
        return ""
    values = ", ".join(f"{name} {value:.3f}" for name, value in outcome.report.gated.items())
    verdict = outcome.report.verdict
    return f"{values}; gate: {verdict.verdict.replace('_', ' ')}, {verdict.because}" if verdict.against else values


def _link(logged: Logged | None) -> list[str]:
    if logged is None:
        return []
    return [
        f"Run: {logged.url}",
        *([f"Open it with: mlflow ui --backend-store-uri {_local(logged.uri)}"] if _is_file(logged) else []),
    ]


def _is_file(logged: Logged) -> bool:
    """Whether the database is a file that nothing serves yet."""
    return logged.uri.startswith("sqlite:")


def _local(uri: str) -> str:
    """The database relative to the current folder, as a person would type it."""
    return uri.replace(f"sqlite:///{START}/", "sqlite:///")


def short(path: Path) -> str:
    """A path relative to the current folder where that is shorter to read."""
    return str(path.relative_to(START)) if path.is_relative_to(START) else str(path)
