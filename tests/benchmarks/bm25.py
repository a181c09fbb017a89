"""How much faster sparse scoring is than rank-bm25's own, on made-up text: python tests/benchmarks/bm25.py [CHUNKS …]

The ratio is taken within one run, over the same queries; the scores of both are compared on the way.
"""

import sys
from time import perf_counter

import numpy as np

from eval.records import Chunk
from runner.retrievers.bm25 import Bm25Retriever, LuceneOkapi

QUERIES, TERMS_PER_QUERY, WORDS_PER_CHUNK, VOCABULARY = 20, 10, 150, 30_000


def made_up_texts(count: int, random: np.random.Generator) -> list[str]:
    """Texts whose words follow Zipf's law, as those of a language do."""
    ranks = 1 / np.arange(1, VOCABULARY + 1)
    drawn = random.choice(VOCABULARY, size=(count, WORDS_PER_CHUNK), p=ranks / ranks.sum())
    return [" ".join(f"w{number}" for number in row) for row in drawn]


def compare(count: int) -> None:
    """Print one line for a collection of ``count`` chunks."""
    random = np.random.default_rng(0)
    chunks = [Chunk(f"d#{n}", "d", 0, 0, text) for n, text in enumerate(made_up_texts(count, random))]
    queries = [" ".join(text.split()[:TERMS_PER_QUERY]) for text in made_up_texts(QUERIES, random)]
    retriever = Bm25Retriever()
    start = perf_counter()
    index = retriever.build(chunks)
    built = perf_counter() - start
    package = LuceneOkapi([retriever.analyzer.terms(chunk.shown) for chunk in chunks], k1=1.5, b=0.75)
    terms = [retriever.analyzer.terms(query) for query in queries]

    start = perf_counter()
    theirs = [package.get_scores(query) for query in terms]
    package_time = perf_counter() - start
    start = perf_counter()
    ours = [index.scores(query) for query in queries]
    sparse_time = perf_counter() - start
    start = perf_counter()
    for query in queries:
        index.rank(query)
    rank_time = perf_counter() - start
    worst = max(float(np.abs(a - b).max()) for a, b in zip(ours, theirs, strict=True))
    print(
        f"{count:>7} chunks: index {built:6.2f} s; per query: rank-bm25 {package_time / QUERIES * 1e3:8.2f} ms, "
        f"sparse scores {sparse_time / QUERIES * 1e3:6.3f} ms ({package_time / sparse_time:5.0f} times faster), "
        f"whole ranking {rank_time / QUERIES * 1e3:6.3f} ms ({package_time / rank_time:5.0f} times); "
        f"largest difference of a score {worst:.1e}"
    )


if __name__ == "__main__":
    for size in [int(argument) for argument in sys.argv[1:]] or [1_000, 10_000, 50_000]:
        compare(size)
