"""The layout of the BEIR benchmark (Thakur et al. 2021): corpus and queries as JSON lines, judgements as a table."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from eval.errors import InputError
from eval.golden.entry import Entry, GoldenSet, question_type
from eval.records import Document, Question, QuestionType
from eval.sources.finding import Finding, WrongValueError, repeated
from eval.sources.jsonl import read_corpus, read_rows, row_id, row_text
from eval.sources.qrels import Judgements, read_qrels
from eval.sources.strict_json import Row, Rows
from eval.sources.text_file import unreadable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Query:
    id: str
    text: str
    type: QuestionType | None
    answer: str | None
    where: str


def read_beir(folder: Path, split: str = "test") -> tuple[list[Document], GoldenSet]:
    """Documents and questions of one split.

    A judgement with a score above 0 makes a document an answer. A query is of its ``metadata.type``; without one any
    answer document will do (``single``), and without one and without answers it is left out and counted.

    Raises:
        InputError: a file cannot be read, or the corpus is wrong: one line, with file and line, for each problem.
            What is wrong with queries and judgements is told in the set's findings.
    """
    _require_folder(folder)
    source = folder / "queries.jsonl"
    problems: list[str] = []
    documents = attempt(lambda: read_corpus(folder / "corpus.jsonl"), problems)
    rows = attempt(lambda: read_rows(source), problems)
    judged = attempt(lambda: read_qrels(folder / "qrels" / f"{split}.tsv"), problems)
    if documents is None or rows is None or judged is None:
        raise InputError(*problems)
    return documents, judged_set(str(source), rows, judged, documents)


def _require_folder(folder: Path) -> None:
    try:
        found = folder.is_dir()
    except OSError as error:
        raise InputError(unreadable(folder, error)) from error
    if not found:
        raise InputError(f"{folder}: is no folder; one in the BEIR layout holds corpus.jsonl, queries.jsonl and qrels/")


def attempt(read: Callable[[], T], problems: list[str]) -> T | None:
    """What ``read`` gives; where it raises ``InputError``, ``None``, and the problems are added to the list."""
    try:
        return read()
    except InputError as error:
        problems.extend(error.problems)
        return None


def judged_set(source: str, rows: Rows, judged: Judgements, documents: Sequence[Document]) -> GoldenSet:
    """The questions of a collection, from the ``rows`` of its queries and what was judged.

    Questions whose judgements name unknown documents are left out: the error stands where they are judged.
    """
    queries, errors = _queries(rows)
    known = {document.id for document in documents}
    errors += [*judged.errors, *judged.unknown({query.id for query in queries}, known)]
    answers: defaultdict[str, list[str]] = defaultdict(list)
    for row in judged.rows:
        if row.score > 0:
            answers[row.query_id].append(row.doc_id)
    asked = [query for query in queries if query.type or answers[query.id]]
    entries = [_entry(query, answers) for query in asked if known.issuperset(answers[query.id])]
    return GoldenSet(source, tuple(entries), tuple(errors), _notes(len(queries) - len(asked), judged.repeats))


def _queries(rows: Rows) -> tuple[list[_Query], list[Finding]]:
    queries: list[_Query] = []
    errors = list(rows.errors)
    for row in rows.rows:
        try:
            queries.append(_query(row))
        except WrongValueError as error:
            errors.append(Finding("error", row.where, str(error)))
    return queries, [*errors, *repeated((query.id, query.where) for query in queries)]


def _query(row: Row) -> _Query:
    metadata = row.value.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise WrongValueError(f"metadata must be an object in {{}} (got {metadata!r})")
    kind = metadata.get("type")
    try:
        known = None if kind is None else question_type(kind)
    except WrongValueError as error:
        raise WrongValueError(f"metadata.type {error}, or be left out") from error
    answer = row_text(Row(row.where, metadata), "answer", default="")
    return _Query(row_id(row), row_text(row, "text"), known, answer or None, row.where)


def _entry(query: _Query, answers: Mapping[str, Sequence[str]]) -> Entry:
    question = Question(query.id, query.text, query.type or "single", tuple(answers[query.id]), query.answer)
    return Entry(question, query.where)


def _notes(left_out: int, repeats: int) -> tuple[str, ...]:
    notes = (
        (left_out, "queries without a type and without an answer document are left out"),
        (repeats, "judgements repeat an earlier one and count once"),
    )
    return tuple(f"{number} {what}" for number, what in notes if number)
