"""Queries per second of BM25 beside rank-bm25, bm25s and tantivy: python -m tests.benchmarks.bm25 [CHUNKS …]

The same work for all, from the text of a query to the places of the best 10 or 1000 chunks in order: each takes the
text apart in its own way, as its users have it, with the same stemming. Texts are made up, their words follow Zipf's
law as those of a language do, and so do the queries: ten words, mostly frequent ones, which is the hard case. Seconds
are of the wall, as tantivy has threads of its own, the least of several rounds over all queries. bm25s works without
numba, which is made unavailable here. The scores of ours and of rank-bm25 (with the same statistics) are compared.
"""

import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from time import perf_counter
from typing import Any

import numpy as np

from eval.records import Chunk
from runner.retrievers.bm25 import Bm25Index, Bm25Retriever

QUERIES, TERMS_PER_QUERY, WORDS_PER_CHUNK, VOCABULARY, ROUNDS = 50, 10, 150, 30_000, 3
K1, B = 1.5, 0.75
Rank = Callable[[str, int], Sequence[Any]]
sys.modules["numba"] = None  # type: ignore[assignment]  # an import of it fails, as where it is not installed


def made_up_texts(count: int, random: np.random.Generator) -> list[str]:
    """Texts whose words follow Zipf's law, as those of a language do."""
    ranks = 1 / np.arange(1, VOCABULARY + 1)
    words = np.array([f"w{number}" for number in range(VOCABULARY)], dtype=object)
    drawn = (random.choice(VOCABULARY, size=WORDS_PER_CHUNK, p=ranks / ranks.sum()) for _ in range(count))
    return [" ".join(words[row]) for row in drawn]


def ours(texts: Sequence[str]) -> tuple[Rank, Bm25Index]:
    """Our retriever, and its index for the comparison of scores."""
    chunks = [Chunk(f"d#{n}", "d", 0, 0, text) for n, text in enumerate(texts)]
    index = Bm25Retriever(k1=K1, b=B).build(chunks)
    return lambda query, depth: replace(index, depth=depth).rank(query).positions, index


def rank_bm25(texts: Sequence[str]) -> tuple[Rank, Any]:
    """The package with Lucene's statistics, on the terms of our analyzer."""
    from tests.runner.okapi import LuceneOkapi

    terms = Bm25Retriever().analyzer.terms
    okapi = LuceneOkapi([terms(text) for text in texts], k1=K1, b=B)
    return lambda query, depth: np.argsort(-okapi.get_scores(terms(query)))[:depth], okapi


def bm25s(texts: Sequence[str]) -> tuple[Rank, Any]:
    """With its own tokenizer, PyStemmer, and numpy in every place."""
    library: Any = importlib.import_module("bm25s")
    stemmer = importlib.import_module("Stemmer").Stemmer("english")

    def tokens(text: Sequence[str]) -> Any:
        return library.tokenize(text, stopwords=None, stemmer=stemmer, show_progress=False)

    index = library.BM25(k1=K1, b=B, method="lucene", backend="numpy")
    index.index(tokens(texts), show_progress=False)

    def rank(query: str, depth: int) -> Sequence[int]:
        found = index.retrieve(
            tokens([query]), k=min(depth, len(texts)), show_progress=False, backend_selection="numpy"
        )
        return list(found.documents[0])

    return rank, None


def tantivy(texts: Sequence[str]) -> tuple[Rank, Any]:
    """An index in memory with the English stemmer; its own k1 and b, 1.2 and 0.75, are fixed."""
    library: Any = importlib.import_module("tantivy")
    schema = library.SchemaBuilder().add_text_field("text", tokenizer_name="en_stem").add_integer_field("n", fast=True)
    schema = schema.add_integer_field("place", stored=True).build()
    index = library.Index(schema)
    writer = index.writer(200_000_000, 1)
    for number, text in enumerate(texts):
        writer.add_document(library.Document(text=text, n=number, place=number))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def rank(query: str, depth: int) -> Sequence[int]:
        hits = searcher.search(index.parse_query(query, ["text"]), depth).hits
        return [searcher.doc(address)["place"][0] for _, address in hits]

    return rank, None


def least(rank: Rank, queries: Sequence[str], depth: int) -> float:
    """Seconds per query in the fastest round."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        for query in queries:
            rank(query, depth)
        times.append(perf_counter() - start)
    return min(times) / len(queries)


def engines(texts: Sequence[str]) -> Iterator[tuple[str, Rank, Any, float]]:
    """Each that is installed, with the seconds that its index took; one at a time, as they are large."""
    for name, package, build in (
        ("ours", "evalfirst", ours),
        ("bm25s", "bm25s", bm25s),
        ("tantivy", "tantivy", tantivy),
        ("rank-bm25", "rank-bm25", rank_bm25),
    ):
        start = perf_counter()
        try:
            rank, index = build(texts)
        except ImportError:
            print(f"  {package} is not installed: not compared")
            continue
        yield f"{name} {version(package)}", rank, index, perf_counter() - start


def compare(count: int) -> None:
    """Print a line per engine for a collection of ``count`` chunks."""
    random = np.random.default_rng(0)
    texts = made_up_texts(count, random)
    queries = [" ".join(text.split()[:TERMS_PER_QUERY]) for text in made_up_texts(QUERIES, random)]
    print(f"{count} chunks")
    own: dict[int, float] = {}
    scores: list[np.ndarray] = []
    for name, rank, index, built in engines(texts):
        asked = queries[:2] if name.startswith("rank-bm25") else queries
        line = f"  {name:16} index {built:6.2f} s"
        for depth in (10, 1000):
            seconds = least(rank, asked, depth)
            own.setdefault(depth, seconds)
            line += f"; top {depth} {1 / seconds:8.0f} queries/s, ours take {own[depth] / seconds:5.2f} of its time"
        if isinstance(index, Bm25Index):
            scores = [index.scores(query) for query in queries[:3]]
        elif index is not None:
            terms = Bm25Retriever().analyzer.terms
            theirs = [index.get_scores(terms(query)) for query in queries[:3]]
            worst = max(float(np.abs(a - b).max()) for a, b in zip(scores, theirs, strict=True))
            line += f"; scores differ by {worst:.0e} at most"
        print(line, flush=True)


if __name__ == "__main__":
    for size in [int(argument) for argument in sys.argv[1:]] or [1_000, 10_000, 100_000]:
        compare(size)
