"""A run as one JSON object: its results and its questions, without what is concluded from them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from eval.metrics.mean import Mean
from eval.metrics.measures import METRICS, Value, incomplete_because, recall_by_budget
from eval.records import Judgement, ProbeResult, QuestionRecord, RunRecord, Unscored
from eval.report.bills import bills


def lay_out(run: RunRecord, means: Mapping[str, Mean], run_id: str) -> dict[str, Any]:
    """Keys as in the project's report format; numbers never NaN."""
    incomplete = incomplete_because(means, run.max_unscored)
    return {
        "run": {
            "id": run_id,
            "name": run.name,
            "dataset": run.dataset.name,
            "tier": run.tier,
            "status": "FINISHED",
            "complete": incomplete is None,
            "incomplete_because": incomplete,
        },
        "config": run.config,
        "fingerprints": run.fingerprints,
        "metrics": {name: asdict(mean) for name, mean in means.items()},
        "bills": bills(run),
        "counts": run.counts,
        "notes": [*run.dataset.notes, *run.notes],
        "documents": {document.id: document.fingerprint for document in run.dataset.documents},
        "documents_total": len(run.dataset.documents),
        "questions": [_question(record) for record in run.records],
        "recall_by_budget": {str(budget): value for budget, value in recall_by_budget(run.records).items()},
        "probes": [_probe(probe) for probe in run.probes],
    }


def by_metric(record: QuestionRecord) -> tuple[dict[str, float | None], dict[str, str]]:
    """The value of each measure for a question, and why those have none that stayed unscored."""
    values: dict[str, Value] = {metric.name: metric.of(record) for metric in METRICS}
    return (
        {name: None if isinstance(value, Unscored) else value for name, value in values.items()},
        {name: value.reason for name, value in values.items() if isinstance(value, Unscored)},
    )


def _question(record: QuestionRecord) -> dict[str, Any]:
    question = record.question
    values, unscored = by_metric(record)
    return {
        "id": question.id,
        "question": question.text,
        "type": question.type,
        "answer_doc_ids": list(question.answer_doc_ids),
        "fingerprint": question.fingerprint,
        "hit": record.hit,
        "first_hit_rank": record.first_hit_rank,
        "reciprocal_rank": record.reciprocal_rank,
        "ndcg_at_10": record.ndcg_at_10,
        "values": values,
        "unscored": unscored,
        # by hand: asdict copies deeply, and there are a thousand of these for each fifty questions
        "ranked": [
            {"doc_id": chunk.doc_id, "chunk_id": chunk.chunk_id, "score": chunk.score, "tokens": chunk.tokens}
            for chunk in record.ranked
        ],
        "ranked_total": record.ranked_total,
        "context": [
            {
                "doc_id": item.chunk.doc_id,
                "chunk_id": item.chunk.id,
                "rank": item.rank,
                "tokens": item.tokens,
                "cut": item.cut,
            }
            for item in record.context
        ],
        "flags": list(record.flags),
        "unretrieved": record.unretrieved.reason if record.unretrieved else None,
        "missing_doc_ids": list(record.missing_doc_ids),
        "lost_at": [
            {"doc_id": loss.doc_id, "stage": loss.stage, "rank": loss.rank, "tokens_over": loss.tokens_over}
            for loss in record.lost_at
        ],
        "tokens": record.context_tokens,
        "tokens_to_hit": record.tokens_to_hit,
        "material": record.material,
        "answer": record.answer,
        "cited": list(record.cited),
        "refused": record.refused,
        "judgement": _judgement(record.judgement),
    }


def _probe(probe: ProbeResult) -> dict[str, Any]:
    return {"name": probe.name, "score": probe.score, "expected": probe.expected, "passed": probe.passed}


def _judgement(judgement: Judgement | Unscored | None) -> dict[str, Any] | None:
    if judgement is None:
        return None
    if isinstance(judgement, Unscored):
        return {"unscored": judgement.reason, "raw": judgement.raw}
    return {
        "faithfulness": judgement.faithfulness,
        "relevancy": judgement.relevancy,
        "statements": [
            {"text": statement.text, "verdict": statement.verdict, "reason": statement.reason}
            for statement in judgement.statements
        ],
    }
