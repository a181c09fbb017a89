"""From what the stages made of one question to its record: the measures' values, and where an answer was lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.chat.messages import Call
from eval.metrics.ranking import CUTOFF, first_appearances, first_rank, ndcg, reciprocal_rank
from eval.records import (
    Answer,
    Chunk,
    Context,
    Document,
    Judgement,
    Loss,
    Question,
    QuestionRecord,
    Ranking,
    Unscored,
)
from runner.packing.budget import TokenBudget
from runner.packing.curve import Groups, Need, hits_at, next_to_hit, tokens_to_hit
from runner.stages.head import Head, lines_kept


@dataclass(frozen=True, eq=False)
class Layout:
    """Which chunk belongs to which document.

    ``owners`` (numbers of documents) and ``sizes`` (tokens) have shape (chunks,); ``joint`` are the tokens of the
    separator; ``chunks_of`` counts by document, and ``once`` says that none counts twice.
    A chunk of which no document is known is an own negative one's: two of them are not taken for the same.
    """

    chunks: Sequence[Chunk]
    owners: NDArray[np.int32]
    sizes: NDArray[np.int64]
    joint: int
    numbers: dict[str, int]
    chunks_of: Sequence[int]
    once: bool = False

    @classmethod
    def of(
        cls, documents: Sequence[Document], chunks: Sequence[Chunk], sizes: NDArray[np.int64], joint: int
    ) -> "Layout":
        """Number the documents in corpus order."""
        numbers = {document.id: number for number, document in enumerate(documents)}
        owners = np.array([numbers.get(chunk.doc_id, -1 - n) for n, chunk in enumerate(chunks)], dtype=np.int32)
        counts = np.bincount(owners[owners >= 0], minlength=len(documents))
        return cls(chunks, owners, sizes, joint, numbers, counts.tolist())

    def counting_once(self) -> "Layout":
        """The same, where only those chunks are known that a system showed: a document counts at its first one alone.

        How many it has in all is not known, and how many were shown hangs on the other questions of a run.
        """
        return replace(self, chunks_of=[1] * len(self.chunks_of), once=True)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Where a question's answer documents stand in its ranking.

    ``documents`` are the owners of the ranked chunks, shape (n,); ``wanted`` the numbers of the answer documents, of
    which ``places`` holds the places of their chunks, rising. Nothing is wanted where no document answers.
    """

    documents: NDArray[np.int32]
    wanted: Sequence[int]
    places: Groups

    @classmethod
    def of(cls, question: Question, ranking: Ranking, layout: Layout) -> "Found":
        """Look for the answer documents of a question."""
        documents = layout.owners[ranking.positions]
        wanted = [layout.numbers[doc_id] for doc_id in question.answer_doc_ids]
        return cls(documents, wanted, [(documents == number).nonzero()[0] for number in wanted])

    def values(self, layout: Layout) -> dict[str, float | int | None]:
        """The measures of the whole ranking, by the names of a record."""
        relevant = np.zeros(len(self.documents), dtype=bool)
        for places in self.places:
            relevant[places[:1] if layout.once else places] = True
        head = first_appearances(self.documents, CUTOFF).tolist()
        return {
            "first_hit_rank": first_rank(relevant),
            "reciprocal_rank": reciprocal_rank(relevant),
            "ndcg_at_10": ndcg(relevant, sum(layout.chunks_of[number] for number in self.wanted)),
            "doc_ndcg_at_10": ndcg(np.array([number in self.wanted for number in head], dtype=bool), len(self.wanted)),
        }


def record_question(
    question: Question,
    ranking: Ranking,
    context: Context,
    layout: Layout,
    budget: TokenBudget,
    answer: Answer | Unscored | None = None,
    judgement: Judgement | Unscored | None = None,
    *,
    material: str = "",
    retrieval_calls: Mapping[str, tuple[Call, ...]] | None = None,
) -> QuestionRecord:
    """Everything about one question in one run. An answer that failed leaves none, and nothing that can be judged.

    ``material`` is what the answer was written from, ``retrieval_calls`` are the calls of models before it, by stage.
    """
    found = Found.of(question, ranking, layout)
    said = answer if isinstance(answer, Answer) else None
    return QuestionRecord(
        question=question,
        ranked=Head(ranking, layout.chunks, layout.sizes, lines_kept(found.documents)),
        ranked_total=len(ranking.positions),
        context=context.chunks,
        context_tokens=context.tokens,
        flags=(*context.flags, *said.flags) if said else context.flags,
        material=material,
        answer=said.text if said else None,
        cited=said.cited if said else (),
        answer_calls=answer.calls if answer else (),
        judgement=judgement,
        retrieval_calls=retrieval_calls or {},
        **(_retrieval(question, ranking, context, layout, budget, found) if question.answerable else {}),
    )


def _retrieval(
    question: Question, ranking: Ranking, context: Context, layout: Layout, budget: TokenBudget, found: Found
) -> dict[str, Any]:
    """Values of the retrieval measures and the diagnosis, for an answerable question."""
    costs = layout.sizes[ranking.positions] + layout.joint
    need: Need = "all" if question.type == "multi" else "any"
    needed = (costs, layout.joint, found.places, need, budget.policy)
    whole = {item.chunk.doc_id for item in context.chunks if not item.cut}
    present = [doc_id in whole for doc_id in question.answer_doc_ids]
    hit = all(present) if need == "all" else any(present)
    return {
        "hit": hit,
        **found.values(layout),
        "tokens_to_hit": tokens_to_hit(*needed),
        # Chunks are counted one by one for other budgets; for the run's own its context is what counts.
        "budget_hits": {**hits_at(*needed, budget.budgets), budget.tokens: hit},
        "lost_at": () if hit else _losses(question, context, layout, budget, found.places, costs),
    }


def _losses(
    question: Question,
    context: Context,
    layout: Layout,
    budget: TokenBudget,
    groups: Groups,
    costs: NDArray[np.int64],
) -> tuple[Loss, ...]:
    """The stage that lost each answer document that is not whole in the context."""
    whole = {item.chunk.doc_id for item in context.chunks if not item.cut}
    cut = {item.chunk.doc_id for item in context.chunks if item.cut}
    losses: list[Loss] = []
    for doc_id, places in zip(question.answer_doc_ids, groups, strict=True):
        if doc_id in whole:
            continue
        if not layout.chunks_of[layout.numbers[doc_id]]:
            losses.append(Loss(doc_id, "not_indexed"))
        elif not len(places):
            losses.append(Loss(doc_id, "not_ranked"))
        else:
            enough = next_to_hit(budget.tokens, costs, layout.joint, [places], "any", budget.policy)
            over = None if enough is None else enough - budget.tokens
            losses.append(Loss(doc_id, "cut" if doc_id in cut else "budget", int(places[0]) + 1, over))
    return tuple(losses)
