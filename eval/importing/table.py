"""A table of questions: id, question, answer, docs, type; the documents lie in a corpus of their own."""

import unicodedata
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

import regex

from eval.errors import InputError
from eval.golden.entry import question_type
from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request, all_of, any_of
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.rows import drop_errors, usable
from eval.importing.tables import read_table
from eval.sources.corpus import read_documents
from eval.sources.finding import WrongValueError, some
from eval.sources.strict_json import Row, Rows
from eval.sources.text_file import stated_form

COLUMNS = ("id", "question", "answer", "docs", "type")
_GUESS = "of several listed documents any one will do"
_BETWEEN = regex.compile(r"[;|；]")


def read(request: Request) -> Material:
    """``docs`` holds ids with ``;`` or ``|`` between them; without a type any one of them will do.

    ``--column question=Frage`` says which header stands for ours; every other column is left out, and said to be.

    Raises:
        InputError: a file cannot be read, lacks the question's column, or no corpus is named.
    """
    if request.corpus is None:
        raise InputError("csv needs --corpus, the folder or .jsonl file with the documents that the table lists")
    names = {**dict(zip(COLUMNS, COLUMNS, strict=True)), **dict(request.columns)}
    material = Material(Ledger())
    for document in read_documents(request.corpus):
        where = f"{request.corpus}, {document.id}"
        material.documents.append(DraftDocument(where, document.id, document.id, document.text, document.title))
    material.ledger.count("documents", len(material.documents))
    known = {draft.key for draft in material.documents}
    for path in request.sources:
        rows = read_table(path)
        drop_errors(rows, "questions", material.ledger)
        _check_columns(path, rows, names, request, material.ledger)
        read_row = partial(_question, names=names, known=known)
        material.questions += usable(rows.rows, read_row, "questions", material.ledger)
    return material


def _check_columns(path: Path, rows: Rows, names: Mapping[str, str], request: Request, ledger: Ledger) -> None:
    if not rows.rows:
        return
    header = list(rows.rows[0].value)
    wanted = dict.fromkeys([names["question"], *(header_name for _, header_name in request.columns)])
    if missing := [name for name in wanted if name not in header]:
        raise InputError(
            f"{path}:1: has no column {some(missing)}; its columns are {some(header)}: "
            "say which is which with --column question=NAME"
        )
    if unused := [name for name in header if name not in names.values()]:
        ledger.note(f"columns without a meaning here were left out: {some(unused)}")


def _question(row: Row, names: Mapping[str, str], known: Collection[str]) -> DraftQuestion:
    cell = {ours: row.value.get(theirs, "").strip() for ours, theirs in names.items()}
    listed = _listed(cell["docs"], known)
    try:
        kind = question_type(cell["type"].lower()) if cell["type"] else None
    except WrongValueError as error:
        raise UnusableError("type is no type", str(error)) from error
    return DraftQuestion(
        row.where,
        stated_form(cell["question"]),
        all_of(listed) if kind == "multi" else any_of(listed),
        cell["id"] or None,
        unanswerable=kind == "none",
        declared_multi=kind == "multi",
        guess=_GUESS if kind is None and len(listed) > 1 else "",
        answer=cell["answer"],
    )


def _listed(cell: str, known: Collection[str]) -> list[str]:
    """The ids in normal form C, as a corpus has them; a cell that is an id itself is not taken apart."""
    whole = unicodedata.normalize("NFC", cell)
    if whole in known:
        return [whole]
    return [part.strip() for part in _BETWEEN.split(whole) if part.strip()]
