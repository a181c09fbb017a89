"""MultiHop-RAG (Tang & Yang 2024): MultiHopRAG.json with evidence from several articles, corpus.json with these."""

from collections.abc import Mapping
from typing import Any

from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request, all_of
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.rows import drop_errors, read_objects, usable
from eval.importing.reading.source import file_and_corpus
from eval.importing.reading.values import first_of, optional_text, text_of
from eval.sources.finding import some
from eval.sources.strict_json import Row


def read(request: Request) -> Material:
    """An article is a document named by its URL; all articles with evidence are needed, and ``null_query`` is ``none``.

    Raises:
        InputError: a file is missing or cannot be read.
    """
    questions, corpus = file_and_corpus(request, ("MultiHopRAG.json", "MultiHopRAG.jsonl"), "corpus.json")
    asked, articles = read_objects(questions), read_objects(corpus)
    material = Material(Ledger())
    material.ledger.note(
        "of articles url, title and body are read; author, source, category and date have no place here"
    )
    drop_errors(articles, "documents", material.ledger)
    drop_errors(asked, "questions", material.ledger)
    material.documents += usable(articles.rows, _document, "documents", material.ledger)
    keys = {document.title: document.key for document in reversed(material.documents)}
    keys |= {document.key: document.key for document in material.documents}
    material.questions += usable(asked.rows, lambda row: _question(row, keys), "questions", material.ledger)
    return material


def _document(row: Row) -> DraftDocument:
    title = optional_text(row.value, "title")
    name = optional_text(row.value, "url") or title
    if not name:
        raise UnusableError("has neither url nor title")
    return DraftDocument(row.where, name, name, text_of(row.value, "body"), title)


def _question(row: Row, keys: Mapping[str, str]) -> DraftQuestion:
    kind = optional_text(row.value, "question_type")
    unanswerable = kind == "null_query"
    return DraftQuestion(
        row.where,
        text_of(row.value, "query"),
        all_of(_key(evidence, keys) for evidence in _evidence(row)),
        first_of(row.value, "id", "_id"),
        unanswerable=unanswerable,
        declared_multi=not unanswerable,
        answer="" if unanswerable else optional_text(row.value, "answer"),
        tags=(kind,) if kind else (),
    )


def _evidence(row: Row) -> list[Mapping[str, Any]]:
    found = row.value.get("evidence_list")
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise UnusableError("evidence_list is no list of objects")
    return found


def _key(evidence: Mapping[str, Any], keys: Mapping[str, str]) -> str:
    """The article by its address, or else by its title."""
    names = [name for name in (optional_text(evidence, "url"), optional_text(evidence, "title")) if name]
    found = next((keys[name] for name in names if name in keys), None)
    if found is None:
        raise UnusableError("its evidence is from an article that the corpus does not hold", some(names))
    return found
