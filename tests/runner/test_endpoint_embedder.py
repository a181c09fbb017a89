"""Vectors by an endpoint: right, in order, in batches, several at a time, billed, and never made up."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.chat.messages import Call
from eval.chat.scripted import ScriptedChat
from eval.errors import EvalfirstError
from runner.chat.desk import Desk
from runner.embedders.endpoint import EndpointEmbedder
from runner.protocols import Embedder
from tests.runner.chat_desks import cached_texts, open_desk
from tests.runner.json_endpoints import EMBEDDINGS, RERANK
from tests.runner.json_server import Given, JsonServer, Posted, posting


def vector(text: str) -> list[float]:
    """A vector that tells texts apart: how long one is, and its first and last character."""
    return [float(len(text)), float(ord(text[0])), float(ord(text[-1]))]


def embed(posted: Posted) -> dict[str, Any]:
    """What a server gives, last text first."""
    data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(posted.body["input"])]
    return {"data": data[::-1], "usage": {"prompt_tokens": len(data), "total_tokens": len(data)}}


def embedder_at(desk: Desk, server: JsonServer, per_request: int = 2, **settings: Any) -> EndpointEmbedder:
    own = {"query_prefix", "document_prefix"} & set(settings)
    return EndpointEmbedder(
        model=desk.line(EMBEDDINGS.at(server, **{name: settings[name] for name in settings if name not in own})),
        per_request=per_request,
        **{name: settings[name] for name in own},
    )


def rows(texts: Sequence[str]) -> list[list[float]]:
    return [vector(text) for text in texts]


TEXTS = ["one", "two!", "年假有几天", "🙂 yes", '{"a": {0}}']


def test_vectors_come_in_the_order_of_the_texts_whatever_the_order_of_the_reply(tmp_path: Path):
    with posting(embed) as server, open_desk(tmp_path) as desk:
        embedder = embedder_at(desk, server)
        vectors = embedder.documents(TEXTS)
        assert sorted(len(posted.body["input"]) for posted in server.asked) == [1, 2, 2]
    assert isinstance(embedder, Embedder)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == rows(TEXTS)


def test_prefixes_stand_before_texts_of_their_kind(tmp_path: Path):
    with posting(embed) as server, open_desk(tmp_path) as desk:
        embedder = embedder_at(desk, server, query_prefix="query: ", document_prefix="passage: ")
        embedder.queries(["one"])
        embedder.documents(["one"])
        assert [posted.body["input"] for posted in server.asked] == [["query: one"], ["passage: one"]]


def test_blank_texts_are_never_sent_and_the_others_stay_in_their_places(tmp_path: Path):
    with posting(embed) as server, open_desk(tmp_path) as desk:
        embedder = embedder_at(desk, server, document_prefix="passage: ")
        vectors = embedder.documents(["a", "", "\n\n", "b", "\ufeff"])
        assert [posted.body["input"] for posted in server.asked] == [["passage: a", "passage: b"]]
        assert embedder.documents(["", " "]).shape == (2, 0)
        assert embedder.queries([]).shape == (0, 0)
        assert server.count == 1
    assert vectors.tolist() == [vector("passage: a"), [0] * 3, [0] * 3, vector("passage: b"), [0] * 3]


def test_batches_are_asked_as_many_at_a_time_as_the_model_allows(tmp_path: Path):
    together = threading.Barrier(3, timeout=30)

    def all_at_once(posted: Posted) -> Any:
        together.wait()
        return embed(posted)

    texts = [f"text {number}" for number in range(6)]
    with posting(all_at_once) as server, open_desk(tmp_path) as desk:
        embedder = embedder_at(desk, server, concurrency=3)
        assert embedder.batch == 6
        assert embedder.documents(texts).tolist() == rows(texts)


MALFORMED = {
    "a vector is missing": [(0, [1.0])],
    "one is there twice": [(0, [1.0]), (0, [1.0])],
    "one too many": [(0, [1.0]), (1, [1.0]), (2, [1.0])],
    "an index out of range": [(0, [1.0]), (2, [1.0])],
    "no index": [(None, [1.0]), (1, [1.0])],
    "other lengths": [(0, [1.0]), (1, [1.0, 2.0])],
    "texts": [(0, ["1.0"]), (1, ["1.0"])],
    "base64": [(0, "AACAPw=="), (1, "AACAPw==")],
    "null": [(0, [None]), (1, [1.0])],
    "no number": [(0, [float("nan")]), (1, [1.0])],
    "too large": [(0, [1e39]), (1, [1.0])],
    "no dimensions": [(0, []), (1, [])],
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED)
def test_a_reply_that_is_no_vector_for_each_text_is_asked_for_again_and_then_an_error(tmp_path: Path, data: Any):
    bad = Given({"data": [{"index": index, "embedding": numbers} for index, numbers in data]})
    good = Given({"data": [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1]}]})
    with posting([bad, good]) as server, open_desk(tmp_path) as desk:
        assert embedder_at(desk, server).documents(["a", "b"]).tolist() == [[1.0], [2.0]]
    told = r"^some-model gave no vectors: malformed reply after 1 try$"
    with posting([bad]) as server, open_desk(tmp_path / "2") as desk, pytest.raises(EvalfirstError, match=told):
        embedder_at(desk, server, tries=1).documents(["a", "b"])
    assert cached_texts(tmp_path / "2") == []


def test_a_batch_that_fails_is_an_error_in_one_line_with_the_server_s_words(tmp_path: Path):
    refused = Given(status=400, body={"error": {"message": "input 0 is\ntoo long"}})
    with posting([refused]) as server, open_desk(tmp_path) as desk, pytest.raises(EvalfirstError) as failed:
        embedder_at(desk, server).documents(["a"])
    assert str(failed.value) == "some-model gave no vectors: the request was refused (400): input 0 is too long"


def test_an_error_under_the_status_200_is_one(tmp_path: Path):
    busy = Given({"error": {"message": "later", "type": "overloaded_error"}})
    with posting([busy, Given(EMBEDDINGS.given)]) as server, open_desk(tmp_path) as desk:
        assert len(embedder_at(desk, server).documents(["one", "two"])) == 2
        assert server.count == 2


def test_vectors_of_other_dimensions_than_were_asked_for_are_refused(tmp_path: Path):
    with posting(embed) as server, open_desk(tmp_path) as desk:
        with pytest.raises(EvalfirstError, match="its vectors have 3 dimensions, not 2"):
            embedder_at(desk, server, dimensions=2).documents(["one"])
        assert embedder_at(desk, server, dimensions=3).documents(["one"]).shape == (1, 3)


def test_batches_of_different_dimensions_are_refused(tmp_path: Path):
    def shrinking(posted: Posted) -> Any:
        numbers = [1.0] * len(posted.body["input"][0])
        return {"data": [{"index": 0, "embedding": numbers}]}

    told = "its vectors have 1 dimensions and also 2"
    with posting(shrinking) as server, open_desk(tmp_path) as desk, pytest.raises(EvalfirstError, match=told):
        embedder_at(desk, server, per_request=1).documents(["a", "bb"])


def test_any_32_bit_number_survives_the_cache_bit_by_bit(tmp_path: Path):
    numbers = np.random.default_rng(7).standard_normal((2, 1536)).astype(np.float32)
    data = [{"index": place, "embedding": [float(number) for number in row]} for place, row in enumerate(numbers)]
    with posting([Given({"data": data})]) as server, open_desk(tmp_path) as desk:
        embedder = embedder_at(desk, server)
        assert np.array_equal(embedder.documents(["a", "b"]), numbers)
        assert np.array_equal(embedder.documents(["a", "b"]), numbers)
        assert server.count == 1
    (text,) = cached_texts(tmp_path)
    assert len(text) < 2 * 1536 * 6  # 5.4 characters for each number


def test_the_identity_follows_from_what_is_sent_and_where_and_not_from_patience(tmp_path: Path):
    with posting(embed) as server, open_desk(tmp_path) as desk:
        plain = embedder_at(desk, server).identity
        same = [embedder_at(desk, server, 64), embedder_at(desk, server, concurrency=3, timeout_s=1, tries=9)]
        others = [
            embedder_at(desk, server, name="other"),
            embedder_at(desk, server, dimensions=3),
            embedder_at(desk, server, extra_body={"task": "query"}),
            embedder_at(desk, server, query_prefix="query: "),
            embedder_at(desk, server, document_prefix="query: "),
            EndpointEmbedder(model=ScriptedChat(name="some-model")),
        ]
    assert {each.identity for each in same} == {plain}
    assert len({plain, *(each.identity for each in others)}) == 7
    assert plain.startswith("some-model ")


def bill(calls: Sequence[Call]) -> list[tuple[int, int, float | None, bool]]:
    return [(call.input_tokens, call.output_tokens, call.usd, call.cached) for call in calls]


def test_the_calls_are_billed_and_read_from_the_desk_in_an_order_that_is_always_the_same(tmp_path: Path):
    texts = [f"{'x' * number}." for number in range(1, 8)]
    found = []
    with posting(embed) as server:
        for concurrency in (1, 8):
            with open_desk(tmp_path / str(concurrency)) as desk:
                price = {"input": 1e6, "output": 0.0}
                embedder = embedder_at(desk, server, concurrency=concurrency, usd_per_million=price)
                embedder.documents(texts)
                embedder.documents(texts[:2])
                found.append(bill(desk.embedding_calls))
                assert desk.spent_usd == 7.0
    assert found[0] == found[1]
    pair = (2, 0, 2.0, False)
    assert sorted(found[0]) == [(1, 0, 1.0, False), pair, pair, pair, (2, 0, 2.0, True)]


def test_the_calls_of_other_models_are_no_embedding_calls(tmp_path: Path):
    def reply(posted: Posted) -> Any:
        return RERANK.given if "rerank" in posted.path else embed(posted)

    with posting(reply) as server, open_desk(tmp_path) as desk:
        embedder_at(desk, server).documents(["one"])
        desk.line(RERANK.at(server)).complete(RERANK.request)
        assert server.count == 2
        assert bill(desk.embedding_calls) == [(1, 0, 0.0, False)]


def test_a_cap_on_money_holds_before_the_call(tmp_path: Path):
    with posting(embed) as server, open_desk(tmp_path, max_usd=1e-9) as desk:
        embedder = embedder_at(desk, server, usd_per_million={"input": 1.0, "output": 0.0})
        with pytest.raises(EvalfirstError, match="gave no vectors: max_usd of 1e-09 reached"):
            embedder.documents(["one"])
        assert server.count == 0


def test_an_estimate_counts_every_batch_and_makes_no_vectors_up(tmp_path: Path):
    texts = [f"text {number}" for number in range(10)]
    with posting(embed) as server:
        with open_desk(tmp_path) as desk:
            kept = embedder_at(desk, server).documents(texts[:2])
        with open_desk(tmp_path, foreseen=set()) as desk:
            embedder = embedder_at(desk, server, usd_per_million={"input": 1.0, "output": 0.0})
            assert embedder.only_estimates
            with pytest.raises(EvalfirstError, match="nobody was asked"):
                embedder.documents(texts)
            assert len(desk.estimates) == 4
            assert [each.output_tokens for each in desk.estimates] == [0] * 4
            assert all((each.usd or 0) > 0 for each in desk.estimates)
            assert np.array_equal(embedder.documents(texts[:2]), kept)
        assert server.count == 1


def test_a_reply_that_is_no_list_of_vectors_is_an_error():
    for reply in ("no JSON", json.dumps({"a": 1}), json.dumps(["AACAPw==", "AA"]), "[]"):
        with pytest.raises(EvalfirstError, match="malformed reply"):
            EndpointEmbedder(model=ScriptedChat(otherwise=reply)).documents(["one", "two"])
