"""The search engine Tantivy behind our analysis: what a lexical ranking must be, and how near it comes to our BM25."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError
from eval.records import Chunk
from runner.retrievers.bm25 import Bm25Retriever
from tests.runner.vector_servers import chunks

pytest.importorskip("tantivy", reason="the extra tantivy is not installed")
from runner.retrievers.tantivy import TantivyRetriever  # after the look for its package


def ranked(query: str, *texts: str, **options: object) -> list[int]:
    index = TantivyRetriever(**options).build(chunks(*texts))  # type: ignore[arg-type]
    return [int(place) + 1 for place in index.rank(query).positions]


def scores(query: str, *texts: str) -> list[float]:
    return TantivyRetriever().build(chunks(*texts)).rank(query).scores.tolist()


def test_a_term_in_half_of_a_tiny_corpus_still_ranks():
    texts = "refund within ten days", "parking costs five euro"
    assert ranked("refund", *texts) == [1]
    assert scores("refund", *texts) == pytest.approx([math.log(2) * 2.2 / 2.2], rel=1e-5)  # at average length


def test_a_term_in_every_document_scores_above_zero():
    assert scores("leave", "leave policy", "leave form") == pytest.approx([0.1823, 0.1823], abs=5e-5)
    assert scores("leave", "leave") == pytest.approx([0.2877], abs=5e-5)


def test_an_unknown_term_gives_an_empty_ranking():
    assert ranked("zzz", "a", "b", "c") == []
    assert ranked("", "a", "b", "c") == []
    assert ranked("…", "a", "b", "c") == []


def test_ties_keep_corpus_order_where_the_ranking_ends_too():
    texts = ["the fee"] * 50
    assert ranked("fee", *texts) == list(range(1, 51))
    for depth in (1, 2, 17, 49, 50, 60):
        assert ranked("fee", *texts, depth=depth) == list(range(1, min(depth, 50) + 1))


def test_equal_texts_tie_among_others_of_many_terms():
    words = [f"w{number % 13} w{number % 7} w{number % 5} w{number % 3} w{number % 2}" for number in range(300)]
    corpus = [text for text in words for _ in range(2)]
    ranking = TantivyRetriever(depth=None).build(chunks(*corpus)).rank("w0 w1 w2 w3 w4 w5 w6")
    found = dict(zip(ranking.positions.tolist(), ranking.scores.tolist(), strict=True))
    assert all(found[2 * pair] == found[2 * pair + 1] for pair in range(300))


def test_blank_chunks_are_never_found_and_nothing_to_index_is_told():
    assert ranked("fee", "", "fee", "!!", "fee") == [2, 4]
    for texts in ((), ("…", "!!")):
        with pytest.raises(InputError, match="nothing to index"):
            TantivyRetriever().build(chunks(*texts))


def test_chinese_matches():
    assert ranked("年假", "年假每年十天", "报销需要发票")[:1] == [1]
    assert ranked("税", "增值税率为六个百分点", "报销需要发票") == [1]


def test_a_product_code_finds_its_own_document_first():
    assert ranked("X-900", "型号X-900保修两年", "型号X-901保修一年")[0] == 1


def test_case_does_not_change_the_result():
    assert ranked("HELLO", "Hello world", "foo bar", "hello foo") == [1, 3]
    first, second = scores("HELLO", "Hello world", "foo bar", "hello foo")
    assert first == second > 0


def test_document_frequency_counts_documents_and_not_occurrences():
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    norm = 1.2 * (1 - 0.75 + 0.75 * 3 / (5 / 3))
    assert scores("cat", "cat cat cat", "dog", "fish") == pytest.approx([idf * 3 * 2.2 / (3 + norm)], rel=1e-5)


def test_a_term_that_the_question_repeats_counts_each_time():
    assert scores("fee fee", "fee", "x")[0] == pytest.approx(2 * scores("fee", "fee", "x")[0], rel=1e-5)


def test_very_long_words_are_terms_too():
    assert ranked("x" * 5000, "x" * 5000, "x" * 4999) == [1]


def test_a_shorter_ranking_is_the_head_of_the_longer_one():
    texts = [f"fee {'word ' * (number % 7)}" for number in range(40)]
    whole = ranked("fee word", *texts, depth=None)
    for depth in (1, 5, 17, 40):
        assert ranked("fee word", *texts, depth=depth) == whole[:depth]


words = st.lists(st.sampled_from(["fee", "leave", "api", "年假", "x-900", "the"]), max_size=8).map(" ".join)


@settings(max_examples=40, deadline=None)
@given(corpus=st.lists(words, min_size=1, max_size=12), query=words)
def test_a_ranking_holds_what_bm25_finds_none_twice_best_first_and_ties_in_corpus_order(
    corpus: list[str], query: str
) -> None:
    if not any(corpus):
        return
    ranking = TantivyRetriever().build(chunks(*corpus)).rank(query)
    ours = Bm25Retriever(k1=1.2).build(chunks(*corpus))
    assert set(ranking.positions.tolist()) == set(np.flatnonzero(ours.scores(query)).tolist())
    assert len(set(ranking.positions.tolist())) == len(ranking.positions)
    assert (ranking.scores > 0).all()
    order = list(zip((-ranking.scores).tolist(), ranking.positions.tolist(), strict=True))
    assert order == sorted(order)
    # as short as these chunks are, their lengths are not rounded
    np.testing.assert_allclose(ranking.scores, ours.scores(query)[ranking.positions], rtol=1e-5)


def _texts(file: Path) -> list[str]:
    return [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").split("\n") if line]


def _overlap(left: Sequence[int], right: Sequence[int]) -> float:
    return len(set(left) & set(right)) / max(1, len(right))


@pytest.mark.parametrize("collection", ["cranfield", "cmrc2018_zh"])
def test_it_finds_what_bm25_finds_on_a_real_collection_and_repeats_itself(shared_data: Path, collection: str) -> None:
    folder = shared_data / "retrieval" / collection
    texts, queries = _texts(folder / "corpus.jsonl"), _texts(folder / "queries.jsonl")[:40]
    corpus: list[Chunk] = chunks(*(text for text in texts if text))
    index, again, ours = (
        retriever.build(corpus) for retriever in (TantivyRetriever(), TantivyRetriever(), Bm25Retriever(k1=1.2))
    )
    shares = []
    for query in queries:
        first, second = index.rank(query), again.rank(query)
        assert first.positions.tobytes() == second.positions.tobytes()
        assert first.scores.tobytes() == second.scores.tobytes()
        shares.append(_overlap(first.positions[:10].tolist(), ours.rank(query).positions[:10].tolist()))
    assert np.mean(shares) > 0.85  # the rest is the rounding of lengths
