"""Dense retrieval with vectors whose cosines are known, and the laws of its rankings."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import ValidationError

from eval.errors import EvalfirstError, InputError
from eval.records import Chunk, Ranking
from runner.embedders.remembered import RememberedEmbedder
from runner.protocols import Embedder, Foresighted
from runner.retrievers.dense import DenseIndex, DenseRetriever
from runner.vector_store import VectorStore
from tests.runner.fake_embedders import Fixed, Hashing, WordCounter, chunks_of


def remembering(embedder: Embedder, folder: Path | None = None) -> RememberedEmbedder:
    return RememberedEmbedder(embedder, VectorStore(folder))


def built(*texts: str, embedder: Embedder | None = None, depth: int | None = None) -> DenseIndex:
    return DenseRetriever(remembering(embedder or WordCounter()), depth).build(chunks_of(*texts))


def ranked(query: str, *texts: str, depth: int | None = None) -> list[int]:
    return [int(place) + 1 for place in built(*texts, depth=depth).rank(query).positions]


@dataclass
class Rows:
    """The vector of a query is the row that it names."""

    vectors: NDArray[np.float32]
    identity: str = "rows 1"
    batch: int = 100

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.vectors[[int(text) for text in texts]]

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.documents(texts)


def same(left: Ranking, right: Ranking) -> bool:
    return left.positions.tolist() == right.positions.tolist() and left.scores.tolist() == right.scores.tolist()


def test_scores_are_cosines_and_all_chunks_are_ranked():
    ranking = built("fee leave", "leave", "fee fee fee", "fee fee fee fee leave leave leave").rank("fee")
    assert ranking.positions.tolist() == [2, 3, 0, 1]
    assert ranking.scores == pytest.approx([1, 0.8, 0.5**0.5, 0], abs=1e-6)
    assert (ranking.positions.dtype, ranking.scores.dtype) == (np.int32, np.float64)


def test_equal_texts_have_equal_scores_and_stand_in_corpus_order():
    assert ranked("fee", "the fee", "leave", "the fee", "the fee") == [1, 3, 4, 2]
    assert ranked("fee", "the fee", "leave", "the fee", "the fee", depth=2) == [1, 3]


def test_same_text_in_two_documents_stays_two_chunks():
    chunks = [Chunk("d1#0", "d1", 0, 3, "fee"), Chunk("d2#0", "d2", 0, 3, "fee")]
    assert DenseRetriever(remembering(WordCounter())).build(chunks).rank("fee").positions.tolist() == [0, 1]


def test_blank_chunks_are_never_sent_never_found_and_the_others_stay_aligned():
    embedder = WordCounter()
    index = built("fee", "", "\n\n", "leave", embedder=embedder)
    assert embedder.sent == [["fee", "leave"]]
    assert index.rank("leave").positions.tolist() == [3, 0]


def test_a_blank_chunk_with_a_title_is_searched_by_it():
    titled = Chunk("d1#0", "d1", 0, 1, " ", title="parking")
    assert DenseRetriever(remembering(WordCounter())).build([titled]).rank("parking").positions.tolist() == [0]


def test_a_blank_query_gives_an_empty_ranking_and_is_not_sent():
    embedder = WordCounter()
    index = built("fee", embedder=embedder)
    index.foresee(["", " \n"])
    assert index.rank("").positions.tolist() == index.rank(" \n\u200b").scores.tolist() == []
    assert len(embedder.sent) == 1


def test_nothing_to_index_is_told():
    with pytest.raises(InputError, match=r"nothing to index: none of the 0 chunks has a text"):
        built()
    with pytest.raises(InputError, match=r"nothing to index: none of the 2 chunks has a text"):
        built("", "\n")


@pytest.mark.parametrize(
    ("vectors", "told"),
    [
        ([[1, 2], [np.nan, 1]], "NaN or infinity as the vector of 1 of 2 texts, the first of them 'leave'"),
        ([[np.inf, 2], [3, 1]], "NaN or infinity as the vector of 1 of 2 texts, the first of them 'fee'"),
        ([[0, 0], [0, 0]], "only zeros as the vector of 2 of 2 texts"),
        ([[1, 2]], "must give one vector for each text"),
        ([1, 2], "must give one vector for each text"),
        ([[], []], "must give one vector for each text"),
    ],
)
def test_vectors_that_can_not_be_compared_raise_and_name_the_model(vectors: list[list[float]], told: str):
    for embedder in (Fixed(np.array(vectors)), remembering(Fixed(np.array(vectors)))):
        with pytest.raises(EvalfirstError, match=rf"^the model fixed 1 [^\n]*{told}[^\n]*$"):
            DenseRetriever(embedder).build(chunks_of("fee", "leave"))


def test_questions_of_another_dimension_than_the_chunks_raise():
    index = DenseRetriever(Fixed(np.ones((1, 3), dtype=np.float32))).build(chunks_of("fee"))
    other = DenseIndex(Fixed(np.ones((1, 2), dtype=np.float32)), None, index.vectors, index.positions)
    with pytest.raises(EvalfirstError, match="of 3 dimensions for chunks and of 2 for questions"):
        other.rank("fee")


def test_an_index_embeds_foreseen_queries_in_batches_and_once():
    embedder = WordCounter()
    index = built("fee", "leave", embedder=embedder)
    assert isinstance(index, Foresighted)
    index.foresee(["fee", "api", "leave", "fee", ""])
    index.foresee(["api", "fee"])
    assert index.rank("api").positions.tolist() == [0, 1]
    assert embedder.sent[1:] == [["fee", "api"], ["leave"]]


def test_an_index_comes_back_from_its_arrays():
    chunks = chunks_of("fee leave", "", "leave", "fee fee api")
    retriever = DenseRetriever(remembering(WordCounter()), depth=2)
    index = retriever.build(chunks)
    again = retriever.restore(chunks, index.arrays())
    assert same(index.rank("fee"), again.rank("fee"))
    assert len(again.rank("fee").positions) == 2


def test_arrays_of_other_chunks_are_refused():
    retriever = DenseRetriever(remembering(WordCounter()))
    arrays = retriever.build(chunks_of("fee", "leave", "api")).arrays()
    for chunks, changes in (
        (chunks_of("fee"), {}),
        (chunks_of("fee", "leave", "api"), {"positions": arrays["positions"][:2]}),
        (chunks_of("fee", "leave", "api"), {"vectors": arrays["vectors"][0]}),
        (chunks_of("fee"), {"vectors": arrays["vectors"][:0], "positions": arrays["positions"][:0]}),
    ):
        with pytest.raises(ValueError, match=r"index"):
            retriever.restore(chunks, arrays | changes)


def test_settings_are_checked():
    for depth in (0, -1, 1.5, "10", True):
        with pytest.raises(ValidationError, match="depth"):
            DenseRetriever(model=remembering(WordCounter()), depth=depth)  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="model"):
        DenseRetriever(model="wordllama")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "dimensions", "depth"), [(3000, 384, 100), (2000, 100, 1), (500, 1027, 499), (70, 1, 7)]
)
def test_foresight_changes_no_bit_where_scores_are_close(count: int, dimensions: int, depth: int):
    """Chunks in three heaps, each within a few roundings of single precision: any other sum would order them anew."""
    random = np.random.default_rng(7)
    heaps = random.standard_normal((3, dimensions)).astype(np.float32)
    vectors = heaps[random.integers(0, 3, count)]
    vectors += (random.integers(-2, 3, vectors.shape) * 2.0**-22).astype(np.float32)
    index = DenseRetriever(model=Fixed(vectors), depth=depth).build(chunks_of(*(["text"] * count)))
    seen, unseen = (DenseIndex(Rows(heaps), depth, index.vectors, index.positions) for _ in range(2))
    seen.foresee(["0", "1", "2"])
    for query in ("0", "1", "2"):
        assert same(seen.rank(query), unseen.rank(query))


texts = st.lists(
    st.sampled_from(["fee", "leave", "api fee", "年假", "", "x-900", "the", "a\0b", "\ud83d"]), max_size=12
)


@given(corpus=texts, query=st.sampled_from(["fee", "年假", "the", " "]), depth=st.none() | st.integers(1, 14))
def test_a_ranking_holds_no_chunk_twice_and_its_scores_never_increase(corpus: list[str], query: str, depth: int | None):
    if not any(corpus):
        return
    ranking = built(*corpus, embedder=Hashing(), depth=depth).rank(query)
    whole = built(*corpus, embedder=Hashing()).rank(query)
    assert len(set(ranking.positions.tolist())) == len(ranking.positions)
    assert same(ranking, Ranking(whole.positions[:depth], whole.scores[:depth]))
    assert len(whole.positions) == (0 if query == " " else sum(text != "" for text in corpus))
    for place in range(len(whole.scores) - 1):
        assert (-whole.scores[place], whole.positions[place]) < (-whole.scores[place + 1], whole.positions[place + 1])


@given(
    corpus=texts.filter(any),
    batch=st.integers(1, 7),
    foreseen=st.lists(st.sampled_from(["fee", "api", "年假", ""]), max_size=6),
    kept=texts,
    depth=st.none() | st.integers(1, 6),
)
def test_batches_foresight_and_what_is_kept_change_no_ranking(
    corpus: list[str], batch: int, foreseen: list[str], kept: list[str], depth: int | None
):
    plain = built(*corpus, embedder=Hashing(batch=100), depth=depth)
    with tempfile.TemporaryDirectory() as folder:
        before = remembering(Hashing(), Path(folder))
        before.documents(kept)
        before.queries(kept)
        index = DenseRetriever(remembering(Hashing(batch=batch), Path(folder)), depth).build(chunks_of(*corpus))
        index.foresee(foreseen)
        for query in ("fee", "api", "年假"):
            assert same(index.rank(query), plain.rank(query))
