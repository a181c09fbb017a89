"""Judgements and rankings in the columns of TREC, which trec_eval, pytrec_eval and ir_measures read.

The columns stand between blanks, so a blank in an id is written as ``%20`` and a ``%`` as ``%25``: in both files
alike, and ``urllib.parse.unquote`` gives the id back.
"""

from collections.abc import Iterator, Sequence

from eval.exporting.run_report import RankedQuestion
from eval.records import Question


def qrels(questions: Sequence[Question]) -> str:
    """``question 0 document 1`` for every document that answers; questions of type ``none`` have no line."""
    return "".join(
        f"{encoded(question.id)} 0 {encoded(doc_id)} 1\n"
        for question in questions
        for doc_id in question.answer_doc_ids
    )


def run(ranked: Sequence[RankedQuestion], tag: str) -> str:
    """``question Q0 document rank score tag``; scores fall by one from rank to rank.

    Evaluators sort by score and break ties by the document's name, so the scores of the run, which may tie, would
    lose its order.
    """
    return "".join(line for question in ranked for line in _lines(question, encoded(tag)))


def encoded(name: str) -> str:
    """``name`` without blanks of any kind, and what it was can be had back."""
    return "".join(_percent(character) if character == "%" or character.isspace() else character for character in name)


def _lines(question: RankedQuestion, tag: str) -> Iterator[str]:
    number = len(question.doc_ids)
    for rank, doc_id in enumerate(question.doc_ids, 1):
        yield f"{encoded(question.id)} Q0 {encoded(doc_id)} {rank} {number - rank + 1} {tag}\n"


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())
