"""A table of questions: id, question, answer, docs, type, tags; the documents lie in a corpus of their own."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from eval.errors import InputError
from eval.golden.entry import question_type
from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request, all_of, any_of
from eval.importing.formats.cells import listed, split
from eval.importing.formats.columns import COLUMNS, named
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.rows import drop_errors, usable
from eval.importing.reading.tables import read_table, shown_header
from eval.sources.corpus import read_documents
from eval.sources.finding import WrongValueError
from eval.sources.strict_json import Row, Rows
from eval.sources.text_file import stated_form

_GUESS = "of several listed documents any one will do"
_LISTS = (
    "docs: between several ids stands ; or | or a line break, or a comma where every part is an id of the corpus; "
    'a JSON list like ["a", "b"] is read, too'
)


def read(request: Request) -> Material:
    """``docs``, or ``answerDocIds``, holds ids; without a type any one of several will do.

    ``--column question=Frage`` says which header stands for ours; every other column is left out, and said to be.

    Raises:
        InputError: a file cannot be read, lacks the column of questions or of documents, or no corpus is named.
    """
    if request.corpus is None:
        raise InputError("csv needs --corpus, the folder or .jsonl file with the documents that the table lists")
    material = Material(Ledger())
    for document in read_documents(request.corpus):
        where = f"{request.corpus}, {document.id}"
        material.documents.append(DraftDocument(where, document.id, document.id, document.text, document.title))
    material.ledger.count("documents", len(material.documents))
    known = {draft.key for draft in material.documents}
    for path in request.sources:
        rows = read_table(path)
        drop_errors(rows, "questions", material.ledger)
        names = _columns(path, rows, dict(request.columns), material.ledger)
        read_row = partial(_question, names=names, known=known, ledger=material.ledger)
        material.questions += usable(rows.rows, read_row, "questions", material.ledger)
    return material


def _columns(path: Path, rows: Rows, given: Mapping[str, str], ledger: Ledger) -> Mapping[str, str]:
    """The header of each of our columns that is there."""
    if not rows.rows:
        return {}
    header = list(rows.rows[0].value)
    names = named(path, header, given)
    if unused := [name for name in header if name not in names.values()]:
        ledger.note(f"columns without a meaning here were left out: {shown_header(unused)}")
    return names


def _question(row: Row, names: Mapping[str, str], known: Collection[str], ledger: Ledger) -> DraftQuestion:
    cell = {ours: row.value[names[ours]].strip() if ours in names else "" for ours in COLUMNS}
    documents = listed(cell["docs"], known)
    if not all(name in known for name in documents):
        ledger.note(_LISTS)
    try:
        kind = question_type(cell["type"].lower()) if cell["type"] else None
    except WrongValueError as error:
        raise UnusableError("type is no type", str(error)) from error
    return DraftQuestion(
        row.where,
        stated_form(cell["question"]),
        all_of(documents) if kind == "multi" else any_of(documents),
        cell["id"] or None,
        unanswerable=kind == "none",
        declared_multi=kind == "multi",
        guess=_GUESS if kind is None and len(documents) > 1 else "",
        answer=cell["answer"],
        tags=tuple(split(cell["tags"])),
    )
