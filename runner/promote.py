"""``python -m runner.promote``: make a run the baseline of its dataset, or return to an earlier one."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval.errors import EvalfirstError, InputError
from eval.metrics.measures import GATED
from eval.report.verdict_markdown import in_one_line
from runner.baseline.places import anchor_path
from runner.command.console import short
from runner.command.typed import run_command, tracking_at
from runner.tracking.process import account

if TYPE_CHECKING:
    from runner.baseline.promotion import Reason
    from runner.baseline.registry import Registered, Registry

_GATED = [metric.name for metric in GATED]
ONE_OF = "give one of: a run, --rollback, --show, --history, --repair"


def main(
    run: Annotated[
        str | None,
        typer.Argument(help="A run's id, the beginning of one, its name or folder, or: latest.", show_default=False),
    ] = None,
    why: Annotated[str | None, typer.Option(help="Why it becomes the baseline (or why it is rolled back).")] = None,
    force: Annotated[str | None, typer.Option(help="Promote a worse or incomparable run, and why.")] = None,
    by: Annotated[str | None, typer.Option(help="Who promotes it; by default the user.name of git.")] = None,
    best: Annotated[str | None, typer.Option(help="The best run of a sweep, by: leaderboard, or a measure.")] = None,
    rollback: Annotated[bool, typer.Option("--rollback", help="Return to the baseline before.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Show the present baseline.")] = False,
    history: Annotated[bool, typer.Option("--history", help="List all promotions.")] = False,
    repair: Annotated[bool, typer.Option("--repair", help="Write the portable report anew.")] = False,
    dataset: Annotated[str | None, typer.Option(help="Whose baseline, where several datasets have one.")] = None,
    anchor: Annotated[str | None, typer.Option(help="Path of the portable report.")] = None,
    uri: Annotated[str | None, typer.Option(help="The tracking database or server.")] = None,
) -> None:
    """Register a finished, complete run as the baseline of its dataset.

    Ends with 0; with 1 if the run is worse than the baseline, 2 for wrong input, 3 if it can't be promoted.
    """
    chosen = [name for name, given in _named(run, rollback, show, history, repair) if given]
    if len(chosen) != 1:
        raise InputError(ONE_OF)
    with tracking_at(uri).opened(failed="can't work with") as address:
        if address.database is not None and not address.database.exists():
            raise InputError(
                f"there is no run yet in {address.database}: measure one with python -m runner, or log those on disk "
                "with python -m runner.relog --all"
            )
        from runner.baseline.registry import Registry

        registry = Registry.at(address)
        from runner.baseline.promotion import NO_REASON, Reason

        reason = Reason(by or _who(), NO_REASON if why is None else why, force)
        if run is not None:
            _promote(registry, run, best, reason, anchor, dataset)
            return
        model = _model(registry, dataset)
        place = anchor_path(anchor, model)
        if rollback:
            _roll_back(registry, model, reason, place)
        elif repair:
            _repair(registry, model, place)
        else:
            _show(registry, model, everything=history)


def _named(run: str | None, *flags: bool) -> list[tuple[str, bool]]:
    return list(zip(("run", "rollback", "show", "history", "repair"), (run is not None, *flags), strict=True))


def _promote(
    registry: "Registry", given: str, best: str | None, reason: "Reason", anchor: str | None, dataset: str | None
) -> None:
    from runner.baseline.promotion import promote
    from runner.baseline.runs import Runs

    run, told = Runs(registry.client, dataset).choose(given, best)
    if told:
        typer.echo(told)
    promoted = promote(registry, run, reason, anchor)
    if promoted.verdict is not None:
        typer.echo(f"Compared: {in_one_line(promoted.verdict)}")
    _say_baseline(registry, promoted.version, promoted.anchor, f"run {run.info.run_name}")


def _who() -> str:
    """The name that this person's commits carry, or else that of the account."""
    try:
        # a fixed program name with fixed arguments
        found = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, check=True)  # noqa: S607
        return found.stdout.strip() or account()
    except (OSError, subprocess.CalledProcessError):
        return account()


def _say_baseline(registry: "Registry", version: "Registered", anchor: Path, what: str) -> None:
    typer.echo(f"Baseline: {version.title}, {what} ({version.run_id})")
    typer.echo(f"Portable report: {short(anchor)}; commit it, and CI needs no tracking server")
    typer.echo(f"Page: {registry.address.model_link(version.model)}")


def _roll_back(registry: "Registry", model: str, reason: "Reason", place: Path) -> None:
    from runner.baseline.promotion import roll_back

    version = roll_back(registry, model, reason, place)
    _say_baseline(registry, version, place, f"promoted {version.promotion.get('at')}")


def _repair(registry: "Registry", model: str, place: Path) -> None:
    from runner.baseline.promotion import repair

    version = repair(registry, model, place)
    _say_baseline(registry, version, place, f"promoted {version.promotion.get('at')}")


def _model(registry: "Registry", dataset: str | None) -> str:
    """The dataset that is meant: the one given, or the only one that there is."""
    known = registry.datasets()
    if dataset is None and len(known) == 1:
        return known[0]
    if dataset is None:
        several = f"several datasets have a baseline: {', '.join(known)}; add --dataset NAME"
        raise InputError(several if known else "no dataset has a baseline yet: python -m runner.promote RUN")
    if dataset not in known:
        raise InputError(f"no run of {dataset} is the baseline; there are: {', '.join(known) or 'none'}")
    return dataset


def _show(registry: "Registry", model: str, *, everything: bool) -> None:
    """Print the baseline, or all promotions, newest first."""
    versions = registry.versions(model)
    shown = [version for version in versions if everything or version.is_baseline]
    for version in reversed(shown):
        typer.echo("\n".join(_lines(version)))
    present = registry.current(model)
    if present is None:
        raise EvalfirstError(f"no version of {model} is the baseline now: python -m runner.promote RUN sets it anew")
    registry.report_of(present)  # a baseline that can't be relied on is not shown as if it could


def _lines(version: "Registered") -> list[str]:
    kept = {name: " ".join(text.split()) for name, text in version.promotion.items()}
    values = [f"{name} {version.tags[tag]}" for name in _GATED if (tag := f"evalfirst.metric.{name}") in version.tags]
    return [
        f"{version.title} – {version.state}: run {version.run_id}",
        f"  {', '.join(values)}",
        f"  promoted {kept.get('at', 'at a time unknown')} by {kept.get('by', 'nobody known')}: {kept.get('why', '–')}",
        *([f"  forced: {kept['forced']}"] if "forced" in kept else []),
        *([f"  commit {kept['commit']}"] if "commit" in kept else []),
    ]


if __name__ == "__main__":
    sys.exit(run_command(main))
