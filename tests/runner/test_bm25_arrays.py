"""An index of BM25 can be kept as plain arrays, and every way to it gives the same one, to the last bit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.records import Chunk
from eval.text.analyzer import Analyzer
from runner.retrievers.bm25 import Bm25Retriever
from tests.runner.okapi import LuceneOkapi

TEXTS = ("the fee of the leave", "年假每年十天", "", "x-900 leave fee fee")


def chunks(*texts: str) -> list[Chunk]:
    return [Chunk(f"d{number}#0", f"d{number}", 0, len(text), text) for number, text in enumerate(texts, 1)]


def test_an_index_kept_in_a_file_is_the_index_that_was_built(tmp_path: Path) -> None:
    retriever, corpus = Bm25Retriever(k1=1.2, depth=3), chunks(*TEXTS)
    built = retriever.build(corpus)
    np.savez(tmp_path / "index.npz", allow_pickle=False, **built.arrays())
    with np.load(tmp_path / "index.npz", allow_pickle=False) as kept:
        restored = retriever.restore(corpus, dict(kept))
    for query in ("fee", "leave 年假", "x-900", "zzz", ""):
        left, right = built.rank(query), restored.rank(query)
        assert left.positions.tobytes() == right.positions.tobytes()
        assert left.scores.tobytes() == right.scores.tobytes()
    assert list(restored.weights.numbers.items()) == list(built.weights.numbers.items())


def test_an_index_of_other_chunks_is_refused() -> None:
    arrays = Bm25Retriever().build(chunks(*TEXTS)).arrays()
    with pytest.raises(ValueError, match="an index of 4 chunks can't rank 3"):
        Bm25Retriever().restore(chunks(*TEXTS[:3]), arrays)


words = st.lists(st.sampled_from(["fee", "leave", "api", "年假", "x-900", "the"]), max_size=8).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(
    corpus=st.lists(words, min_size=1, max_size=12),
    query=words,
    k1=st.sampled_from([0.1, 0.9, 1.5, 1000.0]),
    b=st.sampled_from([0.0, 0.75, 0.9]),
)
def test_scores_are_those_of_rank_bm25_to_the_last_bits(corpus: list[str], query: str, k1: float, b: float) -> None:
    if not any(corpus):
        return
    analyzer = Analyzer()
    package = LuceneOkapi([analyzer.terms(text) for text in corpus], k1=k1, b=b)
    ours = Bm25Retriever(k1=k1, b=b).build(chunks(*corpus)).scores(query)
    np.testing.assert_array_equal(ours, package.get_scores(analyzer.terms(query)))


def test_numbers_of_terms_follow_their_first_appearance() -> None:
    index = Bm25Retriever().build(chunks("fee leave", "api fee"))
    assert dict(index.weights.numbers) == {"fee": 0, "leav": 1, "api": 2}
    assert index.weights.starts.tolist() == [0, 2, 3, 4]
    assert index.weights.positions.tolist() == [0, 1, 0, 1]


def test_terms_of_most_chunks_score_as_in_the_package_the_first_time_and_again() -> None:
    corpus = [
        f"fee leave {'api' if number % 3 else 'fee'} {'x-900' if number % 7 == 0 else ''}" for number in range(50)
    ]
    analyzer = Analyzer()
    package = LuceneOkapi([analyzer.terms(text) for text in corpus])
    index = Bm25Retriever().build(chunks(*corpus))
    for query in ("fee x-900 api fee", "api leave", "fee x-900 api fee"):
        np.testing.assert_array_equal(index.scores(query), package.get_scores(analyzer.terms(query)))


def test_a_corpus_counted_in_many_parts_is_weighed_as_in_one() -> None:
    random = np.random.default_rng(0)
    corpus = [" ".join(f"w{number}" for number in random.integers(0, 40, 300)) for _ in range(1000)]
    corpus[500] = " ".join(["w1"] * 300_000)  # a pair that alone is more than is counted at a time
    analyzer = Analyzer()
    package = LuceneOkapi([analyzer.terms(text) for text in corpus])
    index = Bm25Retriever().build(chunks(*corpus))
    for query in ("w1 w39", "w0 w7 w20"):
        np.testing.assert_array_equal(index.scores(query), package.get_scores(analyzer.terms(query)))
