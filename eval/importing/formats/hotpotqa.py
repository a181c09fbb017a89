"""HotpotQA, distractor setting (Yang et al. 2018): each question with ten paragraphs, of which two hold the answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eval.fingerprints import fingerprint
from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request, all_of
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.rows import drop_errors, read_objects, usable
from eval.importing.reading.values import first_of, optional_text, text_of
from eval.sources.finding import some
from eval.sources.strict_json import Row

_Paragraphs = dict[str, DraftDocument]


def read(request: Request) -> Material:
    """A paragraph is a document named after its title; all with a supporting fact are needed.

    Both the published JSON (pairs) and the columns of data-set hubs (lists of titles, sentences, facts) are read.

    Raises:
        InputError: a file cannot be read.
    """
    material = Material(Ledger(), own_corpus=False)
    material.ledger.note("supporting facts are read by paragraph; which sentence it is has no place here")
    for path in request.sources:
        rows = read_objects(path)
        drop_errors(rows, "questions", material.ledger)
        for question, paragraphs in usable(rows.rows, _read, "questions", material.ledger):
            material.ledger.count("documents", len(paragraphs))
            material.documents += paragraphs
            material.questions.append(question)
    return material


def _read(row: Row) -> tuple[DraftQuestion, list[DraftDocument]]:
    paragraphs = list(_paragraphs(row))
    facts = _facts(row)
    by_title = {paragraph.title: paragraph.key for paragraph in paragraphs}
    if absent := [title for title in facts if title not in by_title]:
        raise UnusableError("a supporting fact is in none of its paragraphs", some(absent))
    question = DraftQuestion(
        row.where,
        text_of(row.value, "question"),
        all_of(by_title[title] for title in facts),
        first_of(row.value, "_id", "id"),
        declared_multi=True,
        answer=optional_text(row.value, "answer"),
        tags=tuple(tag for tag in (optional_text(row.value, key) for key in ("type", "level")) if tag),
    )
    return question, paragraphs


def _paragraphs(row: Row) -> Iterator[DraftDocument]:
    for title, sentences in _pairs(row.value.get("context"), "title", "sentences", "context"):
        if not isinstance(title, str) or not isinstance(sentences, list):
            raise UnusableError("context is no list of titles with sentences")
        text = _joined([sentence for sentence in sentences if isinstance(sentence, str)])
        yield DraftDocument(row.where, fingerprint([title, text]), title, text, title)


def _facts(row: Row) -> list[str]:
    facts = _pairs(row.value.get("supporting_facts"), "title", "sent_id", "supporting_facts")
    return list(dict.fromkeys(str(title) for title, _ in facts))


def _pairs(found: Any, first: str, second: str, name: str) -> list[tuple[Any, Any]]:
    """Pairs as published, or two columns side by side."""
    if isinstance(found, Mapping):
        left, right = found.get(first), found.get(second)
        if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            return list(zip(left, right, strict=True))
    elif isinstance(found, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in found):
        return [(pair[0], pair[1]) for pair in found]
    raise UnusableError(f"{name} is no list of pairs; a test split has none")


def _joined(sentences: Sequence[str]) -> str:
    """Sentences as one text: they mostly begin with the blank between them."""
    text = ""
    for sentence in sentences:
        gap = " " if text and not text[-1].isspace() and not sentence[:1].isspace() else ""
        text += gap + sentence
    return text.strip()
