"""BM25 (Robertson et al., TREC-3, 1994), as the package rank-bm25 computes it, with sparse scoring."""

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from eval.component import component
from eval.errors import InputError
from eval.records import Chunk, Ranking
from eval.text.analyzer import Analyzer
from runner.retrievers.order import best_first

_SPREAD = 0.5  # a term in a larger share of the chunks is added to all of them: to look up so many places takes longer
_TOGETHER = 2**18  # words that are counted at a time, so that what is needed on the way stays small


def inverse_frequency(size: int, documents: int) -> float:
    """Lucene's inverse document frequency of a term in ``documents`` of ``size``, above 0 even where all have it."""
    return math.log(1 + (size - documents + 0.5) / (documents + 0.5))


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
        occurrences = _occurrences(self.analyzer.terms(chunk.shown) for chunk in chunks)
        if not occurrences.numbers:
            raise InputError(f"nothing to index: none of the {len(chunks)} chunks has a word; fill the documents")
        return Bm25Index(_weigh(occurrences, self.k1, self.b), len(chunks), self.analyzer, self.depth)

    def restore(self, chunks: Sequence[Chunk], arrays: Mapping[str, NDArray[Any]]) -> "Bm25Index":
        """The index that ``build`` made of the same chunks with the same settings, from its ``arrays()``.

        Raises:
            ValueError: they are of another number of chunks.
        """
        size = int(arrays["size"])
        if size != len(chunks):
            raise ValueError(f"an index of {size} chunks can't rank {len(chunks)}")
        terms = arrays["terms"].tobytes().decode().split("\n")
        numbers = {term: number for number, term in enumerate(terms)}
        weights = Weights(numbers, arrays["starts"], arrays["positions"], arrays["values"])
        return Bm25Index(weights, size, self.analyzer, self.depth)


@dataclass(frozen=True, eq=False)
class Weights:
    """A sparse matrix by term: where each term occurs, and what it adds to the score there.

    ``numbers`` counts the terms in the order in which they first occur. Term ``number`` owns the slice
    ``starts[number]:starts[number + 1]`` of ``positions`` (chunks, rising) and ``values``, both of shape (pairs,).
    """

    numbers: Mapping[str, int]
    starts: NDArray[np.intp]
    positions: NDArray[np.int32]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bm25Index:
    """Every term's contribution to every chunk's score, computed once: a question adds up a few columns.

    Columns of frequent terms are kept as they are when spread over all chunks. There are less than twice as many as a
    chunk has terms in the mean.
    """

    weights: Weights
    size: int
    analyzer: Analyzer
    depth: int | None
    _spread: dict[int, NDArray[np.float64]] = field(default_factory=dict)

    def scores(self, query: str) -> NDArray[np.float64]:
        """Score of every chunk, shape (size,); a term that the question repeats counts each time."""
        scores = np.zeros(self.size)
        for term in self.analyzer.terms(query):
            if (number := self.weights.numbers.get(term)) is not None:
                self._add(number, scores)
        return scores

    def _add(self, number: int, scores: NDArray[np.float64]) -> None:
        column = slice(self.weights.starts[number], self.weights.starts[number + 1])
        positions, values = self.weights.positions[column], self.weights.values[column]
        if len(positions) <= _SPREAD * self.size:
            np.add.at(scores, positions, values)
            return
        spread = self._spread.get(number)
        if spread is None:  # two threads may both make it: the same
            spread = np.zeros(self.size)
            spread[positions] = values
            self._spread[number] = spread
        scores += spread

    def rank(self, query: str) -> Ranking:
        """Chunks that share a term with the question, best first, equal scores in corpus order."""
        scores = self.scores(query)
        positions = best_first(scores, self.depth, above=0.0)
        return Ranking(positions.astype(np.int32), scores[positions])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it as plain arrays, so that it can be kept without pickle: see ``Bm25Retriever.restore``.

        ``terms`` (bytes) are the known terms in UTF-8, one a line, by number; ``size`` has no dimension.
        """
        terms = np.frombuffer("\n".join(self.weights.numbers).encode(), dtype=np.uint8)
        weights = self.weights
        return {
            "terms": terms,
            "starts": weights.starts,
            "positions": weights.positions,
            "values": weights.values,
            "size": np.array(self.size),
        }


@dataclass(frozen=True, eq=False)
class _Occurrences:
    """A corpus as words: ``words`` (n,) are ``term * chunks + chunk``, rising; ``lengths`` (chunks,) count them."""

    numbers: Mapping[str, int]
    words: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def pairs(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
        """Pairs of a term and a chunk that has it, rising, and how often it has it, many at a time."""
        start = 0
        while start < len(self.words):
            last = self.words[min(start + _TOGETHER, len(self.words)) - 1]
            stop = int(np.searchsorted(self.words, last, side="right"))
            part = self.words[start:stop]
            first = np.flatnonzero(np.diff(part, prepend=-1))
            terms, chunks = np.divmod(part[first], len(self.lengths))
            yield terms, chunks, np.diff(first, append=len(part)).astype(np.float64)
            start = stop


class _Numbers(dict[str, int]):
    """Gives each new term the next number."""

    def __missing__(self, term: str) -> int:
        return self.setdefault(term, len(self))


def _occurrences(texts: Iterable[Sequence[str]]) -> _Occurrences:
    numbers, terms, lengths = _Numbers(), array("i"), array("q")
    for text in texts:
        terms.extend(map(numbers.__getitem__, text))
        lengths.append(len(text))
    words = np.array(terms, dtype=np.int64)
    words *= len(lengths)
    words += np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    words.sort()
    return _Occurrences(numbers, words, np.asarray(lengths, np.int64))


def _weigh(corpus: _Occurrences, k1: float, b: float) -> Weights:
    """What each term adds to each chunk's score, with the formula of rank-bm25's ``get_scores`` to the last bit."""
    size = len(corpus.lengths)
    documents = np.zeros(len(corpus.numbers), dtype=np.int64)
    for terms, _, _ in corpus.pairs():
        documents += np.bincount(terms, minlength=len(documents))
    idf = np.array([inverse_frequency(size, number) for number in documents.tolist()])
    norms = k1 * (1 - b + b * corpus.lengths / (int(corpus.lengths.sum()) / size))
    starts = np.append(0, np.cumsum(documents))
    positions, values, filled = np.empty(starts[-1], np.int32), np.empty(starts[-1]), 0
    for terms, chunks, counts in corpus.pairs():
        part = slice(filled, filled := filled + len(terms))
        positions[part] = chunks
        values[part] = idf[terms] * (counts * (k1 + 1) / (counts + norms[chunks]))
    return Weights(corpus.numbers, starts, positions, values)
