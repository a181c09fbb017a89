"""BM25 (Robertson et al., TREC-3, 1994) with the statistics of the package rank-bm25 and sparse scoring."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from rank_bm25 import BM25Okapi

from eval.component import component
from eval.errors import InputError
from eval.records import Chunk, Ranking
from eval.text.analyzer import Analyzer


class LuceneOkapi(BM25Okapi):  # type: ignore[misc]  # rank-bm25 ships no types
    """``BM25Okapi`` with Lucene's inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)).

    The package's own is zero for a term in half of the documents and negative above; this one is always positive,
    so that a corpus of two documents ranks too.
    """

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        for term, documents in nd.items():
            self.idf[term] = math.log(1 + (self.corpus_size - documents + 0.5) / (documents + 0.5))


@component
class Bm25Retriever:
    """Settings of BM25: term saturation ``k1``, length normalisation ``b``, and the longest ranking it gives.

    ``depth`` ends a ranking; ``None`` gives every chunk that shares a term with the question.
    """

    k1: Annotated[float, Field(ge=0, le=1000)] = 1.5
    b: Annotated[float, Field(ge=0, le=1)] = 0.75
    depth: Annotated[int, Field(ge=1)] | None = 1000
    analyzer: Analyzer = Field(default_factory=Analyzer)

    def build(self, chunks: Sequence[Chunk]) -> "Bm25Index":
        """Index the chunks as they are shown.

        Raises:
            InputError: there is no chunk, or none with a word in it.
        """
        terms = [self.analyzer.terms(chunk.shown) for chunk in chunks]
        if not any(terms):
            raise InputError(f"nothing to index: none of the {len(chunks)} chunks has a word; fill the documents")
        return Bm25Index(_weigh(LuceneOkapi(terms, k1=self.k1, b=self.b)), len(chunks), self.analyzer, self.depth)


@dataclass(frozen=True, eq=False)
class Weights:
    """A sparse matrix by term: where each term occurs, and what it adds to the score there.

    Term ``number`` owns the slice ``starts[number]:starts[number + 1]`` of ``positions`` (chunks, rising) and
    ``values``, both of shape (occurrences,).
    """

    numbers: Mapping[str, int]
    starts: NDArray[np.intp]
    positions: NDArray[np.int32]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bm25Index:
    """Every term's contribution to every chunk's score, computed once: a question adds up a few sparse columns."""

    weights: Weights
    size: int
    analyzer: Analyzer
    depth: int | None

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score of every chunk, shape (size,); a term that the question repeats counts each time."""
        scores = np.zeros(self.size)
        for term in self.analyzer.terms(query):
            if (number := self.weights.numbers.get(term)) is not None:
                column = slice(self.weights.starts[number], self.weights.starts[number + 1])
                scores[self.weights.positions[column]] += self.weights.values[column]
        return scores

    def rank(self, query: str) -> Ranking:
        """Chunks that share a term with the question, best first, equal scores in corpus order."""
        scores = self.scores(query)
        positions = _best(scores, np.flatnonzero(scores > 0), self.depth)
        return Ranking(positions.astype(np.int32), scores[positions])


def _best(scores: NDArray[np.float64], found: NDArray[np.intp], depth: int | None) -> NDArray[np.intp]:
    """The ``depth`` best of ``found`` (rising positions), in order; only what can be among them is sorted."""
    if depth is not None and len(found) > depth:
        threshold = np.partition(scores[found], len(found) - depth)[len(found) - depth]
        found = found[scores[found] >= threshold]
    return found[np.argsort(-scores[found], kind="stable")][:depth]


def _weigh(statistics: LuceneOkapi) -> Weights:
    """Turn the package's counts into weights, with the formula of its ``get_scores``."""
    frequencies = statistics.doc_freqs
    numbers = {term: number for number, term in enumerate(statistics.idf)}
    terms = np.fromiter((numbers[term] for counts in frequencies for term in counts), dtype=np.int64)
    counts = np.fromiter((count for counts in frequencies for count in counts.values()), dtype=np.float64)
    positions = np.repeat(np.arange(len(frequencies), dtype=np.int32), [len(counts) for counts in frequencies])
    lengths = np.array(statistics.doc_len)
    norms = statistics.k1 * (1 - statistics.b + statistics.b * lengths / statistics.avgdl)
    idf = np.fromiter(statistics.idf.values(), dtype=np.float64)
    values = idf[terms] * (counts * (statistics.k1 + 1) / (counts + norms[positions]))
    by_term = np.argsort(terms, kind="stable")
    starts = np.searchsorted(terms[by_term], np.arange(len(numbers) + 1))
    return Weights(numbers, starts, positions[by_term], values[by_term])
