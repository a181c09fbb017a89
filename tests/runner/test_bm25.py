"""BM25 on small corpora whose scores are known, and against the package on a real one."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.errors import InputError
from eval.records import Chunk
from eval.text.analyzer import Analyzer
from runner.retrievers.bm25 import Bm25Retriever
from tests.runner.okapi import LuceneOkapi


def chunks(*texts: str) -> list[Chunk]:
    return [Chunk(f"d{number}#0", f"d{number}", 0, len(text), text) for number, text in enumerate(texts, 1)]


def ranked(query: str, *texts: str, **settings: object) -> list[int]:
    index = Bm25Retriever(**settings).build(chunks(*texts))  # type: ignore[arg-type]
    return [int(place) + 1 for place in index.rank(query).positions]


def test_a_term_in_half_of_a_tiny_corpus_still_ranks():
    index = Bm25Retriever().build(chunks("refund within ten days", "parking costs five euro"))
    scores = index.scores("refund")
    assert scores[0] == pytest.approx(0.6931, abs=5e-5)  # ln 2, at average length
    assert scores[1] == 0


def test_a_term_in_every_document_scores_above_zero():
    scores = Bm25Retriever().build(chunks("leave policy", "leave form")).scores("leave")
    assert scores[0] == scores[1] == pytest.approx(0.1823, abs=5e-5)
    assert Bm25Retriever().build(chunks("leave")).scores("leave")[0] == pytest.approx(0.2877, abs=5e-5)


def test_an_unknown_term_gives_an_empty_ranking():
    assert ranked("zzz", "a", "b", "c") == []
    assert ranked("", "a", "b", "c") == []


def test_ties_keep_corpus_order_and_repeat():
    assert ranked("fee", "the fee", "the fee", "the fee") == [1, 2, 3]
    assert ranked("fee", "the fee", "the fee", "the fee", depth=2) == [1, 2]


def test_nothing_to_index_is_told():
    with pytest.raises(InputError, match="nothing to index"):
        Bm25Retriever().build([])
    with pytest.raises(InputError, match="nothing to index"):
        Bm25Retriever().build(chunks("…", "!!"))


def test_chinese_matches():
    assert ranked("年假", "年假每年十天", "报销需要发票")[:1] == [1]
    assert ranked("税", "增值税率为六个百分点", "报销需要发票") == [1]


def test_a_product_code_finds_its_own_document_first():
    assert ranked("X-900", "型号X-900保修两年", "型号X-901保修一年")[0] == 1


def test_case_does_not_change_the_result():
    index = Bm25Retriever().build(chunks("Hello world", "foo bar", "hello foo"))
    scores = index.scores("HELLO")
    assert scores[0] == scores[2] > 0
    assert scores[1] == 0


def test_document_frequency_counts_documents_and_not_occurrences():
    scores = Bm25Retriever().build(chunks("cat cat cat", "dog", "fish")).scores("cat")
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    norm = 1.5 * (1 - 0.75 + 0.75 * 3 / (5 / 3))
    assert scores[0] == pytest.approx(idf * 3 * 2.5 / (3 + norm))


def test_titles_and_leads_are_searched_too():
    titled = Chunk("d1#0", "d1", 0, 4, "text", title="Parking")
    assert len(Bm25Retriever().build([titled]).rank("parking").positions) == 1


def test_a_shorter_ranking_is_the_head_of_the_longer_one():
    texts = [f"fee {'word ' * (number % 7)}" for number in range(40)]
    whole = ranked("fee word", *texts, depth=None)
    for depth in (1, 5, 17, 40):
        assert ranked("fee word", *texts, depth=depth) == whole[:depth]


words = st.lists(st.sampled_from(["fee", "leave", "api", "年假", "x-900", "the"]), max_size=8).map(" ".join)


@given(corpus=st.lists(words, min_size=1, max_size=12), query=words)
def test_a_ranking_holds_no_chunk_twice_and_its_scores_never_increase(corpus: list[str], query: str):
    if not any(corpus):
        return
    index = Bm25Retriever().build(chunks(*corpus))
    ranking = index.rank(query)
    assert len(set(ranking.positions.tolist())) == len(ranking.positions)
    assert (np.diff(ranking.scores) <= 0).all()
    assert (ranking.scores > 0).all()
    for left, right in zip(range(len(ranking.scores) - 1), range(1, len(ranking.scores)), strict=True):
        if ranking.scores[left] == ranking.scores[right]:
            assert ranking.positions[left] < ranking.positions[right]


@pytest.mark.parametrize("collection", ["cranfield", "cmrc2018_zh"])
def test_scores_equal_the_packages_own_on_a_real_collection(shared_data: Path, collection: str):
    folder = shared_data / "retrieval" / collection
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").split("\n")
    texts = [text for line in lines if line and (text := json.loads(line)["text"])]
    queries = [
        json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text(encoding="utf-8").split("\n")[:25]
    ]
    analyzer = Analyzer()
    package = LuceneOkapi([analyzer.terms(text) for text in texts], k1=1.5, b=0.75)
    index = Bm25Retriever().build(chunks(*texts))
    for query in queries:
        np.testing.assert_allclose(index.scores(query), package.get_scores(analyzer.terms(query)), rtol=0, atol=1e-9)
