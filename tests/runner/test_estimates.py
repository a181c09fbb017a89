"""An estimate is what a first run then bills: as many calls of each model, paid and cached, and as many tokens."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runner.chat_server import Asked, ChatServer, Step, serving
from tests.runner.handbook import GOLDEN, latest, run
from tests.runner.json_server import JsonServer, Posted, posting

PRICE = "{input: 10000, output: 0}"
Row = tuple[str, int, int, int, float]  # who was asked, calls, cached ones, tokens in, US dollars paid


def giving(posted: Posted) -> dict[str, Any]:
    """Scores, or vectors as an estimate supposes them, all the same; without saying how many tokens they took."""
    if "documents" in posted.body:
        return {"results": [{"index": n, "relevance_score": 1 / (n + 1)} for n in range(len(posted.body["documents"]))]}
    return {"data": [{"index": n, "embedding": [1.0, 0.0]} for n in range(len(posted.body["input"]))]}


def repeating(asked: Asked) -> Step:
    """The question itself as the query, so that what is searched for is what an estimate supposes."""
    question = next(each["question"] for each in GOLDEN if str(each["question"]) in str(asked.body))
    return Step(str(question), usage=None)


@pytest.fixture(scope="module")
def server() -> Iterator[JsonServer]:
    with posting(giving) as made:
        yield made


@pytest.fixture(scope="module")
def chat() -> Iterator[ChatServer]:
    with serving(repeating) as made:
        yield made


def model(part: str, url: str, name: str) -> list[str]:
    return [
        f"{part}.{each}" for each in (f"name={name}", f"base_url={url}", "key_env=null", f"usd_per_million={PRICE}")
    ]


def embedder(part: str, url: str, name: str = "v", per_request: int = 2) -> list[str]:
    return [f"embedder@{part}=openai", f"{part}.per_request={per_request}", *model(f"{part}.model", url, name)]


def estimated(folder: Path, *choice: str) -> list[Row]:
    done = run(folder, *choice, "estimate=true")
    assert done.returncode == 0, done.stderr
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines() if ": " in line]
    return [(row[0], int(row[1]), int(row[2]), int(row[3]), float(row[5])) for row in cells if len(row) == 6]


def billed(folder: Path, *choice: str) -> list[Row]:
    done = run(folder, *choice)
    assert done.returncode == 0, done.stderr
    return [
        (
            f"{each['stage']}: {each['model']}",
            each["calls"],
            each["cached_calls"],
            each["input_tokens"],
            round(each["usd_paid"], 4),
        )
        for each in latest(folder)["bills"]["models"]
    ]


def reranker(option: str, url: str) -> list[str]:
    if option == "http":
        return ["reranker=http", *model("reranker.model", url, "r")]
    return ["reranker=embedding", *embedder("reranker.model", url, option.removeprefix("embedding "))]


VECTOR = {"dense": "retriever.model", "hybrid": "retriever.retrievers.vector.model"}


# The reranker's vectors are the retriever's, or another model's: then a chunk of several questions is embedded once.
@pytest.mark.parametrize(
    ("retriever", "query", "reranking"),
    [
        ("dense", "none", "embedding v"),
        ("dense", "expand", "http"),
        ("hybrid", "expand", "embedding w"),
        ("hybrid", "rewrite", "embedding v"),
        ("hybrid", "rewrite", "http"),
    ],
)
def test_a_first_run_bills_what_was_estimated(
    handbook: Path, server: JsonServer, chat: ChatServer, retriever: str, query: str, reranking: str
):
    asked = server.count
    choice = ["tier=retrieval", "chunker.size=20", f"retriever={retriever}", *embedder(VECTOR[retriever], server.url)]
    choice += [f"query={query}", *(model("query.model", chat.openai, "q") if query == "rewrite" else [])]
    choice += reranker(reranking, server.url)
    expected = estimated(handbook, *choice)
    assert server.count == asked
    found = billed(handbook, *choice)
    assert found == expected
    assert sum(row[1] - row[2] for row in found if row[0] != "query: q") == server.count - asked


def test_the_month_is_thirty_times_what_a_day_is_estimated_at(handbook: Path, server: JsonServer):
    choice = ["tier=retrieval", "retriever=dense", *embedder("retriever.model", server.url, per_request=64)]
    done = run(handbook, *choice, "estimate=true")
    once = re.search(r"2 calls to pay for, (\d+) tokens, ([\d.]+) USD expected, ([\d.]+) at most", done.stdout)
    assert once is not None, done.stdout
    assert once[2] == once[3] == f"{int(once[1]) / 100:.4f}"
    assert f"nothing cached: {30 * float(once[2]):.2f} USD" in done.stdout


def test_without_the_cache_vectors_are_estimated_as_often_as_they_are_made(handbook: Path, server: JsonServer):
    choice = ["tier=retrieval", "cache=off", "retriever=dense", *embedder("retriever.model", server.url)]
    choice += ["reranker=embedding", *embedder("reranker.model", server.url)]
    assert estimated(handbook, *choice) == billed(handbook, *choice)


def test_what_is_kept_from_earlier_runs_is_not_estimated_again(handbook: Path, server: JsonServer):
    choice = ["tier=retrieval", "retriever=dense", *embedder("retriever.model", server.url)]
    billed(handbook, *choice)
    assert estimated(handbook, *choice) == []
    smaller = [*choice, "chunker.size=10"]  # the questions' vectors are kept, those of most chunks are not
    expected = estimated(handbook, *smaller)
    assert expected == billed(handbook, *smaller)
    assert len(expected) == 1


def test_runs_of_a_sweep_are_estimated_to_pay_for_what_they_share_once(handbook: Path, server: JsonServer):
    choice = ["tier=retrieval", "retriever=dense", *embedder("retriever.model", server.url), "budget.tokens=100,200"]
    done = run(handbook, *choice, "estimate=true", flags=("-m",))
    assert done.returncode == 0, done.stderr
    first, second, together = re.findall(r"(\d+ calls to pay for, \d+ tokens)", done.stdout)
    assert second == "0 calls to pay for, 0 tokens"
    assert first == together
