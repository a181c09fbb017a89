"""Retrieval by our own parts: chunk, index, make the query, rank, rerank, pack."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from eval.chat.messages import Call
from eval.records import Chunk, Context, Dataset, Ranking, StageTimes, Unscored
from eval.sources.text_file import is_blank
from runner.config.setup import Setup
from runner.fingerprints import identities, prompt_of
from runner.memo import Later, Made, Memo, Prepared
from runner.packing.budget import TokenBudget
from runner.protocols import Foresighted, Index
from runner.queries.none import AsAsked
from runner.records import Query, Reranked
from runner.spread import concurrency
from runner.stages.keeping import PACKED, RANKED, keeping
from runner.stages.recording import Layout
from runner.stages.reordering import reordered
from runner.stages.retrieved import Retrieved
from runner.work_cache.forms import NUMBERS, RANKINGS, SCORES, chunks_of, index_of, records

T = TypeVar("T")


@dataclass(frozen=True)
class _Indexed:
    """A corpus cut and made searchable; the index is built, or read, when something must be ranked."""

    chunks: Made[list[Chunk]]
    layout: Layout
    index: Later[Index]
    times: tuple[StageTimes, ...]

    def search(self, query: str, most: int) -> Sequence[Chunk]:
        """The best chunks for a query."""
        return [self.chunks.value[place] for place in self.index.get().rank(query).positions[:most]]


@dataclass(frozen=True)
class _Found(Generic[T]):
    """What a step gave for each question, the calls that it took, and its times."""

    values: list[T | Unscored]
    key: str
    times: tuple[StageTimes | None, ...] = ()
    calls: list[tuple[Call, ...]] = field(default_factory=list)


def retrieve(setup: Setup, memo: Memo, dataset: Dataset, corpus: str) -> Retrieved:
    """Find the context for each question of the dataset; ``corpus`` identifies its documents in their order."""
    texts = [question.text for question in dataset.questions]
    indexed = _indexed(setup, memo, dataset, corpus)
    asked = _queries(setup, memo, texts, indexed)
    ranked = _ranked(setup, memo, asked, indexed)
    ordered = _reranked(setup, memo, texts, ranked, indexed)
    packed = memo.each(
        "pack",
        [ordered.key, setup.resolved["budget"]],
        Prepared(lambda: _packing(setup, indexed), before=setup.budget.warm),
        ordered.values,
        keeping=keeping(setup, records(Context), *PACKED),
    )
    times = (*indexed.times, indexed.index.times, *asked.times, *ranked.times, *ordered.times, packed.times)
    return Retrieved(
        chunks=indexed.chunks.value,
        layout=indexed.layout,
        rankings=ordered.values,
        contexts=packed.value,
        seen=packed,
        calls=[_by_stage(query=query, rerank=rerank) for query, rerank in zip(asked.calls, ordered.calls, strict=True)],
        times=tuple(took for took in times if took is not None),
    )


def _indexed(setup: Setup, memo: Memo, dataset: Dataset, corpus: str) -> _Indexed:
    config = setup.resolved
    chunks = memo.once(
        "chunk",
        [corpus, config["chunker"]],
        lambda: _chunk(setup, dataset),
        keeping(setup, chunks_of(dataset.documents), "chunker"),
        before=setup.budget.warm,  # most chunkers count the same tokens
    )
    sizes = memo.once(
        "count",
        [chunks.key, _counting(setup)],
        lambda: setup.budget.sizes(chunks.value),
        keeping(setup, NUMBERS, "chunker", "budget"),
        before=setup.budget.warm,
    )
    joint = memo.once(  # kept, so that a run that finds all its work done needs no tokenizer, which is slow to load
        "separator",
        [setup.budget.separator, _counting(setup)],
        lambda: np.array([setup.budget.joint]),
        keeping(setup, NUMBERS, "budget"),
    )
    layout = memo.once(
        "lay out",
        [sizes.key, joint.key],
        lambda: Layout.of(dataset.documents, chunks.value, sizes.value, int(joint.value[0])),
    )
    index = memo.later(
        "index",
        [chunks.key, config["retriever"], identities(setup.retriever)],
        lambda: setup.retriever.build(chunks.value),
        keeping(setup, index_of(setup.retriever, chunks.value), "chunker", "retriever"),
    )
    return _Indexed(chunks, layout.value, index, (chunks.times, sizes.times))


def _counting(setup: Setup) -> Any:
    """What sizes follow from: of our own budget the counter alone, of somebody's own whatever it is set to."""
    return setup.budget.counter if type(setup.budget) is TokenBudget else setup.resolved["budget"]


def _chunk(setup: Setup, dataset: Dataset) -> list[Chunk]:
    readable = (document for document in dataset.documents if not is_blank(document.text))
    return [chunk for document in readable for chunk in setup.chunker.chunk(document)]


def _queries(setup: Setup, memo: Memo, texts: list[str], indexed: _Indexed) -> _Found[Query]:
    """What is searched for in each question's place."""
    if isinstance(setup.query, AsAsked):
        return _Found([Query(text) for text in texts], "", calls=[()] * len(texts))
    made = memo.each(
        "query",
        [indexed.index.key, setup.resolved["query"], prompt_of(setup.query), texts],
        lambda text: setup.query.make(text, indexed.search),
        texts,
        at_once=concurrency(setup.query),
        keeping=keeping(setup, records(Query), "chunker", "query", "retriever"),
    )
    calls = [query.calls for query in made.value]
    found = [_foreseen(*pair) for pair in zip(texts, made.value, strict=True)] if setup.terms.estimate else made.value
    return _Found(found, made.key, (made.times,), calls)


def _foreseen(text: str, made: Query | Unscored) -> Query | Unscored:
    """A model's query is made up in an estimate: it would find nothing, and what follows would not be foreseen."""
    return made if isinstance(made, Query) and not made.calls else Query(text)


def _ranked(setup: Setup, memo: Memo, asked: _Found[Query], indexed: _Indexed) -> _Found[Ranking]:
    queries = [query.text if isinstance(query, Query) else None for query in asked.values]
    sought = [text for text in queries if text]
    ranker = Prepared(lambda: _ranker(indexed.index.get(), sought), before=indexed.index.get)
    ranked = memo.each(
        "rank",
        [indexed.index.key, queries],
        ranker,
        asked.values,
        keeping=keeping(setup, RANKINGS, "chunker", "query", "retriever"),
    )
    return _Found(ranked.value, ranked.key, (ranked.times,))


def _ranker(index: Index, queries: Sequence[str]) -> Callable[[Query | Unscored], Ranking | Unscored]:
    """Ranks for one of these queries."""
    if isinstance(index, Foresighted):
        index.foresee(queries)
    return lambda query: index.rank(query.text) if isinstance(query, Query) else _passed_on(query)


def _passed_on(failed: Unscored) -> Unscored:
    """A failure of an earlier step, which has billed its calls."""
    return Unscored(failed.reason, failed.raw)


def _reranked(
    setup: Setup, memo: Memo, texts: list[str], ranked: _Found[Ranking], indexed: _Indexed
) -> _Found[Ranking]:
    """The rankings with their heads in a better order."""
    if not setup.reranker.depth:
        return _Found(ranked.values, ranked.key, calls=[()] * len(texts))
    depth, chunks = setup.reranker.depth, indexed.chunks.value

    def score(pair: tuple[str, Ranking | Unscored]) -> Reranked | Unscored:
        text, ranking = pair
        if isinstance(ranking, Unscored):
            return _passed_on(ranking)
        return setup.reranker.score(text, [chunks[place] for place in ranking.positions[:depth]])

    scored = memo.each(
        "rerank",
        [ranked.key, setup.resolved["reranker"], identities(setup.reranker), texts],
        score,
        list(zip(texts, ranked.values, strict=True)),
        at_once=concurrency(setup.reranker),
        keeping=keeping(setup, SCORES, *RANKED),
    )
    pairs = zip(ranked.values, scored.value, strict=True)
    rankings = ranked.values if setup.terms.estimate else [_reordered(*pair) for pair in pairs]
    return _Found(rankings, scored.key, (scored.times,), [found.calls for found in scored.value])


def _reordered(ranking: Ranking | Unscored, found: Reranked | Unscored) -> Ranking | Unscored:
    if isinstance(ranking, Unscored) or isinstance(found, Unscored):
        return found if isinstance(found, Unscored) else ranking
    return reordered(ranking, found.scores)


def _packing(setup: Setup, indexed: _Indexed) -> Callable[[Ranking | Unscored], Context | Unscored]:
    chunks, sizes = indexed.chunks.value, indexed.layout.sizes

    def pack(ranking: Ranking | Unscored) -> Context | Unscored:
        return setup.budget.pack(ranking, chunks, sizes) if isinstance(ranking, Ranking) else _passed_on(ranking)

    return pack


def _by_stage(**calls: tuple[Call, ...]) -> Mapping[str, tuple[Call, ...]]:
    return {stage: made for stage, made in calls.items() if made}
