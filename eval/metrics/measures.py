"""What each measure means: its name, its direction, whether it is gated, and its value for one question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eval.metrics.mean import Mean, mean_of
from eval.records import Judgement, QuestionRecord, QuestionType, Unscored

Value = float | Unscored | None


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure; ``of`` gives a question's value, *unscored with a reason*, or ``None`` where it does not apply."""

    name: str
    group: Literal["retrieval", "answer"]
    of: Callable[[QuestionRecord], Value]
    gated: bool = False
    higher_is_better: bool = True


def _retrieved(value: Callable[[QuestionRecord], Value]) -> Callable[[QuestionRecord], Value]:
    """A value of an answerable question's ranking, unscored where there is none."""

    def of(record: QuestionRecord) -> Value:
        return record.unretrieved if record.unretrieved and record.question.answerable else value(record)

    return of


def _hit(*types: QuestionType) -> Callable[[QuestionRecord], Value]:
    """Hit or miss inside the packed context, for questions of the given types."""
    found = _retrieved(lambda record: float(bool(record.hit)))
    return lambda record: found(record) if record.question.type in types else None


def _judged(record: QuestionRecord, value: Callable[[Judgement], float]) -> Value:
    judgement = record.judgement
    return value(judgement) if isinstance(judgement, Judgement) else judgement


def _faithfulness(record: QuestionRecord) -> Value:
    return _judged(record, lambda judgement: judgement.faithfulness)


def _faithfulness_answered(record: QuestionRecord) -> Value:
    return None if record.refused else _faithfulness(record)


def _answer_relevancy(record: QuestionRecord) -> Value:
    if not record.question.answerable:
        return None
    return _judged(record, lambda judgement: 0.0 if judgement.refused else judgement.relevancy)


def _refused(*, answerable: bool) -> Callable[[QuestionRecord], Value]:
    def value(record: QuestionRecord) -> Value:
        if record.question.answerable != answerable:
            return None
        return _judged(record, lambda judgement: float(judgement.refused))

    return value


METRICS: tuple[Metric, ...] = (
    Metric("recall", "retrieval", _hit("single", "multi"), gated=True),
    Metric("mrr", "retrieval", _retrieved(lambda record: record.reciprocal_rank), gated=True),
    Metric("ndcg_at_10", "retrieval", _retrieved(lambda record: record.ndcg_at_10), gated=True),
    Metric("faithfulness", "answer", _faithfulness, gated=True),
    Metric("refusal_rate", "answer", _refused(answerable=False), gated=True),
    Metric("recall_single", "retrieval", _hit("single")),
    Metric("recall_multi", "retrieval", _hit("multi")),
    Metric("doc_ndcg_at_10", "retrieval", _retrieved(lambda record: record.doc_ndcg_at_10)),
    Metric("answer_relevancy", "answer", _answer_relevancy),
    Metric("faithfulness_answered", "answer", _faithfulness_answered),
    Metric("false_refusal_rate", "answer", _refused(answerable=True), higher_is_better=False),
)
GATED: tuple[Metric, ...] = tuple(metric for metric in METRICS if metric.gated)


def measure(records: Sequence[QuestionRecord]) -> dict[str, Mean]:
    """Every measure over the records. Measures of answers are left out when no record was judged."""
    judged = any(record.judgement is not None for record in records)
    return {
        metric.name: mean_of(metric.of(record) for record in records)
        for metric in METRICS
        if judged or metric.group == "retrieval"
    }


def recall_by_budget(records: Sequence[QuestionRecord]) -> dict[int, float]:
    """Recall at each budget of the ladder, from the same rankings; empty when no answerable question was ranked for."""
    answerable = [record for record in records if record.question.answerable and record.unretrieved is None]
    budgets = answerable[0].budget_hits if answerable else {}
    return {
        budget: sum(record.budget_hits[budget] for record in answerable) / len(answerable) for budget in sorted(budgets)
    }


def incomplete_because(means: Mapping[str, Mean], max_unscored: float) -> str | None:
    """Why a run does not count as complete: the first measure with too many unscored questions; ``None`` if it does."""
    for name, mean in means.items():
        if mean.unscored_share > max_unscored:
            reasons = ", ".join(f"{reason}: {count}" for reason, count in mean.unscored.items())
            return f"{name} is unscored for {mean.attempted - mean.scored} of {mean.attempted} questions ({reasons})"
    return None
