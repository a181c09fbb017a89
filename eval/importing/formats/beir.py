"""BEIR (Thakur et al. 2021): corpus.jsonl, queries.jsonl and a table of judgements for each split."""

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from eval.golden.entry import question_type
from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request, all_of, any_of
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.rows import drop_errors, usable
from eval.importing.reading.source import one_folder, require_files
from eval.importing.reading.values import first_of, optional_text, text_of
from eval.records import QuestionType
from eval.sources.finding import WrongValueError
from eval.sources.jsonl import read_rows
from eval.sources.qrels import Judgement, Judgements, read_qrels
from eval.sources.strict_json import Row


def read(request: Request) -> Material:
    """A judgement above 0 makes a document an answer; a query is of its ``metadata.type``, or else any answer will do.

    Raises:
        InputError: a file cannot be read.
    """
    folder = one_folder(request)
    paths = folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / f"{request.split or 'test'}.tsv"
    require_files(paths)
    documents, queries, judged = read_rows(paths[0]), read_rows(paths[1]), read_qrels(paths[2])
    material = Material(Ledger())
    material.ledger.note("fields besides id, text, title, metadata.type and metadata.answer have no place here")
    drop_errors(documents, "documents", material.ledger)
    drop_errors(queries, "questions", material.ledger)
    material.documents += usable(documents.rows, _document, "documents", material.ledger)
    answers = _answers(judged, {_key(_name(row)) for row in queries.rows}, material.ledger)
    material.judged = {key: [row.where for row in rows] for key, rows in answers.items()}
    material.questions += usable(queries.rows, lambda row: _question(row, answers), "questions", material.ledger)
    return material


def _document(row: Row) -> DraftDocument:
    name = _name(row)
    if name is None:
        raise UnusableError("has no _id")
    return DraftDocument(row.where, _key(name), name, text_of(row.value, "text"), optional_text(row.value, "title"))


def _question(row: Row, answers: Mapping[str, Sequence[Judgement]]) -> DraftQuestion:
    name, kind = _name(row), _type(row)
    if name is None:
        raise UnusableError("has no _id")
    judged = [row.doc_id for row in answers.get(_key(name), ())]
    several = kind is None and len(judged) > 1
    return DraftQuestion(
        row.where,
        text_of(row.value, "text"),
        all_of(judged) if kind == "multi" else any_of(judged),
        name,
        unanswerable=kind == "none",
        declared_multi=kind == "multi",
        guess="of several judged documents any one will do" if several else "",
        answer=optional_text(_metadata(row), "answer"),
    )


def _name(row: Row) -> object:
    return first_of(row.value, "_id", "id")


def _key(name: object) -> str:
    """The name as a table of judgements is read, where every id is text in normal form C."""
    return unicodedata.normalize("NFC", str(name))


def _metadata(row: Row) -> Mapping[str, object]:
    metadata = row.value.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _type(row: Row) -> QuestionType | None:
    kind = _metadata(row).get("type")
    try:
        return None if kind is None else question_type(kind)
    except WrongValueError as error:
        raise UnusableError("metadata.type is no type", str(error)) from error


def _answers(judged: Judgements, queries: Collection[str], ledger: Ledger) -> Mapping[str, Sequence[Judgement]]:
    """The judgements that name an answer of each query."""
    answers: defaultdict[str, list[Judgement]] = defaultdict(list)
    ledger.count("judgements", len(judged.rows) + len(judged.errors))
    for finding in judged.errors:
        ledger.drop("judgements", "wrong line", finding.where, finding.message)
    if judged.repeats:
        ledger.note(f"{judged.repeats} judgements stand a second time; a pair counts once, with its first score")
    for row in judged.rows:
        if row.query_id not in queries:
            ledger.drop("judgements", "judges a query that is not there", row.where, row.query_id)
        elif row.score <= 0:
            ledger.drop("judgements", "0 or less says that the document is no answer", row.where)
        else:
            answers[row.query_id].append(row)
            if row.score != 1:
                ledger.change("judgements", "a grade became a yes", row.where, f"score {row.score:g}")
    return answers
