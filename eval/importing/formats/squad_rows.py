"""SQuAD as data-set hubs hold it: one row for each question, with its title, its paragraph and its answers."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from eval.fingerprints import fingerprint
from eval.importing.draft import DraftDocument, DraftQuestion, Material, any_of
from eval.importing.ledger import UnusableError
from eval.importing.reading.rows import drop_errors, read_objects, usable
from eval.importing.reading.values import first_of, optional_text, text_of, texts_of
from eval.sources.strict_json import Row


def add(path: Path, material: Material) -> None:
    """Add the rows of a file; paragraphs are numbered within their title in the order in which they come.

    Answers are ``{"text": [...], "answer_start": [...]}``; in this form no answer says that the question has none.

    Raises:
        InputError: the file cannot be read.
    """
    rows = read_objects(path)
    drop_errors(rows, "questions", material.ledger)
    material.ledger.note("in rows an empty list of answers says that the paragraph does not answer the question")
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for paragraph, question in usable(
        rows.rows, partial(_read, names=names, counts=counts), "questions", material.ledger
    ):
        if paragraph is not None:
            material.ledger.count("documents")
            material.documents.append(paragraph)
        material.questions.append(question)


def _read(row: Row, names: dict[str, str], counts: dict[str, int]) -> tuple[DraftDocument | None, DraftQuestion]:
    """The question, and its paragraph where it is met for the first time."""
    title = optional_text(row.value, "title").replace("_", " ")
    context = text_of(row.value, "context")
    key = fingerprint([title, context])
    answers = _answers(row.value.get("answers"))
    question = DraftQuestion(
        row.where,
        text_of(row.value, "question"),
        any_of([key]) if answers else (),
        first_of(row.value, "id"),
        unanswerable=not answers,
        answer=answers[0] if answers else "",
    )
    if key in names:
        return None, question
    counts[title] = counts.get(title, 0) + 1
    names[key] = f"{title}/{counts[title]:03}"
    return DraftDocument(row.where, key, names[key] if title else None, context, title), question


def _answers(found: Any) -> list[str]:
    """The texts of the answers; a list of objects, as published, is read as well."""
    if isinstance(found, Mapping):
        return texts_of(found.get("text"), "answers.text")
    if isinstance(found, list) and all(isinstance(answer, Mapping) for answer in found):
        return [text_of(answer, "text") for answer in found]
    raise UnusableError("has no answers, and no empty list of them that says there are none", repr(found)[:60])
