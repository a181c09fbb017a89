"""Relevance judgements as a table, in the form of BEIR or of TREC."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from eval.sources.finding import Finding, WrongValueError, some
from eval.sources.identifier import identifier
from eval.sources.text_file import decoded

HEADER = "query-id\tcorpus-id\tscore"
_NUMBER = regex.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Judgement:
    """How well one document answers one query; not at all when ``score`` is 0 or less."""

    query_id: str
    doc_id: str
    score: float
    where: str


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements in their order, none twice; errors; and how many rows only repeated an earlier one."""

    rows: tuple[Judgement, ...]
    errors: tuple[Finding, ...]
    repeats: int

    def unknown(self, queries: Collection[str], documents: Collection[str]) -> list[Finding]:
        """Errors for the queries and the documents that are judged and not there; one each, at the first such row."""
        return [
            *_unknown("queries", [(row.query_id, row.where) for row in self.rows if row.query_id not in queries]),
            *_unknown("documents", [(row.doc_id, row.where) for row in self.rows if row.doc_id not in documents]),
        ]


def read_qrels(path: Path) -> Judgements:
    """The rows of a file with the header ``query-id corpus-id score``, columns between tabs.

    The same pair with the same score counts once; with another score it is an error.

    Raises:
        InputError: the file cannot be read or decoded.
    """
    lines = _lines(path)
    errors = [] if lines[0] == HEADER else [_error(f"{path}:1", f"the header must be {HEADER!r} (got {lines[0]!r})")]
    return _judgements(path, ["", *lines[1:]], _by_tabs, errors)


def read_trec_qrels(path: Path) -> Judgements:
    """The rows of a file in TREC's form, ``qid 0 docid rel`` without a header, columns between blanks or tabs.

    Repeats count and errors arise as in ``read_qrels``.
    """
    return _judgements(path, _lines(path), _by_blanks, [])


def _lines(path: Path) -> list[str]:
    return [line.rstrip("\r") for line in decoded(path).split("\n")]


def _judgements(
    path: Path, lines: Sequence[str], read: Callable[[str], tuple[str, str, str]], errors: list[Finding]
) -> Judgements:
    kept: dict[tuple[str, str], Judgement] = {}
    repeats = 0
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            row = _judgement(*read(line), f"{path}:{number}")
        except WrongValueError as error:
            errors.append(_error(f"{path}:{number}", str(error)))
            continue
        first = kept.setdefault((row.query_id, row.doc_id), row)
        repeats += first is not row
        if first.score != row.score:
            errors.append(_error(row.where, f"{_pair(row)} has another score at {first.where}; keep one"))
    return Judgements(tuple(kept.values()), tuple(errors), repeats)


def _by_tabs(line: str) -> tuple[str, str, str]:
    columns = line.split("\t")
    if len(columns) != 3:
        raise WrongValueError(f"must have 3 columns with tabs between them (got {len(columns)})")
    return columns[0], columns[1], columns[2]


def _by_blanks(line: str) -> tuple[str, str, str]:
    columns = line.split()
    if len(columns) != 4:
        raise WrongValueError(f"must have the 4 columns qid 0 docid rel (got {len(columns)})")
    return columns[0], columns[2], columns[3]


def _judgement(query_id: str, doc_id: str, score: str, where: str) -> Judgement:
    if not _NUMBER.fullmatch(score):
        raise WrongValueError(f"score must be a number (got {score!r})")
    return Judgement(identifier(query_id), identifier(doc_id), float(score), where)


def _unknown(kind: str, placed: list[tuple[str, str]]) -> Iterator[Finding]:
    if placed:
        ids = list(dict.fromkeys(name for name, _ in placed))
        yield _error(placed[0][1], f"judges {kind} that are not there: {some(ids)}; correct the ids or add them")


def _pair(row: Judgement) -> str:
    return f"query {row.query_id!r} with document {row.doc_id!r}"


def _error(where: str, message: str) -> Finding:
    return Finding("error", where, message)
