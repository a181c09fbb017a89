"""Whether the documents that a question lists say what the golden set says that they say."""

from collections.abc import Iterator, Mapping, Sequence

import regex

from eval.golden.entry import Entry
from eval.records import Document, Question
from eval.sources.finding import Finding, some
from eval.sources.text_file import is_blank
from eval.text.analyzer import normalise

_PARTS = regex.compile(r"[;；]")
_ENDS = " .。"  # an answer is often written as a sentence, its source rarely ends there


def answer_warnings(entries: Sequence[Entry], documents: Sequence[Document]) -> list[Finding]:
    """Warnings for blank answer documents and for answers that no listed document holds.

    An answer is looked up as it is written, but for case, width and line breaks; parts between semicolons one by
    one over all listed documents.
    """
    by_id = {document.id: document for document in documents}
    texts: dict[str, str] = {}
    found: list[Finding] = []
    for entry in entries:
        held = [by_id[doc_id] for doc_id in entry.question.answer_doc_ids if doc_id in by_id]
        for document in held:
            if document.id not in texts:
                texts[document.id] = _comparable(f"{document.title}\n{document.text}")
        messages = (*_blank_documents(entry.question, held), *_absent(entry.question, held, texts))
        found.extend(Finding("warning", entry.where, message) for message in messages)
    return found


def _blank_documents(question: Question, held: Sequence[Document]) -> Iterator[str]:
    blank = [document.id for document in held if is_blank(document.text)]
    if blank:
        yield f"{question.id} lists blank documents, which can never be found: {some(blank)}"


def _absent(question: Question, held: Sequence[Document], texts: Mapping[str, str]) -> Iterator[str]:
    if question.answer is None or not held:
        return
    for part in _PARTS.split(question.answer):
        wanted = _comparable(part).strip(_ENDS)
        if not any(wanted in texts[document.id] for document in held):
            yield f"{question.id} has an answer that its documents do not hold: {wanted!r}; quote them, or list others"


def _comparable(text: str) -> str:
    return " ".join(normalise(text).split())
