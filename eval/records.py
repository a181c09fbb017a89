"""The vocabulary: what the stages hand to each other, in the order in which data flows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from eval.chat.messages import Call
from eval.fingerprints import fingerprint

QuestionType = Literal["single", "multi", "none"]
QUESTION_TYPES: tuple[QuestionType, ...] = ("single", "multi", "none")


@dataclass(frozen=True, slots=True)
class Document:
    """One text of the corpus.

    ``text`` is the stated form that all offsets refer to: decoded, without a byte-order mark, line ends as ``\\n``.
    """

    id: str
    text: str
    title: str = ""

    @property
    def fingerprint(self) -> str:
        """Identity of id, title and text."""
        return fingerprint([self.id, self.title, self.text])


@dataclass(frozen=True, slots=True)
class Question:
    """One entry of a golden set; ``answer_doc_ids`` holds no id twice."""

    id: str
    text: str
    type: QuestionType
    answer_doc_ids: tuple[str, ...] = ()
    answer: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return self.type != "none"

    @property
    def fingerprint(self) -> str:
        """Identity of what is asked: text (with any blanks between its words), documents (in any order) and type."""
        return fingerprint([" ".join(self.text.split()), sorted(self.answer_doc_ids), self.type])


@dataclass(frozen=True)
class Dataset:
    """A corpus and its golden set; ``notes`` tells what the loader left out or found odd."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def corpus_fingerprint(self) -> str:
        """Identity of all documents, in any order."""
        return fingerprint(sorted(document.fingerprint for document in self.documents))

    @cached_property
    def golden_fingerprint(self) -> str:
        """Identity of all questions, in any order."""
        return fingerprint(sorted([question.id, question.fingerprint] for question in self.questions))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of one document: ``document.text[start:end] == text``.

    ``title`` (the document's title or the path of headings) and ``lead`` (a table's repeated header rows) are shown
    before the text and count toward sizes, but are not part of the slice.
    """

    id: str
    doc_id: str
    start: int
    end: int
    text: str
    title: str = ""
    lead: str = ""

    @property
    def shown(self) -> str:
        """The chunk as it is indexed, counted and put into a context."""
        return "\n".join(part for part in (self.title, self.lead.rstrip("\n"), self.text) if part)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Chunks for one question, best first.

    ``positions`` (n,) are places in the sequence of chunks that was indexed, none twice; ``scores`` (n,) never
    increase; equal scores stand in corpus order, or as the retriever had them where a reranker gave them.
    """

    positions: NDArray[np.int32]
    scores: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PackedChunk:
    """A chunk in a context, with its rank (1 is best), its tokens there, and whether its end was cut off."""

    chunk: Chunk
    rank: int
    tokens: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What fits the budget, in rank order; ``text`` is what a generator sees, ``tokens`` is its size.

    ``flags`` names what was out of the ordinary, see ``runner.packing.budget``.
    """

    chunks: tuple[PackedChunk, ...]
    text: str
    tokens: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the system said, and the calls of a model that it took.

    ``cited`` are ids of chunks that it names, ``flags`` what was out of the ordinary.
    """

    text: str
    calls: tuple[Call, ...] = ()
    cited: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unscored:
    """No value, and why: neither zero nor absent. ``raw`` is what came instead, ``calls`` are billed all the same."""

    reason: str
    raw: str = ""
    calls: tuple[Call, ...] = ()


Verdict = Literal["supported", "unsupported", "undecidable"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer, verbatim, with the judge's verdict and what it rests on."""

    text: str
    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of one answer. A refusal has no statements; ``relevancy`` is within 0 and 1."""

    refused: bool
    statements: tuple[Statement, ...]
    relevancy: float
    calls: tuple[Call, ...] = ()

    @property
    def faithfulness(self) -> float:
        """Supported over decidable statements; 1 for a refusal, 0 when nothing can be decided."""
        if self.refused:
            return 1.0
        decided = [
            statement.verdict == "supported" for statement in self.statements if statement.verdict != "undecidable"
        ]
        return sum(decided) / len(decided) if decided else 0.0


LossStage = Literal["not_indexed", "not_ranked", "cut", "budget"]


@dataclass(frozen=True, slots=True)
class Loss:
    """Where one answer document was lost on its way into the context.

    ``not_indexed``: the document gave no chunk. ``not_ranked``: it has chunks and none is in the ranking.
    ``budget``: its best chunk stands at ``rank``, and a budget larger by ``tokens_over`` is the next that holds a
    whole chunk of it. ``cut``: the same, and a part of a chunk is in the context.
    """

    doc_id: str
    stage: LossStage
    rank: int | None = None
    tokens_over: int | None = None


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """One line of a ranking as it is kept in a record."""

    doc_id: str
    chunk_id: str
    score: float
    tokens: int


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """Everything about one question in one run.

    Retrieval values are ``None`` for a question of type ``none``. ``judgement`` is ``None`` where the tier has no
    judge, ``answer`` where it has no generator. ``budget_hits`` says for each budget of the ladder whether the
    question would be a hit; ``tokens_to_hit`` is the smallest budget at which it is, ``None`` if no budget helps.
    ``ranked`` keeps the head of the ranking, ``ranked_total`` counts all of it. ``material`` is the context as the
    generator saw it, ``answer_calls`` are the generator's calls of a model; both are empty where there is no generator.
    ``unretrieved`` says why nothing was ranked where a call that ranking needs failed; then the retrieval values of an
    answerable question are ``None``. ``retrieval_calls`` are the calls of models before the answer, by stage.
    """

    question: Question
    ranked: Collection[RankedChunk]
    ranked_total: int
    context: tuple[PackedChunk, ...]
    context_tokens: int
    flags: tuple[str, ...] = ()
    hit: bool | None = None
    first_hit_rank: int | None = None
    reciprocal_rank: float | None = None
    ndcg_at_10: float | None = None
    doc_ndcg_at_10: float | None = None
    tokens_to_hit: int | None = None
    budget_hits: Mapping[int, bool] = field(default_factory=dict)
    lost_at: tuple[Loss, ...] = ()
    material: str = ""
    answer: str | None = None
    cited: tuple[str, ...] = ()
    answer_calls: tuple[Call, ...] = ()
    judgement: Judgement | Unscored | None = None
    unretrieved: Unscored | None = None
    retrieval_calls: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)

    @property
    def missing_doc_ids(self) -> tuple[str, ...]:
        """The answer documents that are not in the context."""
        return tuple(loss.doc_id for loss in self.lost_at)

    @property
    def refused(self) -> bool | None:
        """Whether the system refused; ``None`` when nobody judged it."""
        return self.judgement.refused if isinstance(self.judgement, Judgement) else None


@dataclass(frozen=True, slots=True)
class StageTimes:
    """Milliseconds that one stage took, one value per question or, for a stage done once, a single value."""

    stage: str
    milliseconds: tuple[float, ...]
    reused: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """What a monthly cost is projected for; ``questions`` of ``None`` are those of the golden set."""

    questions: int | None = None
    runs_per_day: float = 1.0


@dataclass(frozen=True)
class RunRecord:
    """One finished run, as the measures and the report read it.

    ``counts``: documents, chunks, ``chunk_tokens`` (all chunks as shown) and ``context_tokens`` (all contexts).
    ``notes`` tells what was out of the ordinary in the running itself. ``embedding_calls`` are the calls of models that
    made vectors of texts, of chunks and questions together.
    """

    name: str
    dataset: Dataset
    records: Sequence[QuestionRecord]
    tier: Literal["retrieval", "full"]
    config: Mapping[str, Any]
    budget_tokens: int
    fingerprints: Mapping[str, str]
    times: tuple[StageTimes, ...]
    counts: Mapping[str, int]
    probes: Sequence["ProbeResult"] = ()
    max_unscored: float = 0.0
    use: Use = Use()
    notes: tuple[str, ...] = ()
    embedding_calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What the judge made of one answer whose right treatment is known beforehand; no score where it gave none."""

    name: str
    score: float | None
    expected: str
    passed: bool
    calls: tuple[Call, ...] = ()
