"""What an import gives, as the tests of single formats look at it."""

from collections.abc import Sequence
from pathlib import Path

from eval.importing.draft import Request
from eval.importing.ledger import Kind
from eval.importing.registry import read_format
from eval.importing.result import Imported, settle
from eval.records import Question


def imported(
    name: str, *sources: Path, corpus: Path | None = None, split: str | None = None, columns: Sequence[str] = ()
) -> Imported:
    """Read and settle; ``columns`` as the command takes them."""
    pairs = tuple((ours, theirs) for ours, _, theirs in (column.partition("=") for column in columns))
    return settle(read_format(name, Request(sources, corpus, split, pairs)))


def questions(result: Imported) -> list[Question]:
    return [sourced.question for sourced in result.questions]


def rules(result: Imported) -> list[tuple[str, tuple[str, ...]]]:
    return [(question.type, question.answer_doc_ids) for question in questions(result)]


def dropped(result: Imported) -> dict[str, list[str]]:
    """The places by reason."""
    return _places(result, "dropped")


def changed(result: Imported) -> dict[str, list[str]]:
    return _places(result, "changed")


def _places(result: Imported, kind: Kind) -> dict[str, list[str]]:
    return {tally.reason: tally.examples for tally in result.ledger.tallies(kind)}
