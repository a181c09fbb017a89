"""A golden set and its corpus in the layout of the BEIR benchmark."""

import json
from collections.abc import Iterator, Sequence

from eval.records import Document, Question
from eval.sources.qrels import HEADER


def beir_files(documents: Sequence[Document], questions: Sequence[Question]) -> dict[str, str]:
    """The contents of corpus.jsonl, queries.jsonl (type and answer in ``metadata``) and qrels/test.tsv."""
    return {
        "corpus.jsonl": "".join(
            _line({"_id": document.id, "title": document.title, "text": document.text}) for document in documents
        ),
        "queries.jsonl": "".join(map(_query, questions)),
        "qrels/test.tsv": "".join([HEADER + "\n", *_judgements(questions)]),
    }


def _query(question: Question) -> str:
    metadata = {"type": question.type, **({} if question.answer is None else {"answer": question.answer})}
    return _line({"_id": question.id, "text": question.text, "metadata": metadata})


def _judgements(questions: Sequence[Question]) -> Iterator[str]:
    for question in questions:
        yield from (f"{question.id}\t{doc_id}\t1\n" for doc_id in question.answer_doc_ids)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"
