"""The report of an import: what was read, kept, dropped and changed, and why."""

from collections import Counter
from collections.abc import Iterator

from eval.importing.ledger import EXAMPLES, Kind, Tally, Thing
from eval.importing.result import Imported
from eval.records import QUESTION_TYPES

_TITLES: tuple[tuple[Kind, str], ...] = (("dropped", "Dropped"), ("changed", "Changed"))


def summary(imported: Imported) -> str:
    """The counts, and one line for each reason with its first place."""
    lines = [
        f"{name:<12}{read:>8} read{kept:>8} kept{dropped:>8} dropped" for name, read, kept, dropped in _counts(imported)
    ]
    lines.append(f"types: {_types(imported)}")
    for kind, _ in _TITLES:
        lines += [
            f"{kind}: {_counted(tally)} (first: {_line(tally.examples[0])})" for tally in _tallies(imported, kind)
        ]
    return "\n".join([*lines, *(f"note: {note}" for note in imported.ledger.notes)])


def markdown(imported: Imported, source: str) -> str:
    """The same with up to five places for each reason, as a page to keep beside the data."""
    return "\n".join(_page(imported, source))


def _page(imported: Imported, source: str) -> Iterator[str]:
    yield from ("# Import report", "", f"Read: {source}.", "", "| | read | kept | dropped |", "|---|---:|---:|---:|")
    yield from (f"| {name} | {read} | {kept} | {dropped} |" for name, read, kept, dropped in _counts(imported))
    yield from ("", f"Types of the questions kept: {_types(imported)}.", "")
    for kind, title in _TITLES:
        yield from (f"## {title}", "")
        yield from _section(_tallies(imported, kind))
        yield ""
    yield from ("## Notes", "")
    yield from ([f"- {_line(note)}" for note in imported.ledger.notes] or ["Nothing to note."])
    yield ""


def _section(tallies: list[Tally]) -> Iterator[str]:
    if not tallies:
        yield "Nothing."
    for tally in tallies:
        yield f"- {_counted(tally)}"
        yield from (f"    - {_line(example)}" for example in tally.examples)
        if tally.count > EXAMPLES:
            yield f"    - and {tally.count - EXAMPLES} more"


def _tallies(imported: Imported, kind: Kind) -> list[Tally]:
    return imported.ledger.tallies(kind)


def _counted(tally: Tally) -> str:
    return f"{tally.count} {tally.thing}: {_line(tally.reason)}"


def _counts(imported: Imported) -> Iterator[tuple[Thing, int, int, int]]:
    ledger = imported.ledger
    for thing, read in ledger.read.items():
        if read:
            yield thing, read, read - ledger.dropped(thing), ledger.dropped(thing)


def _types(imported: Imported) -> str:
    types = Counter(sourced.question.type for sourced in imported.questions)
    return ", ".join(f"{types[kind]} {kind}" for kind in QUESTION_TYPES)


def _line(text: str) -> str:
    return " ".join(text.split())
