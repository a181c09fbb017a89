"""The reranker behind an endpoint: scores in the order of the chunks, or a reason why there are none."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from eval.chat.scripted import ScriptedChat
from eval.records import Chunk, Unscored
from runner.chat.desk import Desk
from runner.records import Reranked
from runner.rerankers.http import HttpReranker
from tests.runner.chat_desks import cached_texts, open_desk
from tests.runner.json_endpoints import RERANK
from tests.runner.json_server import Given, JsonServer, Posted, posting

CHUNKS = [
    Chunk("a#0", "a", 0, 4, "Open", title="Hours"),
    Chunk("b#0", "b", 0, 5, "年假有几天"),
    Chunk("c#0", "c", 0, 10, '{"a": {0}} 🙂'),
]


def by_length(posted: Posted) -> dict[str, Any]:
    """What a server gives, longest document first."""
    documents = posted.body["documents"]
    order = sorted(range(len(documents)), key=lambda place: -len(documents[place]))
    return {"results": [{"index": place, "relevance_score": len(documents[place]) / 100} for place in order]}


def reranker_at(desk: Desk, server: JsonServer, **settings: Any) -> HttpReranker:
    return HttpReranker(model=desk.line(RERANK.at(server, **settings)))


def scores_of(said: Reranked | Unscored) -> list[float]:
    assert isinstance(said, Reranked), said
    return said.scores.tolist()


def test_scores_come_in_the_order_of_the_chunks_which_are_sent_as_they_are_shown(tmp_path: Path):
    with posting(by_length) as server, open_desk(tmp_path) as desk:
        said = reranker_at(desk, server).score("几天?", CHUNKS)
        (posted,) = server.asked
    shown = [chunk.shown for chunk in CHUNKS]
    assert posted.body == {"query": "几天?", "documents": shown, "top_n": 3, "model": "some-model"}
    assert scores_of(said) == [0.1, 0.05, 0.12]
    assert [call.cached for call in said.calls] == [False]


def test_a_bare_list_as_tei_gives_it_is_understood(tmp_path: Path):
    def tei(posted: Posted) -> Any:
        return [{"index": place, "score": -place} for place in reversed(range(len(posted.body["texts"])))]

    with posting(tei) as server, open_desk(tmp_path) as desk:
        said = reranker_at(desk, server, documents_name="texts").score("open?", CHUNKS)
    assert scores_of(said) == [0.0, -1.0, -2.0]


def test_nobody_is_asked_about_no_chunks():
    assert scores_of(HttpReranker(model=ScriptedChat()).score("open?", [])) == []


MALFORMED = {
    "one is missing": [(0, 1.0), (1, 1.0)],
    "one is there twice": [(0, 1.0), (1, 1.0), (1, 1.0)],
    "out of range": [(0, 1.0), (1, 1.0), (3, 1.0)],
    "negative": [(0, 1.0), (1, 1.0), (-1, 1.0)],
    "no number": [(0, float("nan")), (1, 1.0), (2, 1.0)],
    "infinite": [(0, float("inf")), (1, 1.0), (2, 1.0)],
    "a text": [(0, "1.0"), (1, 1.0), (2, 1.0)],
    "null": [(0, None), (1, 1.0), (2, 1.0)],
    "true": [(0, True), (1, 1.0), (2, 1.0)],
}


@pytest.mark.parametrize("found", MALFORMED.values(), ids=MALFORMED)
def test_a_reply_that_is_no_score_for_each_chunk_is_asked_for_again_and_then_unscored(tmp_path: Path, found: Any):
    bad = {"results": [{"index": index, "relevance_score": score} for index, score in found]}
    good = by_length(Posted("", {"documents": ["a", "b", "c"]}, {}))
    with posting([Given(bad), Given(good)]) as server, open_desk(tmp_path) as desk:
        assert scores_of(reranker_at(desk, server).score("open?", CHUNKS)) == [0.01] * 3
    with posting([Given(bad)]) as server, open_desk(tmp_path / "2") as desk:
        said = reranker_at(desk, server, tries=1).score("open?", CHUNKS)
    assert said == Unscored("malformed reply after 1 try")
    assert cached_texts(tmp_path / "2") == []


def test_a_call_that_fails_leaves_the_question_unscored_with_the_reason(tmp_path: Path):
    refused = Given(status=400, body={"message": "too many documents"})
    with posting([refused]) as server, open_desk(tmp_path) as desk:
        said = reranker_at(desk, server).score("open?", CHUNKS)
        assert said == Unscored("the request was refused (400)", "too many documents")
        assert desk.notes == ("some-model: the request was refused (400): too many documents",)


def test_an_error_under_the_status_200_is_one(tmp_path: Path):
    with posting([Given({"error": {"code": 401, "message": "no"}})]) as server, open_desk(tmp_path) as desk:
        assert reranker_at(desk, server).score("open?", CHUNKS) == Unscored("the key was refused (401)")


def test_a_repeat_is_cached_and_gives_the_same_scores(tmp_path: Path):
    with posting(by_length) as server, open_desk(tmp_path) as desk:
        reranker = reranker_at(desk, server)
        first, second = (reranker.score("open?", CHUNKS) for _ in range(2))
        assert server.count == 1
    assert scores_of(first) == scores_of(second)
    assert [call.cached for call in second.calls] == [True]


def test_questions_are_asked_as_many_at_a_time_as_the_model_allows(tmp_path: Path):
    together = threading.Barrier(3, timeout=30)

    def all_at_once(posted: Posted) -> Any:
        together.wait()
        return by_length(posted)

    with posting(all_at_once) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(3) as pool:
        reranker = reranker_at(desk, server, concurrency=3)
        assert reranker.concurrency == 3
        said = list(pool.map(lambda number: reranker.score(f"open {number}?", CHUNKS), range(3)))
    assert [scores_of(each) for each in said] == [[0.1, 0.05, 0.12]] * 3


def test_an_estimate_counts_the_call_and_gives_no_scores(tmp_path: Path):
    with posting(by_length) as server, open_desk(tmp_path, foreseen=set()) as desk:
        said = reranker_at(desk, server).score("open?", CHUNKS)
        assert isinstance(said, Unscored)
        assert (said.reason, len(said.calls), len(desk.estimates)) == ("nobody was asked (estimate=true)", 1, 1)
        assert server.count == 0


@pytest.mark.parametrize("reply", ["no JSON", "{}", "[1.0]", "[1.0, 2.0, NaN]", '["a", "b", "c"]', "[[1], [2], [3]]"])
def test_a_reply_that_is_no_list_of_scores_is_unscored(reply: str):
    said = HttpReranker(model=ScriptedChat(otherwise=reply)).score("open?", CHUNKS)
    assert isinstance(said, Unscored)
    assert (said.reason, said.raw) == ("malformed reply", reply)
