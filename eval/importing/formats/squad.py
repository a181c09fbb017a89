"""SQuAD 1.1 and 2.0 (Rajpurkar et al. 2016, 2018): articles of paragraphs with questions, or rows."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.fingerprints import fingerprint
from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request, any_of
from eval.importing.formats import squad_rows
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.kinds import is_parquet, require_text
from eval.importing.reading.rows import is_json_lines, read_object, usable
from eval.importing.reading.values import first_of, optional_text, text_of
from eval.sources.strict_json import BLANKS, Row
from eval.sources.text_file import read_text

_ANSWERED = "kept on the word of is_impossible alone: no answer stands there"


def read(request: Request) -> Material:
    """A paragraph is a document named after its article and its place; an impossible question is ``none``.

    Both the published JSON and the rows of data-set hubs (one for each question, with its paragraph) are read.

    Raises:
        InputError: a file cannot be read, or has no list ``data``.
    """
    material = Material(Ledger(), own_corpus=False)
    material.ledger.note(
        "of several right answers the first is read; plausible answers of impossible questions are not"
    )
    for path in request.sources:
        if _holds_rows(path):
            squad_rows.add(path, material)
        else:
            _add_articles(path, material)
    return material


def _holds_rows(path: Path) -> bool:
    if is_parquet(path) or path.suffix.lower() in {".jsonl", ".ndjson"}:
        return True
    require_text(path)
    text = read_text(path).lstrip(BLANKS)
    return text.startswith("[") or is_json_lines(text)


def _add_articles(path: Path, material: Material) -> None:
    paragraphs = list(_paragraphs(path))
    material.documents += usable(paragraphs, _document, "documents", material.ledger)
    for paragraph in paragraphs:
        read_row = partial(_question, key=_key(paragraph), ledger=material.ledger)
        material.questions += usable(_rows(paragraph, "qas"), read_row, "questions", material.ledger)


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


def _question(row: Row, key: str, ledger: Ledger) -> DraftQuestion:
    answers = _answers(row)
    impossible = not answers and row.value["is_impossible"]
    question = DraftQuestion(
        row.where,
        text_of(row.value, "question"),
        () if impossible else any_of([key]),
        first_of(row.value, "id"),
        unanswerable=impossible,
        answer=optional_text(answers[0], "text") if answers else "",
    )
    if not impossible and not answers:
        ledger.change("questions", _ANSWERED, row.where)
    return question


def _answers(row: Row) -> list[Mapping[str, Any]]:
    """The answers; where there are none, ``is_impossible`` is true or false, and where there are some not true.

    Raises:
        UnusableError: the two contradict each other, or neither says anything.
    """
    impossible, listed = row.value.get("is_impossible"), row.value.get("answers")
    answers = [answer for answer in listed if isinstance(answer, Mapping)] if isinstance(listed, list) else []
    if impossible is not None and not isinstance(impossible, bool):
        raise UnusableError("is_impossible is neither true nor false", repr(impossible))
    if impossible and answers:
        raise UnusableError("is said to be impossible, yet has an answer")
    if impossible is None and not answers:
        raise UnusableError("has neither an answer nor the word that there is none")
    return answers
