"""A copied run from whose rankings answers were taken: what the gate must notice."""

import math
from dataclasses import replace

import numpy as np

from eval.metrics.ranking import first_rank, ndcg, reciprocal_rank
from eval.records import Loss, QuestionRecord, RunRecord


def lowered(run: RunRecord, share: float) -> RunRecord | None:
    """The run with recall lower by at least ``share``, or by all that it has; ``None`` where there is no hit to take.

    The first hits of the golden set lose every chunk of their answer documents, from ranking and context, and are
    measured again.
    """
    answerable = sum(record.question.answerable for record in run.records)
    hits = [record.question.id for record in run.records if record.hit]
    taken = set(hits[: math.ceil(round(share * answerable, 9))])
    if not taken:
        return None
    records = [without_answers(record) if record.question.id in taken else record for record in run.records]
    return replace(run, records=records)


def without_answers(record: QuestionRecord) -> QuestionRecord:
    """The record as it were, had no chunk of the answer documents been found."""
    answers = set(record.question.answer_doc_ids)
    ranked = tuple(chunk for chunk in record.ranked if chunk.doc_id not in answers)
    context = tuple(item for item in record.context if item.chunk.doc_id not in answers)
    relevant = np.array([chunk.doc_id in answers for chunk in ranked], dtype=bool)
    return replace(
        record,
        ranked=ranked,
        ranked_total=record.ranked_total - (len(record.ranked) - len(ranked)),
        context=context,
        context_tokens=sum(item.tokens for item in context),
        hit=_hit(record.question.type, answers, {item.chunk.doc_id for item in context if not item.cut}),
        first_hit_rank=first_rank(relevant),
        reciprocal_rank=reciprocal_rank(relevant),
        ndcg_at_10=ndcg(relevant, len(answers)),
        doc_ndcg_at_10=ndcg(relevant, len(answers)),
        tokens_to_hit=None,
        budget_hits=dict.fromkeys(record.budget_hits, False),
        lost_at=tuple(Loss(doc_id, "not_ranked") for doc_id in record.question.answer_doc_ids),
    )


def _hit(kind: str, answers: set[str], present: set[str]) -> bool:
    return answers <= present if kind == "multi" else not answers.isdisjoint(present)
