"""AutoRAG (Kim et al. 2024): qa.parquet with the documents that each question needs, corpus.parquet with these."""

from typing import Any

from eval.importing.draft import DraftDocument, DraftQuestion, Material, Needs, Request
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.reading.parquet import read_parquet
from eval.importing.reading.rows import usable
from eval.importing.reading.source import file_and_corpus
from eval.importing.reading.values import first_of, optional_text, text_of, texts_of
from eval.sources.strict_json import Row

_QA = ("qid", "query", "retrieval_gt", "generation_gt")
_CORPUS = ("doc_id", "contents")


def read(request: Request) -> Material:
    """``retrieval_gt`` asks for one document of every inner list; a flat list is one inner list, a text a list of one.

    Where neither *any of* nor *all of* says the same, the question is dropped; so is one that lists nothing, as the
    format does not say that nothing answers it.

    Raises:
        InputError: a file is missing, cannot be read, or lacks a column.
    """
    questions, corpus = file_and_corpus(request, ("qa.parquet",), "corpus.parquet")
    asked, texts = read_parquet(questions, _QA), read_parquet(corpus, _CORPUS)
    material = Material(Ledger())
    material.ledger.note("of several right answers the first is read; metadata of documents have no place here")
    material.documents += usable(texts, _document, "documents", material.ledger)
    material.questions += usable(asked, _question, "questions", material.ledger)
    return material


def _document(row: Row) -> DraftDocument:
    name = first_of(row.value, "doc_id")
    if name is None:
        raise UnusableError("has no doc_id")
    return DraftDocument(row.where, str(name), name, text_of(row.value, "contents"))


def _question(row: Row) -> DraftQuestion:
    return DraftQuestion(
        row.where,
        text_of(row.value, "query"),
        _needs(row.value["retrieval_gt"]),
        first_of(row.value, "qid"),
        answer=optional_text(row.value, "generation_gt"),
    )


def _needs(found: Any) -> Needs:
    """The inner lists; empty ones and empty ids in them say nothing."""
    flat = isinstance(found, str) or (isinstance(found, list) and any(isinstance(item, str) for item in found))
    if not flat and not isinstance(found, list | None):
        raise UnusableError("retrieval_gt is neither a list nor an id", repr(found))
    groups = [texts_of(group, "retrieval_gt") for group in ([found] if flat else found or ())]
    kept = (tuple(key for key in dict.fromkeys(group) if key) for group in groups)
    return tuple(group for group in kept if group)
