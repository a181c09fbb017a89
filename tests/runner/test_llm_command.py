"""The whole way with chat models, as a person starts it, against a real server on this machine."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runner.capable import capable
from tests.runner.chat_server import NO_QUOTA, Asked, ChatServer, Step, serving
from tests.runner.commands import ROOT
from tests.runner.handbook import GOLDEN, complaint, latest, run

KEY = "sk-planted-7f3a9c"


def models(server: ChatServer, *more: str, judge: str = "judge-model") -> list[str]:
    """Overrides for a generator and a judge at this server."""
    settings = [f"{{}}.model.base_url={server.openai}", "{}.model.key_env=TEST_KEY", "{}.model.tries=2"]
    chosen = ["generator=llm", "generator.model.name=answer-model", "judge=llm", f"judge.model.name={judge}"]
    return [*chosen, *(each.format(part) for part in ("generator", "judge") for each in settings), *more]


def ask(folder: Path, server: ChatServer, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(folder, *models(server, *more), **{"TEST_KEY": KEY, **environment})


def metrics(folder: Path) -> dict[str, Any]:
    return latest(folder)["metrics"]


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with serving(capable) as made:
        yield made


def test_generator_and_judge_answer_cite_and_are_billed_and_a_repeat_asks_nobody(handbook: Path):
    with serving(capable) as server:
        done = ask(handbook, server)
        assert done.returncode == 0, done.stderr
        first, asked = latest(handbook), server.count
        again = ask(handbook, server, "cache=only", TEST_KEY="")
        assert again.returncode == 0, again.stderr
        assert server.count == asked
    by_id = {row["id"]: row for row in first["questions"]}
    assert by_id["q1"]["answer"] == "Parking costs five euro a day, paid at the gate [1]."
    assert by_id["q1"]["cited"] == [by_id["q1"]["context"][0]["chunk_id"]]
    assert by_id["q1"]["judgement"]["statements"][0]["verdict"] == "supported"
    assert by_id["q4"]["refused"] is True
    assert first["metrics"]["faithfulness"]["value"] == 1.0
    second = latest(handbook)
    assert second["metrics"] == first["metrics"]
    assert second["questions"] == first["questions"]
    assert first["bills"]["tokens"]["paid"] == asked * 18  # 11 in and 7 out each
    assert (second["bills"]["tokens"]["paid"], second["bills"]["tokens"]["cached"]) == (0, asked * 18)
    assert {each["stage"] for each in first["bills"]["models"]} == {"answer", "judge", "probe"}
    assert {"generator_prompt", "prompt"} <= set(first["fingerprints"])


def test_without_the_cache_every_question_is_asked_anew_and_nothing_is_kept(handbook: Path):
    with serving(capable) as server:
        assert ask(handbook, server, "cache=off").returncode == 0
        once = server.count
        assert ask(handbook, server, "cache=off").returncode == 0
        assert server.count == 2 * once
    assert not list(handbook.rglob("calls.sqlite"))


def test_with_nothing_but_an_empty_cache_the_run_is_incomplete_and_nobody_is_asked(handbook: Path, server: ChatServer):
    before = server.count
    done = ask(handbook, server, "cache=only")
    assert (done.returncode, server.count) == (3, before)
    reasons = metrics(handbook)["faithfulness"]["unscored"]
    assert reasons == {"no answer: not in the cache (cache=only)": len(GOLDEN)}


def test_an_estimate_asks_nobody_needs_no_key_and_leaves_no_record(handbook: Path, server: ChatServer):
    before = server.count
    price = ["{input: 1.0, output: 10.0}" for _ in range(2)]
    paid = [f"{part}.model.usd_per_million={each}" for part, each in zip(("generator", "judge"), price, strict=True)]
    done = ask(handbook, server, "estimate=true", *paid, TEST_KEY="")
    assert (done.returncode, server.count) == (0, before), done.stderr
    assert "| answer: answer-model | 4 | 0 |" in done.stdout
    assert "Nothing was asked and nothing paid" in done.stdout
    assert not list(handbook.rglob("run.json"))
    assert not list(handbook.rglob("latest.json"))


def test_after_a_run_an_estimate_knows_that_a_repeat_is_free(handbook: Path):
    with serving(capable) as server:
        assert ask(handbook, server).returncode == 0
        done = ask(handbook, server, "estimate=true")
    assert done.stdout.count("0 calls to pay for, 0 tokens, 0.0000 USD expected, 0.0000 at most") == 1, done.stdout


@pytest.mark.parametrize("cap", ["0.002", "0"])
def test_the_cap_stops_cleanly_and_all_that_was_paid_for_is_kept(handbook: Path, cap: str):
    with serving(capable) as server:
        dear = [f"{part}.model.usd_per_million={{input: 1.0, output: 1.0}}" for part in ("generator", "judge")]
        done = ask(handbook, server, f"max_usd={cap}", *dear, "generator.model.concurrency=1")
        spent = server.count
        assert done.returncode == 3, done.stderr
        report = latest(handbook)
        assert report["run"]["complete"] is False
        assert f"max_usd of {cap} reached" in done.stderr
        assert report["bills"]["usd"]["paid"] <= float(cap)
        assert report["metrics"]["recall"]["value"] is not None  # what cost nothing stands
        again = ask(handbook, server)
        assert again.returncode == 0
        assert latest(handbook)["bills"]["tokens"]["cached"] == spent * 18


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (NO_QUOTA, "insufficient quota"),
        (Step(status=401, echo_key=True), "the key was refused (401)"),
        (Step(status=500), "server error 500 after 2 tries"),
        (Step(fault="reset"), "connection lost after 2 tries"),
        (Step(finish="length"), "the answer was cut off at max_tokens"),
        (Step(finish="content_filter"), "stopped by the content filter"),
        (Step(text=""), "the model gave no text"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_answers_that_fail_are_counted_and_never_judged_and_the_rest_of_the_run_stands(
    handbook: Path, step: Step, reason: str
):
    def script(asked: Asked) -> str | Step:
        return step if "parking" in asked.user and asked.system.startswith("You answer") else capable(asked)

    with serving(script) as server:
        done = ask(handbook, server, "generator.model.concurrency=1", "generator.model.timeout_s=20")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    report = latest(handbook)
    (asked,) = [row for row in report["questions"] if row["id"] == "q1"]
    assert asked["answer"] is None
    assert asked["unscored"]["faithfulness"] == f"no answer: {reason}"
    assert reason in done.stderr
    assert report["metrics"]["recall"]["value"] is not None
    kept = [path for path in handbook.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert not kept
    assert KEY not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("supported", "the judge's reply is no JSON"),
        ('{"statements": [', "the judge's reply is no JSON"),
        (Step(finish="length", text='{"statements": ['), "the judge's reply was cut off"),
    ],
    ids=["words", "half", "cut"],
)
def test_a_judge_that_gives_no_verdict_leaves_the_answer_unscored_with_what_it_said(
    handbook: Path, reply: str | Step, reason: str
):
    def script(asked: Asked) -> str | Step:
        return reply if asked.system.startswith("You check") else capable(asked)

    with serving(script) as server:
        done = ask(handbook, server)
    assert done.returncode == 3
    report = latest(handbook)
    assert reason in report["metrics"]["faithfulness"]["unscored"]
    (asked,) = [row for row in report["questions"] if row["id"] == "q1"]
    assert asked["answer"] is not None
    assert asked["judgement"] == {"unscored": reason, "raw": reply if isinstance(reply, str) else reply.text}
    assert report["metrics"]["faithfulness"]["scored"] == 1  # the refusal


def test_the_key_is_in_nothing_that_a_run_leaves(handbook: Path):
    with serving(capable) as server:
        done = run(handbook, *models(server), tracked=True, TEST_KEY=KEY)
        assert done.returncode == 0, done.stderr
        assert {asked.key for asked in server.asked} == {KEY}  # it was used
    files = [path for path in handbook.rglob("*") if path.is_file()]
    assert any(path.name == "mlflow.db" for path in files)
    assert any(path.name == "calls.sqlite" for path in files)
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert KEY not in done.stdout + done.stderr


def test_a_key_in_the_place_of_its_variables_name_is_refused_and_not_shown(handbook: Path, server: ChatServer):
    for typed in (f"generator.model.key_env={KEY}", f"generator.model.base_url=http://127.0.0.1:1/v1?key={KEY}"):
        done = run(handbook, *models(server), typed, TEST_KEY=KEY)
        assert done.returncode == 2
        assert KEY not in done.stdout + done.stderr
    assert not [path for path in handbook.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_a_missing_key_is_told_before_anything_is_asked_with_its_place(handbook: Path, server: ChatServer):
    done = run(handbook, *models(server)[:2], f"generator.model.base_url={server.openai}", TEST_KEY="")
    assert "generator.model: the environment variable OPENAI_API_KEY holds no key" in complaint(done)


def test_a_tier_that_asks_nobody_needs_no_key(handbook: Path, server: ChatServer):
    done = ask(handbook, server, "tier=retrieval", TEST_KEY="")
    assert done.returncode == 0, done.stderr


def test_a_model_may_not_judge_itself(handbook: Path, server: ChatServer):
    done = run(handbook, *models(server, judge="openai/Answer-Model"), TEST_KEY=KEY)
    assert "judge.model is the generator's own" in complaint(done)


def test_a_judge_of_the_generators_family_is_warned_of_and_the_report_says_so(handbook: Path, server: ChatServer):
    kin = ["generator.model.name=gpt-5-mini", "judge.model.name=gpt-5"]
    done = ask(handbook, server, *kin)
    assert done.returncode == 0, done.stderr
    assert "warning: generator and judge are both by openai (gpt-5-mini, gpt-5)" in done.stderr
    assert any("both by openai" in note for note in latest(handbook)["notes"])


def test_ctrl_c_ends_at_once_and_keeps_what_was_paid_for(handbook: Path):
    def script(asked: Asked) -> str | Step:
        return Step(fault="hang") if "cinema" in asked.user else capable(asked)

    with serving(script) as server:
        overrides = models(server, "generator.model.concurrency=2", "tracking=none", "dataset=folder")
        own = ["dataset.name=tiny", "dataset.path=docs", "dataset.golden=golden.json"]
        process = subprocess.Popen(
            [sys.executable, "-m", "runner", *overrides, *own],
            cwd=handbook,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TEST_KEY": KEY},
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + 60
        while server.count < len(GOLDEN) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
        assert process.returncode == 130, told
        assert "Traceback" not in told
        (summary,) = handbook.rglob("run.json")
        assert json.loads(summary.read_text(encoding="utf-8"))["status"] == "KILLED"
        asked = server.count
    assert asked == len(GOLDEN)


def test_a_sweep_asks_each_question_once(handbook: Path):
    with serving(capable) as server:
        assert ask(handbook, server).returncode == 0
        once = server.count
    with serving(capable) as server:
        done = run(handbook, *models(server, "judge.max_tokens=2000,1999"), flags=("-m",), TEST_KEY=KEY)
        assert done.returncode == 0, done.stderr
        answers = [asked for asked in server.asked if asked.system.startswith("You answer")]
        assert len(answers) == len(GOLDEN)
        assert server.count == len(GOLDEN) + 2 * (once - len(GOLDEN))
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in handbook.glob("mlruns/sweeps/*/*/report.json")]
    assert sum(report["bills"]["tokens"]["paid"] for report in reports) == server.count * 18


def test_work_that_runs_of_a_sweep_share_is_paid_for_once(handbook: Path):
    with serving(capable) as server:
        done = run(handbook, *models(server, "budget.tokens=600,601", "cache=off"), flags=("-m",), TEST_KEY=KEY)
        assert done.returncode == 0, done.stderr
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in handbook.glob("mlruns/sweeps/*/*/report.json")]
    assert sum(report["bills"]["tokens"]["paid"] for report in reports) == server.count * 18


def test_a_prompt_counts_by_its_content_and_not_by_where_it_lies(handbook: Path):
    shipped = ROOT / "eval" / "judges" / "prompts" / "faithfulness-1.md"
    (handbook / "own.md").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    fingerprints = []
    with serving(capable) as server:
        for prompt in ("faithfulness-1", "own.md", str(handbook / "own.md")):
            assert ask(handbook, server, f"judge.prompt={prompt}").returncode == 0
            fingerprints.append(latest(handbook)["fingerprints"])
        asked = server.count
        (handbook / "own.md").write_text(shipped.read_text(encoding="utf-8") + "\nBe strict.\n", encoding="utf-8")
        assert ask(handbook, server, "judge.prompt=own.md").returncode == 0
        assert server.count > asked
    assert fingerprints[0] == fingerprints[1] == fingerprints[2]
    assert latest(handbook)["fingerprints"]["judge"] != fingerprints[0]["judge"]


def test_a_run_that_failed_on_its_hard_question_does_not_stand_above_one_that_answered_it(handbook: Path):
    def script(asked: Asked) -> str | Step:
        if asked.body["model"] == "fails" and "parking" in asked.user and asked.system.startswith("You answer"):
            return Step(status=500)
        if "parking" in asked.user and asked.system.startswith("You answer"):
            return "Penguins breed in Antarctica."
        return capable(asked)

    with serving(script) as server:
        names = ["generator.model.name=fails,answers", "max_unscored=0.5", "generator.model.tries=1"]
        done = run(handbook, *models(server, *names), flags=("-m",), TEST_KEY=KEY)
        assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("| ") and "name" in line]
    assert [row.split(" | ")[0] for row in rows] == ["| answersname", "| failsname"]
    assert "1 question unscored" in rows[1]
