"""The way of the data: load, chunk, index, rank, pack, answer, judge. Each arrow is one call, made once per sweep."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.records import Chunk, Context, Dataset, QuestionRecord, Ranking, RunRecord, StageTimes
from eval.sources.text_file import is_blank
from runner.answering import answer
from runner.config.setup import Setup
from runner.fingerprints import run_fingerprints
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
    answered = answer(setup, memo, retrieved.dataset.questions, retrieved.contexts)
    records = [
        record_question(question, ranking, context, retrieved.layout, setup.budget, said, judgement)
        for question, ranking, context, said, judgement in zip(
            retrieved.dataset.questions,
            retrieved.rankings,
            retrieved.contexts.value,
            answered.answers,
            answered.judgements,
            strict=True,
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
        times=(*retrieved.times, *answered.times),
        counts=_counts(retrieved, records),
        probes=answered.probes,
        max_unscored=setup.max_unscored,
        use=setup.use,
        notes=(*setup.warnings, *setup.desk.notes),
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


def _counts(retrieved: Retrieved, records: list[QuestionRecord]) -> dict[str, int]:
    sizes: NDArray[np.int64] = retrieved.layout.sizes
    return {
        "documents": len(retrieved.dataset.documents),
        "chunks": len(retrieved.chunks),
        "chunk_tokens": int(sizes.sum()),
        "context_tokens": sum(record.context_tokens for record in records),
    }
