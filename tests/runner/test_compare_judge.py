"""Two measured runs, and a model that says which of them answers better."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.runner.capable import capable
from tests.runner.chat_server import Asked, ChatServer, serving
from tests.runner.commands import python
from tests.runner.handbook import run


@pytest.fixture
def two_runs(handbook: Path) -> Path:
    """A folder with reports a.json and b.json: b's answers have two sentences where a's have one."""
    for name, sentences in (("a", 1), ("b", 2)):
        assert run(handbook, f"generator.max_sentences={sentences}", f"name={name}").returncode == 0
        (handbook / "mlruns" / "reports" / "latest.json").rename(handbook / f"{name}.json")
    return handbook


def compare(
    folder: Path, server: ChatServer | None, *more: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    where = [] if server is None else ["--model", "judge-model", "--base-url", server.openai]
    return python(folder, "runner.compare", "a.json", "b.json", "--judge", *where, *more, **environment)


def test_the_better_answers_are_counted_in_both_orders_and_a_repeat_costs_nothing(two_runs: Path):
    with serving(capable) as server:
        done = compare(two_runs, server, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        found, asked = json.loads(done.stdout)["preferences"], server.count
        again = compare(two_runs, server)
        assert server.count == asked
    answers = {name: _answers(two_runs / f"{name}.json") for name in "ab"}
    longer = sum(len(answers["b"][key]) > len(answers["a"][key]) for key in answers["a"])
    assert longer > 0
    assert (found["better_a"], found["better_b"]) == (0, longer)  # the script prefers the longer one
    assert asked == 2 * longer  # equal answers are a draw without asking
    assert found["position"]["first"] == found["position"]["second"] == longer
    assert "## Which answers are better" in again.stdout
    assert f"| b.json is better | {longer} |" in again.stdout
    assert f"{asked} calls, {asked} of them cached; 0.0000 USD paid." in again.stdout


def _answers(path: Path) -> dict[str, str]:
    return {row["id"]: row["answer"] for row in json.loads(path.read_text(encoding="utf-8"))["questions"]}


def test_a_judge_that_always_takes_the_first_place_gives_draws_and_is_told(two_runs: Path):
    def first(_: Asked) -> str:
        return '{"reason": "r", "better": "first"}'

    with serving(first) as server:
        done = compare(two_runs, server)
    assert "| a.json is better | 0 |" in done.stdout
    assert "| b.json is better | 0 |" in done.stdout
    assert "(100%, 95 % interval" in done.stdout


def test_a_judge_that_never_answers_well_gives_no_verdict(two_runs: Path):
    with serving("I like both.") as server:
        done = compare(two_runs, server)
    assert done.returncode == 3
    assert done.stderr == "error: no pair could be judged: the judge's reply is no JSON\n"


def test_without_a_model_it_is_said_how_to_name_one(two_runs: Path):
    done = compare(two_runs, None)
    assert done.returncode == 2
    assert (
        done.stderr
        == "error: the second run's judge is no chat model: name the one that is to compare with --model NAME\n"
    )


def test_the_model_that_wrote_the_answers_may_not_compare_them(two_runs: Path):
    report = json.loads((two_runs / "b.json").read_text(encoding="utf-8"))
    report["config"]["generator"]["model"] = {"name": "vendor/Judge-Model"}
    (two_runs / "b.json").write_text(json.dumps(report), encoding="utf-8")
    with serving(capable) as server:
        done = compare(two_runs, server)
        assert server.count == 0
    assert done.returncode == 2
    assert "judge-model wrote the answers of b itself" in done.stderr


def test_reports_without_answers_are_refused(handbook: Path):
    assert run(handbook, "tier=retrieval").returncode == 0
    for name in "ab":
        (handbook / f"{name}.json").write_text((handbook / "mlruns" / "reports" / "latest.json").read_text())
    with serving(capable) as server:
        done = compare(handbook, server)
        assert server.count == 0
    assert done.returncode == 2
    assert "the first report holds no answers" in done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--api", "smoke"], "--api is one of openai, anthropic (got 'smoke')"),
        (["--key-env", "sk-planted-7f3a9c"], "must be the NAME of an environment variable"),
        (["--max-usd", "-1"], "--max-usd"),
    ],
)
def test_options_that_can_not_be_are_told_in_a_line(two_runs: Path, options: list[str], told: str):
    with serving(capable) as server:
        done = compare(two_runs, server, *options)
    assert done.returncode == 2
    assert told in done.stderr
    assert "sk-planted" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
