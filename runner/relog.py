"""``python -m runner.relog``: log the runs and sweeps that could not be logged when they ended."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from eval.errors import EvalfirstError, InputError
from runner.command.typed import run_command
from runner.places import mlruns
from runner.sweep import write_result
from runner.tracking.address import locate
from runner.tracking.folders import RUN, SWEEP, Destination, read_note, read_run, read_sweep
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import Logged, ServerSilent, TrackingUnavailable

STILL_PENDING = 3


@dataclass(frozen=True)
class Pending:
    """A folder that waits. ``running`` is a sweep whose process works on it, ``left`` one whose process is gone."""

    folder: Path
    is_sweep: bool
    started: int
    destination: Destination
    running: bool = False
    left: bool = False


def main(
    folder: Annotated[Path | None, typer.Argument(help="mlruns, or one run or sweep folder in it.")] = None,
    uri: Annotated[str | None, typer.Option(help="Log there instead of where the runs were meant to go.")] = None,
    experiment: Annotated[str | None, typer.Option(help="Log to this experiment instead.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Log runs that were made with tracking=none too.")] = False,
) -> None:
    """Log what is pending, oldest first; ends with 3 if something still cannot be logged."""
    if folder is not None and not folder.exists():
        typer.echo(f"error: {folder} is not there: name the mlruns folder, or a run or sweep folder in it", err=True)
        raise typer.Exit(InputError.exit_code)
    raise typer.Exit(relog(folder or Path("mlruns"), uri, experiment, everything=everything))


def relog(folder: Path, uri: str | None, experiment: str | None = None, *, everything: bool = False) -> int:
    """Log what is pending below ``folder``, a line for each. Returns the exit code."""
    found, broken = find_pending(folder)
    waiting = [pending for pending in found if everything or pending.destination.wanted]
    root = _root_of(folder)
    silent: dict[str | None, ServerSilent] = {}
    failed = len(broken)
    for problem in broken:
        typer.echo(f"error: {problem}", err=True)
    for pending in waiting:
        place = uri or pending.destination.uri
        try:
            if place in silent:
                raise silent[place]
            typer.echo(f"{pending.folder}: {_log(pending, place, experiment, root)}")
        except EvalfirstError as error:
            if isinstance(error, ServerSilent):
                silent[place] = error
            told = error.reason if isinstance(error, TrackingUnavailable) else error
            typer.echo(f"error: {pending.folder}: {told}", err=True)
            failed += 1
    if not waiting and not broken:
        typer.echo("Nothing to log.")
    return STILL_PENDING if failed else 0


def find_pending(folder: Path) -> tuple[list[Pending], list[InputError]]:
    """Folders without a finished note, runs before sweeps and oldest first, and what is wrong with unreadable ones."""
    waiting: list[Pending] = []
    broken: list[InputError] = []
    # mlruns/sweeps/<sweep>/<job>/run.json is the deepest that there is
    for path in sorted(path for depth in ("", "*/", "*/*/", "*/*/*/") for path in folder.glob(f"{depth}*.json")):
        try:
            if path.name in {RUN, SWEEP} and not _is_logged(path.parent):
                waiting.append(_pending(path))
        except InputError as error:
            broken.append(error)
    return sorted(waiting, key=lambda pending: (pending.is_sweep, pending.started, pending.folder)), broken


def _is_logged(folder: Path) -> bool:
    note = read_note(folder)
    return note is not None and note.state == "finished"


def _pending(path: Path) -> Pending:
    if path.name == RUN:
        run = read_run(path.parent)
        return Pending(path.parent, False, run.started, run.tracking or Destination())
    sweep = read_sweep(path.parent)
    running = sweep.outcome == "RUNNING"
    left = sweep.status == "RUNNING" and not running
    return Pending(path.parent, True, sweep.started, sweep.tracking or Destination(), running, left)


def _log(pending: Pending, uri: str | None, experiment: str | None, root: Path) -> str:
    if pending.running:
        return "still running"
    _keep_together(pending, locate(uri, root).uri)
    if pending.left:
        write_result(pending.folder, interrupted=True)
    try:
        tracking = MlflowTracking(uri=uri, experiment=experiment or pending.destination.experiment, root=root)
    except ValidationError as error:
        raise InputError(
            *(f"tracking.{each['msg'].removeprefix('Value error, ')}" for each in error.errors())
        ) from None
    logged: Logged = tracking.log_sweep(pending.folder) if pending.is_sweep else tracking.log_run(pending.folder)
    return f"logged, {logged.url}"


def _keep_together(pending: Pending, uri: str) -> None:
    """Refuse to log a part of a sweep elsewhere than its other parts."""
    sweep = pending.folder if pending.is_sweep else pending.folder.parent
    if not (sweep / SWEEP).exists():
        return
    notes = [read_note(folder) for folder in (sweep, *(path.parent for path in sorted(sweep.glob("*/run.json"))))]
    for note in notes:
        if note is not None and note.state == "finished" and note.uri != uri:
            raise InputError(f"a part of this sweep is in {note.uri}; log the rest there too, with --uri {note.uri}")


def _root_of(folder: Path) -> Path:
    """The mlruns folder that ``folder`` is or lies in: the default database is there."""
    whole = folder.resolve()
    for place in (whole, *whole.parents):
        if place.name in {"runs", "sweeps"}:
            return place.parent
    return whole if (whole / "runs").is_dir() or (whole / "sweeps").is_dir() else mlruns()


if __name__ == "__main__":
    sys.exit(run_command(main))
