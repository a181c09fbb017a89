"""Rankings recorded as a TREC run file."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from eval.sources.finding import Finding, WrongValueError
from eval.sources.identifier import identifier
from eval.sources.text_file import decoded
from runner.records import Passage, Response
from runner.systems.notes import listed
from runner.systems.recorded import Output, Recorded, whole


@dataclass(frozen=True, slots=True)
class _Line:
    query_id: str
    doc_id: str
    rank: int
    score: float
    where: str


def read_run(path: Path) -> Recorded:
    """The rankings of a TREC run file, ``qid Q0 docid rank score tag`` with blanks or tabs between.

    Documents stand by the column ``rank``; where two have one rank, by score, then as in the file. (``trec_eval`` goes
    by score alone and breaks ties by id; queries in which that gives another order are told in the notes.)

    Raises:
        InputError: one line, with file and line, for everything that is wrong; a document that a query lists twice is
            told with both lines.
    """
    lines: list[_Line] = []
    errors: list[Finding] = []
    for number, text in enumerate(decoded(path).split("\n"), start=1):
        if text.strip():
            try:
                lines.append(_line(text.split(), f"{path}:{number}"))
            except WrongValueError as error:
                errors.append(Finding("error", f"{path}:{number}", str(error)))
    queries: defaultdict[str, list[_Line]] = defaultdict(list)
    for line in lines:
        queries[line.query_id].append(line)
    errors += [finding for listed in queries.values() for finding in _documents_twice(listed)]
    ranked = {name: sorted(listed, key=lambda line: (line.rank, -line.score)) for name, listed in queries.items()}
    outputs = [_ranked(name, listed) for name, listed in ranked.items()]
    return whole(path, outputs, errors, _rising(ranked))


def _line(columns: Sequence[str], where: str) -> _Line:
    if len(columns) != 6:
        raise WrongValueError(f"must have the 6 columns qid Q0 docid rank score tag (got {len(columns)})")
    query_id, _, doc_id, rank, score, _ = columns
    return _Line(identifier(query_id), identifier(doc_id), _rank(rank), _score(score), where)


def _rank(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise WrongValueError(f"rank must be a whole number (got {text!r})") from error


def _score(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise WrongValueError(f"score must be a number (got {text!r})") from error
    if not math.isfinite(value):
        raise WrongValueError(f"score must be finite (got {text!r})")
    return value


def _documents_twice(listed: Sequence[_Line]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for line in listed:
        where = first.setdefault(line.doc_id, line.where)
        if where != line.where:
            message = f"query {line.query_id!r} lists document {line.doc_id!r} at {where} too; keep one"
            yield Finding("error", line.where, message)


def _ranked(name: str, listed: Sequence[_Line]) -> Output:
    passages = tuple(Passage(None, line.doc_id, score=line.score) for line in listed)
    return Output(name, None, Response(passages), listed[0].where)


def _rising(ranked: Mapping[str, Sequence[_Line]]) -> tuple[str, ...]:
    rising = [
        name for name, listed in ranked.items() if any(after.score > before.score for before, after in pairwise(listed))
    ]
    what = "scores that rise along their ranks; the ranks count"
    return listed(rising, f"query has {what}", f"queries have {what}")
