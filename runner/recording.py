"""From what the stages made of one question to its record: the measures' values, and where an answer was lost."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.metrics.ranking import first_appearances, first_rank, ndcg, reciprocal_rank
from eval.records import (
    Answer,
    Chunk,
    Context,
    Document,
    Judgement,
    Loss,
    Question,
    QuestionRecord,
    RankedChunk,
    Ranking,
    Unscored,
)
from runner.packing.budget import TokenBudget
from runner.packing.curve import Need, hits_at, next_to_hit, tokens_to_hit

RANKED_KEPT = 20  # lines of a ranking that a record keeps; the measures saw all of it


@dataclass(frozen=True, eq=False)
class Layout:
    """Which chunk belongs to which document. ``owners`` and ``sizes`` have shape (chunks,)."""

    chunks: Sequence[Chunk]
    owners: NDArray[np.int32]
    sizes: NDArray[np.int64]
    numbers: dict[str, int]
    chunks_of: NDArray[np.int64]

    @classmethod
    def of(cls, documents: Sequence[Document], chunks: Sequence[Chunk], sizes: NDArray[np.int64]) -> "Layout":
        """Number the documents in corpus order."""
        numbers = {document.id: number for number, document in enumerate(documents)}
        owners = np.array([numbers[chunk.doc_id] for chunk in chunks], dtype=np.int32)
        return cls(chunks, owners, sizes, numbers, np.bincount(owners, minlength=len(documents)))


def record_question(
    question: Question,
    ranking: Ranking,
    context: Context,
    layout: Layout,
    budget: TokenBudget,
    answer: Answer | Unscored | None,
    judgement: Judgement | Unscored | None,
) -> QuestionRecord:
    """Everything about one question in one run. An answer that failed leaves none, and nothing that can be judged."""
    common = {
        "question": question,
        "ranked": _head(ranking, layout),
        "ranked_total": len(ranking.positions),
        "context": context.chunks,
        "context_tokens": context.tokens,
        "flags": (*context.flags, *(answer.flags if isinstance(answer, Answer) else ())),
        "material": "" if answer is None else context.text,
        "answer": answer.text if isinstance(answer, Answer) else None,
        "cited": answer.cited if isinstance(answer, Answer) else (),
        "answer_calls": () if answer is None else answer.calls,
        "judgement": judgement,
    }
    if not question.answerable:
        return QuestionRecord(**common)  # type: ignore[arg-type]  # one literal for both kinds of question
    return QuestionRecord(**common, **_retrieval(question, ranking, context, layout, budget))  # type: ignore[arg-type]


def _head(ranking: Ranking, layout: Layout) -> tuple[RankedChunk, ...]:
    places = ranking.positions[:RANKED_KEPT]
    return tuple(
        RankedChunk(layout.chunks[place].doc_id, layout.chunks[place].id, float(score), int(layout.sizes[place]))
        for place, score in zip(places, ranking.scores, strict=False)
    )


def _retrieval(
    question: Question, ranking: Ranking, context: Context, layout: Layout, budget: TokenBudget
) -> dict[str, object]:
    """Values of the retrieval measures and the diagnosis, for an answerable question."""
    documents = layout.owners[ranking.positions]
    wanted = np.array([layout.numbers[doc_id] for doc_id in question.answer_doc_ids], dtype=np.int32)
    relevant = np.isin(documents, wanted)
    costs = layout.sizes[ranking.positions] + budget.joint
    groups = [np.flatnonzero(documents == number) for number in wanted]
    need: Need = "all" if question.type == "multi" else "any"
    whole = {item.chunk.doc_id for item in context.chunks if not item.cut}
    present = [doc_id in whole for doc_id in question.answer_doc_ids]
    by_document = np.isin(first_appearances(documents), wanted)
    hit = all(present) if need == "all" else any(present)
    # Chunks are counted one by one for other budgets; for the run's own its context is what counts.
    others = hits_at(costs, budget.joint, groups, need, budget.policy, budget.budgets)
    return {
        "hit": hit,
        "first_hit_rank": first_rank(relevant),
        "reciprocal_rank": reciprocal_rank(relevant),
        "ndcg_at_10": ndcg(relevant, int(layout.chunks_of[wanted].sum())),
        "doc_ndcg_at_10": ndcg(by_document, len(wanted)),
        "tokens_to_hit": tokens_to_hit(costs, budget.joint, groups, need, budget.policy),
        "budget_hits": {**others, budget.tokens: hit},
        "lost_at": _losses(question, context, layout, costs, budget, groups, need, whole),
    }


def _losses(
    question: Question,
    context: Context,
    layout: Layout,
    costs: NDArray[np.int64],
    budget: TokenBudget,
    groups: Sequence[NDArray[np.intp]],
    need: Need,
    whole: set[str],
) -> tuple[Loss, ...]:
    """The stage that lost each missing answer document; none once a question that needs any has one."""
    if need == "any" and whole.intersection(question.answer_doc_ids):
        return ()
    cut = {item.chunk.doc_id for item in context.chunks if item.cut}

    def loss(doc_id: str, places: NDArray[np.intp]) -> Loss:
        if not layout.chunks_of[layout.numbers[doc_id]]:
            return Loss(doc_id, "not_indexed")
        if not len(places):
            return Loss(doc_id, "not_ranked")
        enough = next_to_hit(budget.tokens, costs, budget.joint, [places], "any", budget.policy)
        over = None if enough is None else enough - budget.tokens
        return Loss(doc_id, "cut" if doc_id in cut else "budget", int(places[0]) + 1, over)

    pairs = zip(question.answer_doc_ids, groups, strict=True)
    return tuple(loss(doc_id, places) for doc_id, places in pairs if doc_id not in whole)
