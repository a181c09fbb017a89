"""SQuAD 1.1 and 2.0 (Rajpurkar et al. 2016, 2018): articles of paragraphs, each with questions on it."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.fingerprints import fingerprint
from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request, any_of
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.rows import read_object, usable
from eval.importing.values import first_of, optional_text, text_of
from eval.sources.strict_json import Row


def read(request: Request) -> Material:
    """A paragraph is a document named after its article and its place; an impossible question is ``none``.

    Raises:
        InputError: a file cannot be read, or has no list ``data``.
    """
    material = Material(Ledger(), own_corpus=False)
    material.ledger.note(
        "of several right answers the first is read; plausible answers of impossible questions are not"
    )
    for path in request.sources:
        paragraphs = list(_paragraphs(path))
        material.documents += usable(paragraphs, _document, "documents", material.ledger)
        for paragraph in paragraphs:
            key = _key(paragraph)
            asked = _rows(paragraph, "qas")
            material.questions += usable(asked, partial(_question, key=key), "questions", material.ledger)
    return material


def _paragraphs(path: Path) -> Iterator[Row]:
    whole = Row(str(path), read_object(path))
    if not isinstance(whole.value.get("data"), list):
        raise InputError(f"{path}: has no list 'data'; a SQuAD file is {{'version': …, 'data': [articles]}}")
    for article in _rows(whole, "data"):
        title = optional_text(article.value, "title")
        for number, paragraph in enumerate(_rows(article, "paragraphs"), 1):
            name = f"{title.replace('_', ' ')}/{number:03}" if title else None
            yield Row(paragraph.where, {**paragraph.value, "title": title.replace("_", " "), "name": name})


def _rows(holder: Row, key: str) -> list[Row]:
    """The objects of the list under ``key``; whatever else stands there is an empty object, which no reader can use."""
    found = holder.value.get(key)
    items: list[Any] = found if isinstance(found, list) else [{}]
    mark = ": " if key == "data" else "."
    return [
        Row(f"{holder.where}{mark}{key}[{place}]", item if isinstance(item, dict) else {})
        for place, item in enumerate(items)
    ]


def _document(row: Row) -> DraftDocument:
    text = text_of(row.value, "context")
    return DraftDocument(row.where, _key(row), row.value["name"], text, row.value["title"])


def _key(paragraph: Row) -> str:
    """The same text under the same title is one document, wherever it stands."""
    return fingerprint([paragraph.value["title"], paragraph.value.get("context")])


def _question(row: Row, key: str) -> DraftQuestion:
    impossible = row.value.get("is_impossible") is True
    answers = [answer for answer in row.value.get("answers") or () if isinstance(answer, Mapping)]
    if not impossible and not answers and "is_impossible" not in row.value:
        raise UnusableError("has neither an answer nor the word that there is none")
    return DraftQuestion(
        row.where,
        text_of(row.value, "question"),
        () if impossible else any_of([key]),
        first_of(row.value, "id"),
        unanswerable=impossible,
        answer="" if impossible or not answers else optional_text(answers[0], "text"),
    )
