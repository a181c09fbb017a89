"""The way of the data: load, chunk, index, rank, pack, answer, judge. Each arrow is one call, made once per sweep."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.judges.none import NoJudge
from eval.judges.probes import run_probes
from eval.records import (
    Answer,
    Chunk,
    Context,
    Dataset,
    Judgement,
    ProbeResult,
    QuestionRecord,
    Ranking,
    RunRecord,
    StageTimes,
    Unscored,
)
from eval.sources.text_file import is_blank
from runner.config.setup import Setup
from runner.fingerprints import run_fingerprints
from runner.generators.none import NoGenerator
from runner.memo import Made, Memo
from runner.recording import Layout, record_question


@dataclass(frozen=True)
class Retrieved:
    """What retrieval made of a dataset under one setup."""

    dataset: Dataset
    chunks: list[Chunk]
    layout: Layout
    rankings: list[Ranking]
    contexts: Made[list[Context]]
    times: tuple[StageTimes, ...]


def measure(setup: Setup, memo: Memo) -> RunRecord:
    """Run the whole system on every question of the golden set and record what happened."""
    retrieved = _retrieve(setup, memo)
    answers, judgements, times = _answer(setup, memo, retrieved)
    records = [
        record_question(question, ranking, context, retrieved.layout, setup.budget, answer, judgement)
        for question, ranking, context, answer, judgement in zip(
            retrieved.dataset.questions, retrieved.rankings, retrieved.contexts.value, answers, judgements, strict=True
        )
    ]
    return RunRecord(
        name=setup.name,
        dataset=retrieved.dataset,
        records=records,
        tier=setup.tier,
        config=setup.config,
        budget_tokens=setup.budget.tokens,
        fingerprints=run_fingerprints(setup, retrieved.dataset),
        times=(*retrieved.times, *times),
        counts=_counts(retrieved, records),
        probes=_probes(setup, memo),
        max_unscored=setup.max_unscored,
    )


def _retrieve(setup: Setup, memo: Memo) -> Retrieved:
    config = setup.resolved
    loaded = memo.once("load", [config["dataset"]], setup.dataset.load)
    dataset = loaded.value
    chunked = memo.once("chunk", [loaded.key, config["chunker"]], lambda: _chunk(setup, dataset))
    chunks = chunked.value
    layout = memo.once(
        "count",
        [chunked.key, setup.budget.counter],
        lambda: Layout.of(dataset.documents, chunks, setup.budget.sizes(chunks)),
    )
    indexed = memo.once("index", [chunked.key, config["retriever"]], lambda: setup.retriever.build(chunks))
    queries = [question.text for question in dataset.questions]
    ranked = memo.each("rank", [indexed.key], indexed.value.rank, queries)
    packed = memo.each(
        "pack",
        [ranked.key, config["budget"]],
        lambda ranking: setup.budget.pack(ranking, chunks, layout.value.sizes),
        ranked.value,
    )
    made: tuple[Made[Any], ...] = (loaded, chunked, layout, indexed, ranked, packed)
    return Retrieved(dataset, chunks, layout.value, ranked.value, packed, tuple(stage.times for stage in made))


def _chunk(setup: Setup, dataset: Dataset) -> list[Chunk]:
    readable = (document for document in dataset.documents if not is_blank(document.text))
    return [chunk for document in readable for chunk in setup.chunker.chunk(document)]


def _answers(setup: Setup) -> bool:
    return setup.tier == "full" and not isinstance(setup.generator, NoGenerator)


def _judges(setup: Setup) -> bool:
    return _answers(setup) and not isinstance(setup.judge, NoJudge)


def _answer(
    setup: Setup, memo: Memo, retrieved: Retrieved
) -> tuple[list[Answer | None], list[Judgement | Unscored | None], tuple[StageTimes, ...]]:
    """Answers and judgements per question; ``None`` where the tier or the choice of parts leaves them out."""
    contexts, questions = retrieved.contexts, retrieved.dataset.questions
    nothing: list[Any] = [None] * len(questions)
    if not _answers(setup):
        return nothing, nothing, ()
    asked = list(zip(questions, contexts.value, strict=True))
    answered = memo.each(
        "answer", [contexts.key, setup.resolved["generator"]], lambda pair: setup.generator.generate(*pair), asked
    )
    answers: list[Answer | None] = list(answered.value)
    if not _judges(setup):
        return answers, nothing, (answered.times,)
    given = [
        (question.text, context.text, answer.text)
        for (question, context), answer in zip(asked, answered.value, strict=True)
    ]
    judged = memo.each(
        "judge", [answered.key, setup.resolved["judge"]], lambda triple: setup.judge.judge(*triple), given
    )
    return answers, list(judged.value), (answered.times, judged.times)


def _probes(setup: Setup, memo: Memo) -> tuple[ProbeResult, ...]:
    """How the judge met the probes: the same for every run with this judge."""
    if not _judges(setup):
        return ()
    return memo.once("probe", [setup.resolved["judge"]], lambda: run_probes(setup.judge)).value


def _counts(retrieved: Retrieved, records: list[QuestionRecord]) -> dict[str, int]:
    sizes: NDArray[np.int64] = retrieved.layout.sizes
    return {
        "documents": len(retrieved.dataset.documents),
        "chunks": len(retrieved.chunks),
        "chunk_tokens": int(sizes.sum()),
        "context_tokens": sum(record.context_tokens for record in records),
    }
