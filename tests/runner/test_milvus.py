"""Milvus behind the contract of retrievers, by its embedded edition in a file."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from eval.errors import EvalfirstError, InputError
from tests.runner.vector_servers import WordEmbedder, by_numpy, chunks

pymilvus = pytest.importorskip("pymilvus", reason="the extra milvus is not installed")
pytest.importorskip("milvus_lite", reason="milvus-lite is not installed")
from runner.retrievers.milvus import MilvusIndex, MilvusRetriever  # noqa: E402 - only where there is something to test

pytestmark = pytest.mark.xdist_group("milvus")


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "milvus.db")


def build(file: str, texts: list[str], model: WordEmbedder | None = None, **options: Any) -> MilvusIndex:
    return MilvusRetriever(model=model or WordEmbedder(), uri=file, **options).build(chunks(*texts))


def collections(file: str) -> list[str]:
    client = pymilvus.MilvusClient(uri=file)
    try:
        return sorted(client.list_collections())
    finally:
        client.close()


@pytest.mark.parametrize("dimensions", [2, 16, 500])
def test_vectors_rank_as_their_cosines_do(file: str, dimensions: int) -> None:
    model = WordEmbedder(dimensions)
    texts = [f"w{number % 17} w{number % 5}" for number in range(100)]
    index = build(file, texts, model)
    ranking, again = index.rank("w3 w4"), index.rank("w3 w4")
    cosines = by_numpy(model, texts, "w3 w4")
    assert sorted(ranking.positions.tolist()) == list(range(100))
    np.testing.assert_allclose(ranking.scores, cosines[ranking.positions], atol=2e-6)
    order = list(zip((-ranking.scores).tolist(), ranking.positions.tolist(), strict=True))
    assert order == sorted(order)
    assert ranking.positions.tobytes() == again.positions.tobytes()


def test_equal_vectors_keep_corpus_order_where_the_ranking_ends_too(file: str) -> None:
    texts = ["fee", "leave"] * 40
    for depth in (1, 7, 39, 40):
        ranking = build(file, texts, depth=depth).rank("fee")
        assert ranking.positions.tolist() == list(range(0, 2 * depth, 2))


def test_blank_chunks_have_no_vector_and_a_blank_question_finds_nothing(file: str) -> None:
    index = build(file, ["fee", " \n", "leave"])
    index.foresee(["fee", " "])
    assert index.rank("fee").positions.tolist() == [0, 2]
    assert index.rank(" ").positions.tolist() == []
    with pytest.raises(InputError, match="nothing to index"):
        build(file, [" "])


def test_a_complete_collection_is_used_again_and_another_model_has_its_own(file: str) -> None:
    model, other = WordEmbedder(), WordEmbedder(name="words-2")
    first, second = build(file, ["fee", "leave"], model), build(file, ["fee", "leave"], model)
    assert model.asked == [2]
    del first  # closes what it had open, and nothing of the other's
    assert second.rank("leave").positions.tolist() == [1, 0]
    build(file, ["fee", "leave"], other)
    assert other.asked == [2]
    assert len(collections(file)) == 2


def test_more_chunks_than_one_block_or_batch_are_all_there(file: str) -> None:
    texts = [f"w{number}" for number in range(4500)]
    index = build(file, texts)
    assert index.rank("w4321").positions[0] == 4321


class _Failing(WordEmbedder):
    def documents(self, texts: Any) -> Any:
        if self.asked:
            raise KeyboardInterrupt
        return super().documents(texts)


def test_what_was_interrupted_leaves_nothing_and_is_written_again(file: str) -> None:
    texts = [f"w{number}" for number in range(4200)]
    with pytest.raises(KeyboardInterrupt):
        build(file, texts, _Failing())
    assert collections(file) == []
    assert build(file, texts).rank("w4100").positions[0] == 4100


def test_a_collection_that_lost_rows_is_written_again(file: str) -> None:
    build(file, ["fee", "leave"])
    (name,) = collections(file)
    client = pymilvus.MilvusClient(uri=file)
    client.delete(name, ids=[1])
    client.close()
    assert build(file, ["fee", "leave"]).rank("leave").positions.tolist() == [1, 0]


def test_a_kind_of_index_that_is_approximate_can_be_chosen(file: str) -> None:
    texts = [f"w{number % 17} w{number % 5}" for number in range(100)]
    options = {"index": "HNSW", "index_params": {"M": 16, "efConstruction": 100}, "search_params": {"ef": 100}}
    ranking = build(file, texts, depth=100, **options).rank("w3 w4")
    assert set(texts[ranking.positions[0]].split()) == {"w3", "w4"}
    assert len(set(ranking.positions.tolist())) == len(ranking.positions) > 90


def test_a_cluster_that_is_not_there_is_told_in_one_line_without_the_token(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MILVUS_TOKEN", "hunter2hunter2")
    with pytest.raises(EvalfirstError, match=r"Milvus at http://127\.0\.0\.1:1 failed") as told:
        build("http://127.0.0.1:1", ["fee"], token_env="MILVUS_TOKEN")  # noqa: S106 - a name
    printed = capfd.readouterr()
    assert "hunter2" not in str(told.value) + printed.out + printed.err
    assert "\n" not in str(told.value)
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"uri": "http://user:password@host:19530"}, "holds a user or a password"),
        ({"uri": "milvus"}, "must be an address such as"),
        ({"uri": "ftp://host/x.db"}, "must be an address such as"),
        ({"token_env": "root:Milvus"}, "must be the NAME of an environment variable"),
        ({"depth": 16_385}, "less than or equal to 16384"),
    ],
)
def test_settings_that_cannot_be_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        MilvusRetriever(model=WordEmbedder(), **options)
