"""The hybrid over retrievers that rank as they are told, and over real ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import ValidationError

from eval.records import Chunk, Ranking
from runner.protocols import Foresighted, Restoring, Storable
from runner.retrievers.bm25 import Bm25Retriever
from runner.retrievers.hybrid import HybridRetriever

CHUNKS = [Chunk(f"d{number}#0", f"d{number}", 0, 4, "text") for number in range(10)]


@dataclass(frozen=True, eq=False)
class Told:
    """A retriever and its index in one: ranks the same for any question, and notes what is done with it."""

    scores: Mapping[int, float]
    log: list[str] = field(default_factory=list)

    def build(self, chunks: Sequence[Chunk]) -> "Told":
        self.log.append(f"built over {len(chunks)}")
        return self

    def rank(self, query: str) -> Ranking:
        self.log.append(query)
        order = sorted(self.scores, key=lambda place: (-self.scores[place], place))
        return Ranking(np.array(order, dtype=np.int32), np.array([self.scores[place] for place in order], dtype=float))


@dataclass(frozen=True, eq=False)
class Kept(Told):
    """The same, and it can be kept as arrays and likes to know its questions."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"places": np.array(list(self.scores)), "scores": np.array(list(self.scores.values()))}

    def restore(self, chunks: Sequence[Chunk], arrays: Mapping[str, NDArray[Any]]) -> "Kept":
        self.log.append(f"restored over {len(chunks)}")
        assert sorted(arrays) == ["places", "scores"]
        return Kept(dict(zip(arrays["places"].tolist(), arrays["scores"].tolist(), strict=True)))

    def foresee(self, queries: Sequence[str]) -> None:
        self.log.append(f"foresees {' '.join(queries)}")


LEXICAL = Told({4: 10.0, 2: 6.0, 7: 2.0})
VECTOR = Told({2: 0.75, 9: 0.5, 4: 0.25})


def ranked(settings: Mapping[str, Any], **retrievers: Any) -> list[tuple[int, float]]:
    ranking = HybridRetriever(retrievers=retrievers, **settings).build(CHUNKS).rank("q")
    return [(int(place), float(score)) for place, score in zip(ranking.positions, ranking.scores, strict=True)]


def test_equal_weights_give_the_scores_of_plain_reciprocal_rank_fusion():
    found = ranked({}, lexical=LEXICAL, vector=VECTOR)
    assert [place for place, _ in found] == [2, 4, 9, 7]
    expected = [1 / 62 + 1 / 61, 1 / 61 + 1 / 63, 1 / 62, 1 / 63]
    assert [score for _, score in found] == pytest.approx(expected, rel=1e-15)
    assert ranked({"vector_weight": None}, lexical=LEXICAL, vector=VECTOR) == found


def test_the_vector_weight_is_that_of_the_retriever_named_vector():
    found = ranked({"fusion": "weighted", "vector_weight": 0.75}, lexical=LEXICAL, vector=VECTOR)
    assert found == [(2, 0.875), (9, 0.375), (4, 0.25), (7, 0.0)]


def test_the_other_retrievers_share_the_rest_equally():
    one, two, three = Told({1: 1.0}), Told({2: 1.0}), Told({3: 1.0})
    found = ranked({"fusion": "weighted", "vector_weight": 0.6}, a=one, b=two, vector=three)
    assert found == [(3, 0.6), (1, 0.2), (2, 0.2)]
    assert dict(ranked({"vector_weight": 0.6}, a=one, b=two, vector=three)) == pytest.approx(
        {1: 0.6 / 61, 2: 0.6 / 61, 3: 1.8 / 61}
    )


@pytest.mark.parametrize("fusion", ["rrf", "weighted"])
@pytest.mark.parametrize(("weight", "alone"), [(0.0, LEXICAL), (1.0, VECTOR)])
def test_a_weight_of_zero_or_one_leaves_one_side_as_it_is(fusion: str, weight: float, alone: Told):
    found = ranked({"fusion": fusion, "vector_weight": weight}, lexical=LEXICAL, vector=VECTOR)
    assert dict(found) == alone.scores
    assert [place for place, _ in found] == alone.rank("q").positions.tolist()


def test_a_retriever_without_weight_is_neither_built_nor_asked():
    idle = Kept({1: 1.0})
    index = HybridRetriever(retrievers={"lexical": LEXICAL, "vector": idle}, vector_weight=0.0).build(CHUNKS)
    index.rank("q")
    index.foresee(["q"])
    assert idle.log == []


def test_a_ranking_ends_at_its_depth():
    settings: list[dict[str, Any]] = [{}, {"fusion": "weighted"}, {"vector_weight": 0.0}]
    for more in settings:
        whole = ranked(more, lexical=LEXICAL, vector=VECTOR)
        assert ranked({**more, "depth": 2}, lexical=LEXICAL, vector=VECTOR) == whole[:2]
        assert ranked({**more, "depth": None}, lexical=LEXICAL, vector=VECTOR) == whole


def test_hybrids_nest():
    inner = HybridRetriever(retrievers={"a": LEXICAL, "vector": VECTOR})
    found = ranked({"k": 0}, lexical=inner, vector=Told({9: 1.0}))
    assert found == [(9, 1 + 1 / 3), (2, 1.0), (4, 1 / 2), (7, 1 / 4)]


@given(
    lists=st.lists(st.dictionaries(st.integers(0, 9), st.floats(-5, 5), max_size=8), min_size=3, max_size=3),
    order=st.permutations(["a", "b", "vector"]),
    fusion=st.sampled_from(["rrf", "weighted"]),
    weight=st.floats(0, 1) | st.none(),
)
def test_the_order_in_which_retrievers_are_named_changes_nothing(
    lists: list[dict[int, float]], order: list[str], fusion: str, weight: float | None
):
    told = dict(zip(["a", "b", "vector"], [Told(scores) for scores in lists], strict=True))
    settings = {"fusion": fusion, "vector_weight": weight}
    assert ranked(settings, **told) == ranked(settings, **{name: told[name] for name in order})


def test_the_parts_that_like_to_know_their_questions_are_told():
    told, kept = Told({1: 1.0}), Kept({2: 1.0})
    inner = HybridRetriever(retrievers={"lexical": told, "vector": kept})
    index = HybridRetriever(retrievers={"lexical": inner, "vector": told}).build(CHUNKS)
    assert isinstance(index, Foresighted)
    index.foresee(["x", "y"])
    assert kept.log == ["built over 10", "foresees x y"]
    assert told.log == ["built over 10", "built over 10"]


def test_an_index_of_parts_that_can_be_kept_is_kept_and_restored_part_by_part():
    first, second, third = Kept({4: 10.0, 2: 6.0}), Kept({2: 0.75, 9: 0.5}), Kept({9: 3.0})
    inner = HybridRetriever(retrievers={"a": first, "b": second}, vector_weight=None)
    retriever = HybridRetriever(retrievers={"lexical": inner, "vector": third})
    index = retriever.build(CHUNKS)
    arrays = index.arrays()
    assert isinstance(index, Storable)
    assert isinstance(retriever, Restoring)
    assert arrays is not None
    names = [f"{part}/{array}" for part in ("lexical/a", "lexical/b", "vector") for array in ("places", "scores")]
    assert sorted(arrays) == names
    before, after = index.rank("q"), retriever.restore(CHUNKS, arrays).rank("q")
    assert before.positions.tolist() == after.positions.tolist()
    assert before.scores.tolist() == after.scores.tolist()
    assert first.log == ["built over 10", "q", "restored over 10"]


def test_an_index_with_a_part_that_cannot_be_kept_has_no_arrays():
    inner = HybridRetriever(retrievers={"lexical": Kept({1: 1.0}), "vector": Told({2: 1.0})})
    outer = HybridRetriever(retrievers={"lexical": Kept({1: 1.0}), "vector": inner})
    assert inner.build(CHUNKS).arrays() is None
    assert outer.build(CHUNKS).arrays() is None
    with pytest.raises(TypeError, match=r"retrievers\.vector can't be restored"):
        inner.restore(CHUNKS, {"lexical/places": np.array([1]), "lexical/scores": np.array([1.0])})


def test_a_part_that_has_no_weight_need_not_be_kept():
    retriever = HybridRetriever(retrievers={"lexical": Kept({1: 1.0}), "vector": Told({2: 1.0})}, vector_weight=0.0)
    arrays = retriever.build(CHUNKS).arrays()
    assert arrays is not None
    assert retriever.restore(CHUNKS, arrays).rank("q").positions.tolist() == [1]


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), float("inf"), "0.5"])
def test_a_weight_that_is_none_is_refused(weight: Any):
    with pytest.raises(ValidationError, match="vector_weight"):
        HybridRetriever(retrievers={"lexical": LEXICAL, "vector": VECTOR}, vector_weight=weight)


def test_what_else_cannot_be_fused_is_refused():
    with pytest.raises(ValidationError, match=r"retrievers must be two or more \(got vector\)"):
        HybridRetriever(retrievers={"vector": VECTOR})
    with pytest.raises(ValidationError, match=r"vector_weight needs a retriever named vector \(got dense, lexical\)"):
        HybridRetriever(retrievers={"dense": VECTOR, "lexical": LEXICAL})
    with pytest.raises(ValidationError, match=r"retrievers\.a must be a retriever \(got 'bm25'\).*named vector"):
        HybridRetriever(retrievers={"a": "bm25", "b": LEXICAL})  # type: ignore[dict-item]
    with pytest.raises(ValidationError, match=r"letters, digits, _ and - \(got 'a/b'\)"):
        HybridRetriever(retrievers={"a/b": LEXICAL, "vector": VECTOR})
    with pytest.raises(ValidationError, match="fusion"):
        HybridRetriever(retrievers={"lexical": LEXICAL, "vector": VECTOR}, fusion="max")  # type: ignore[arg-type]


def test_real_retrievers_are_fused_and_an_unknown_word_finds_nothing():
    texts = ["the fee is due", "leave without pay", "the fee for leave", "parking"]
    chunks = [Chunk(f"d{number}#0", f"d{number}", 0, len(text), text) for number, text in enumerate(texts)]
    settings = {"lexical": Bm25Retriever(), "vector": Bm25Retriever(k1=0.5, b=0.0)}
    index = HybridRetriever(retrievers=settings).build(chunks)
    assert index.rank("leave fee").positions.tolist()[0] == 2
    assert index.rank("zzz").positions.tolist() == []


def test_real_retrievers_are_kept_in_a_file_and_restored(tmp_path: Path):
    texts = ["the fee is due", "leave without pay", "the fee for leave", "parking 年假"]
    chunks = [Chunk(f"d{number}#0", f"d{number}", 0, len(text), text) for number, text in enumerate(texts)]
    inner = HybridRetriever(retrievers={"a": Bm25Retriever(), "b": Bm25Retriever(b=0.0)}, vector_weight=None)
    retriever = HybridRetriever(retrievers={"lexical": inner, "vector": Bm25Retriever(k1=0.5)}, fusion="weighted")
    index = retriever.build(chunks)
    arrays = index.arrays()
    assert arrays is not None
    np.savez(tmp_path / "index.npz", allow_pickle=False, **arrays)
    with np.load(tmp_path / "index.npz", allow_pickle=False) as kept:
        restored = retriever.restore(chunks, dict(kept))
    for query in ("leave fee", "年假", "zzz"):
        before, after = index.rank(query), restored.rank(query)
        assert before.positions.tolist() == after.positions.tolist()
        assert before.scores.tolist() == after.scores.tolist()
