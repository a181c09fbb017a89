"""``python -m runner.labels``: people label a few answers, and the judge is held against them.

``sample RUN`` draws answers into ``eval/human-labels.json``, ``review`` asks about them on the terminal, ``agreement
RUN`` tells how far the run's judge agrees. They end with 0; with 2 for wrong input, 3 where nothing can be compared,
130 when interrupted.
"""

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from eval.errors import EvalfirstError, InputError
from eval.labels.agreement import compare, told_apart
from eval.labels.answers import Answers
from eval.labels.file import read_labels, to_text
from eval.labels.items import Labels
from eval.labels.sample import ENOUGH, check_dataset
from eval.labels.sample import sample as draw
from eval.labels.standing import about
from eval.report.agreement_markdown import disagreements_markdown, numbers_markdown
from runner.command.console import complain, short, show_markdown, warn
from runner.command.typed import run_command, tracking_at
from runner.label_files import HOW_TO, labels_path, only_labels_path
from runner.labelling.review import Review
from runner.labelling.source import Source, find_source
from runner.labelling.taking_over import take_over
from runner.places import write_whole
from runner.run_folder import to_json

Run = Annotated[str, typer.Argument(help="A run's id, its name, folder, report file, or: latest.", show_default=False)]
File = Annotated[str | None, typer.Option(help="Another file than eval/human-labels.json, which alone counts in runs.")]
Uri = Annotated[str | None, typer.Option(help="The tracking database or server of the run.")]


def sample(
    run: Run,
    n: Annotated[int, typer.Option(help="How many answers shall wait for a label.")] = ENOUGH,
    file: File = None,
    uri: Uri = None,
) -> None:
    """Draw answers of a run for people to label; labels given before are kept."""
    source = find_source(run, tracking_at(uri))
    path = labels_path(file, source.answers.dataset)
    drawn = draw(_read(path), source.answers, n)
    labels = _with_ui(drawn.labels, source)
    write_whole(path, to_text(labels))
    _say_left_out(source.answers)
    _say_stale(labels, source.answers)
    fewer = "" if drawn.open >= n else "; the run has no more"
    typer.echo(f"{short(path)}: {drawn.added} answers added, {_waiting(labels, path)}{fewer}")


def review(
    file: File = None,
    run: Annotated[str | None, typer.Option(help="A run whose labels in the MLflow UI are taken over first.")] = None,
    skipped: Annotated[bool, typer.Option("--skipped", help="Ask about skipped answers again.")] = False,
    uri: Uri = None,
) -> None:
    """Ask about the answers that wait for a label, one after the other; every label is saved at once."""
    path = only_labels_path(file)
    if run is not None:
        source = find_source(run, tracking_at(uri))
        known = read_labels(path)
        check_dataset(known, source.answers)
        _write_changed(path, known, _with_ui(known, source))
    session = Review(path, _next_line, Console(), skipped)
    try:
        session.run()
    except KeyboardInterrupt:
        _say_rest(session)
        raise
    _say_rest(session)


def agreement(
    run: Run,
    file: File = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON instead.")] = False,
    uri: Uri = None,
) -> None:
    """Tell how far a run's judge agrees with the labels of its answers."""
    source = find_source(run, tracking_at(uri))
    answers = source.answers
    answers.check()
    path = labels_path(file, answers.dataset)
    known = _read(path)
    if known is None:
        raise EvalfirstError(f"{short(path)} is not there: {HOW_TO}")
    check_dataset(known, answers)
    labels = _with_ui(known, source).with_opinions(answers.judge, answers.opinions)
    _write_changed(path, known, labels)
    standing = about(labels, answers)
    found = compare(labels, answers.judge, standing.current)
    if found is None:
        _say_stale(labels, answers)
        raise EvalfirstError(_nothing(labels, run, path))
    data = {**found.data(), "current": len(standing.current), "stale": list(standing.stale)}
    if as_json:
        sys.stdout.write(to_json({**data, "disagreements": [told_apart(pair) for pair in found.disagreements]}))
        return
    blocks = [*numbers_markdown(data), *disagreements_markdown(found.disagreements)]
    show_markdown("\n\n".join(blocks) + "\n")


def _read(path: Path) -> Labels | None:
    return read_labels(path) if path.exists() else None


def _with_ui(labels: Labels, source: Source) -> Labels:
    """The labels with those that were given in the MLflow UI."""
    taken = take_over(labels, source)
    for told in taken.told:
        warn(told)
    if taken.count:
        typer.echo(f"{taken.count} labels were taken over from the MLflow UI", err=True)
    return taken.labels


def _write_changed(path: Path, before: Labels, after: Labels) -> None:
    if after != before:
        write_whole(path, to_text(after))


def _say_left_out(answers: Answers) -> None:
    for reason, count in sorted(answers.left_out.items()):
        typer.echo(f"not asked about: {count} {reason}")


def _say_stale(labels: Labels, answers: Answers) -> None:
    for told in about(labels, answers).stale:
        typer.echo(f"stale: {told}")


def _waiting(labels: Labels, path: Path) -> str:
    """How far labelling is, and how to go on."""
    done, waiting = len(labels.items) - len(labels.open), len(labels.open)
    rest = f"{waiting} wait: {_review(path)}" if waiting else "none waits"
    return f"{done} of {len(labels.items)} have a label, {rest}"


def _review(path: Path) -> str:
    """The command that asks about this file; it names the file where another one would be taken."""
    try:
        named = "" if only_labels_path(None) == path else f" --file {short(path)}"
    except InputError:
        named = f" --file {short(path)}"
    return f"python -m runner.labels review{named}"


def _say_rest(session: Review) -> None:
    rest = _waiting(read_labels(session.path), session.path)
    typer.echo(f"\n{short(session.path)}: {len(session.given)} labelled now, {rest}")


def _nothing(labels: Labels, run: str, path: Path) -> str:
    if not any(item.decided for item in labels.items):
        return f"{short(path)} holds no label yet: python -m runner.labels review asks for them"
    return (
        f"no label in {short(path)} is about an answer of this run that its judge gave a value; draw its answers with: "
        f"python -m runner.labels sample {run}"
    )


def _next_line() -> str | None:
    """What the person types next, or ``None`` at the end of input."""
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


COMMANDS: dict[str, Callable[..., None]] = {"sample": sample, "review": review, "agreement": agreement}
USAGE = "\n".join(
    ["Usage: python -m runner.labels COMMAND (--help after it lists its options)", ""]
    + [f"  {name:<10} {(command.__doc__ or '').splitlines()[0]}" for name, command in COMMANDS.items()]
)


def main(arguments: Sequence[str]) -> int:
    """Run the command that the first argument names. Returns the exit code."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # answers in any script, terminals in some
    name = next(iter(arguments), "")
    if name in {"--help", "-h"}:
        typer.echo(USAGE)
        return 0
    if name not in COMMANDS:
        return complain(f"give one of: {', '.join(COMMANDS)} (got {name!r})", InputError.exit_code)
    sys.argv = [f"{sys.argv[0]} {name}", *arguments[1:]]  # the command reads its own options from there
    return run_command(COMMANDS[name])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
