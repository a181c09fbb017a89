"""The command as a person starts it, on a tiny corpus in an empty folder."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.runner.capable import capable
from tests.runner.chat_server import serving
from tests.runner.commands import ROOT
from tests.runner.handbook import GOLDEN, complaint, latest, run

CONF = ROOT / "conf"
GATED = {"recall", "mrr", "ndcg_at_10", "faithfulness", "refusal_rate"}


def options(group: str) -> list[str]:
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def test_a_run_prints_seven_sections_and_leaves_its_record(handbook: Path):
    done = run(handbook)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^## (\d)\.", done.stdout, re.MULTILINE) == list("1234567")
    report = latest(handbook)
    assert set(report["metrics"]) >= GATED
    assert report["run"]["complete"] is True
    assert len(report["acceptance"]) == 7
    (folder,) = (handbook / "mlruns" / "runs").iterdir()
    assert {"run.json", "report.json", "report.md", "records.jsonl", "per_question.json", "config.yaml"} <= {
        path.name for path in folder.iterdir()
    }
    assert len((folder / "records.jsonl").read_text(encoding="utf-8").splitlines()) == len(GOLDEN)
    assert sorted(path.name for path in handbook.iterdir()) == ["docs", "golden.json", "mlruns"]


def test_the_installed_command_is_the_same_and_finds_parts_beside_it(handbook: Path, own_parts: dict[str, str]):
    command = Path(sys.executable).with_name("evalfirst")
    if not command.exists():
        pytest.skip("the package is not installed in this environment")
    own = ["dataset=folder", "dataset.path=docs", "dataset.golden=golden.json", "tracking=none", "generator=slow"]
    done = subprocess.run(
        [command, "--config-dir", "my", *own],
        cwd=handbook,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "## 7. Acceptance" in done.stdout
    assert own_parts  # beside the documents, not on the path


def test_two_runs_and_two_hash_seeds_give_bit_identical_metrics(handbook: Path):
    reports = []
    for seed in ("1", "2"):
        assert run(handbook, "cache=off", PYTHONHASHSEED=seed).returncode == 0
        reports.append(latest(handbook))
    first, second = ({key: report[key] for key in ("metrics", "questions", "fingerprints")} for report in reports)
    assert json.dumps(first) == json.dumps(second)


def test_a_reader_who_has_seen_enough_breaks_nothing(handbook: Path):
    own = "dataset=folder dataset.path=docs dataset.golden=golden.json tracking=none tier=retrieval"
    command = f"{sys.executable} -m runner -m {own} budget.tokens=300,600 | head -1; exit ${{PIPESTATUS[0]}}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", command], cwd=handbook, env=environment, capture_output=True, text=True)  # noqa: S607
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((handbook / "mlruns" / "sweeps").glob("*/*/report.json"))) == 2


def test_the_retrieval_tier_measures_no_answers(handbook: Path):
    assert run(handbook, "tier=retrieval").returncode == 0
    report = latest(handbook)
    assert "faithfulness" not in report["metrics"]
    assert report["questions"][0]["answer"] is None
    assert report["run"]["complete"] is True


# They need a model, a server, a file: llm is run below, the others in test_options, nli with its own tests.
ELSEWHERE = set(
    """generator=llm judge=llm judge=nli query=rewrite query=expand_by_model reranker=cross_encoder reranker=http
    retriever=milvus retriever=postgres_text retriever=postgres_vector system=callable system=http
    system=replay""".split()
)
PARTS = [
    f"{group}={option}"
    for group in ("chunker", "query", "retriever", "reranker", "system", "budget", "generator", "judge", "tier")
    for option in options(group)
    if f"{group}={option}" not in ELSEWHERE
]


@pytest.mark.parametrize("choice", PARTS)
def test_every_option_runs(handbook: Path, choice: str):
    done = run(handbook, choice)
    assert done.returncode == 0, done.stderr
    assert latest(handbook)["metrics"]["recall"]["scored"] == 3


@pytest.mark.parametrize("part", ["generator", "judge"])
@pytest.mark.parametrize("kind", options("chat"))
def test_every_kind_of_model_runs_as_generator_and_as_judge(handbook: Path, part: str, kind: str):
    model = f"{part}.model"
    with serving(capable) as server:
        reached = {
            "openai": [f"{model}.name=m", f"{model}.base_url={server.openai}", f"{model}.key_env=null"],
            "anthropic": [f"{model}.name=m", f"{model}.base_url={server.anthropic}", f"{model}.key_env=TEST_KEY"],
            "scripted": [f"{model}.otherwise='Parking costs five euro.'"],
        }
        done = run(handbook, f"{part}=llm", f"chat@{model}={kind}", *reached[kind], TEST_KEY="a-key")
    valid = kind != "scripted" or part == "generator"  # that sentence is no verdict
    assert done.returncode == (0 if valid else 3), done.stderr
    assert latest(handbook)["metrics"]["recall"]["scored"] == 3


def test_a_judge_whose_packages_are_missing_says_how_to_get_them(handbook: Path):
    if find_spec("transformers") is not None:
        pytest.skip("the packages of judge=nli are installed")
    told = complaint(run(handbook, "judge=nli", "judge.model=some/model"))
    assert told.endswith("pip install 'evalfirst[nli]'")


@pytest.mark.parametrize("dataset", [name for name in options("dataset") if name.startswith("handbook")])
def test_every_shipped_dataset_runs(tmp_path: Path, dataset: str):
    done = subprocess.run(
        [sys.executable, "-m", "runner", f"dataset={dataset}", "tracking=none", "tier=retrieval"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert latest(tmp_path)["metrics"]["recall_single"]["value"] == 1.0


@pytest.mark.parametrize("experiment", [name for name in options("experiment") if name != "languages"])
def test_every_experiment_sweeps_without_a_flag(handbook: Path, experiment: str):
    done = run(handbook, f"+experiment={experiment}")
    assert done.returncode == 0, done.stderr
    (sweep,) = (handbook / "mlruns" / "sweeps").iterdir()
    record = json.loads((sweep / "sweep.json").read_text(encoding="utf-8"))
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sweep.glob("*/run.json")]
    assert record["status"] == "FINISHED"
    assert record["jobs"] == len(runs) > 1
    assert len({found["name"] for found in runs}) == len(runs)
    assert "| first |" in done.stdout
    assert f"{len(runs)}/{len(runs)} ok" in done.stdout


def test_sweeping_languages_runs_both_shipped_handbooks(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-m", "runner", "+experiment=languages", "tracking=none", "tier=retrieval"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "| other questions |" in done.stdout


def test_sweeping_budgets_ranks_nothing_twice(handbook: Path):
    assert run(handbook, "+experiment=budgets").returncode == 0
    reused = {"rank": [], "index": [], "chunk": [], "pack": []}
    for path in (handbook / "mlruns" / "sweeps").glob("*/*/report.json"):
        stages = json.loads(path.read_text(encoding="utf-8"))["bills"]["latency_ms"]
        for stage, found in reused.items():
            found.append(stages[stage]["reused"])
    assert sorted(reused["rank"]) == sorted(reused["index"]) == sorted(reused["chunk"]) == [False] + [True] * 5
    assert reused["pack"] == [False] * 6


def test_an_inner_chunker_sweep_still_computes_each_chunker_once(handbook: Path):
    assert run(handbook, "budget.tokens=200,600", "chunker.size=50,100", flags=("-m",)).returncode == 0
    found = [
        json.loads(path.read_text(encoding="utf-8"))["bills"]["latency_ms"]["rank"]["reused"]
        for path in (handbook / "mlruns" / "sweeps").glob("*/*/report.json")
    ]
    assert sorted(found) == [False, False, True, True]


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["chunker=fixd"], ["chunker=fixd", "document", "fixed", "markdown", "sentence"]),
        (["chunker.sizee=3"], ["chunker.sizee", "is not a key", "size, overlap, counter"]),
        (["chunkr=fixed"], ["chunkr", "chunker", "retriever"]),
        (["+experiment=nope"], ["nope", "chunk_small"]),
        (["+chunker.foo=3"], ["chunker.foo", "is not an option", "size"]),
        (["chunker.size=0"], ["chunker.size", "0"]),
        (["chunker.size=ten"], ["chunker.size", "'ten'"]),
        (["chunker=fixed", "chunker.size=128", "chunker.overlap=128"], ["overlap", "size", "128"]),
        (["budget.tokens=-1"], ["budget.tokens", "-1"]),
        (["budget.counter=gpt"], ["gpt", "o200k_base"]),
        (["max_unscored=2"], ["max_unscored", "2"]),
        (["name='a b/c'"], ["name", "a b/c"]),
        (["dataset.path=missing"], ["missing"]),
        (["dataset.golden=missing.json"], ["missing.json"]),
        (["dataset.path=???"], ["dataset.path", "not set"]),
        (["name=${nope.y}"], ["name", "nope"]),
        (["generator.api_key=sk-test-123"], ["generator.api_key", "environment variable"]),
        (["name=年假"], ["name", '"年假"']),
        (["budget"], ["budget"]),
        (["+chunkr=fixed"], ["chunkr", "chunker"]),
        (["+foo=1"], ["foo", "not a key"]),
        (["=3"], ["composed"]),
        (["chunker.size=100,200"], ["-m first"]),
        (["name=5"], ["name", "quote a number"]),
        (["budget.tokens=nan"], ["budget.tokens", "nan"]),
        (["retriever.k1=inf"], ["retriever.k1", "inf"]),
        (["retriever.k1=1e308"], ["retriever.k1", "1000"]),
        (["~judge"], ["judge"]),
    ],
)
def test_a_wrong_configuration_is_told_in_one_line(handbook: Path, overrides: list[str], said: list[str]):
    line = complaint(run(handbook, *overrides))
    for part in said:
        assert part in line, line


def test_a_part_of_the_wrong_kind_is_told_before_any_work(handbook: Path):
    (handbook / "my" / "chunker").mkdir(parents=True)
    (handbook / "my" / "chunker" / "bad.yaml").write_text("_target_: runner.retrievers.bm25.Bm25Retriever\n", "utf-8")
    line = complaint(run(handbook, "chunker=bad", flags=("--config-dir", "my")))
    assert "runner.retrievers.bm25.Bm25Retriever is no chunker, it has no method chunk" in line


@pytest.mark.parametrize("text", ["a: [1\n", "- a\n- list\n"])
def test_a_configuration_file_that_cannot_be_read_is_told(handbook: Path, text: str):
    (handbook / "my" / "chunker").mkdir(parents=True)
    (handbook / "my" / "chunker" / "bad.yaml").write_text(text, encoding="utf-8")
    done = run(handbook, "chunker=bad", flags=("--config-dir", "my"))
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr


def test_a_refused_run_leaves_no_record(handbook: Path):
    complaint(run(handbook, "dataset.path=missing", "chunker.size=0"))
    assert not list((handbook / "mlruns").rglob("run.json"))


def test_a_folder_that_cannot_be_written_is_told_in_one_line(handbook: Path):
    (handbook / "mlruns").write_text("in the way", encoding="utf-8")
    done = run(handbook)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_damaged_database_does_not_cost_the_measurement(handbook: Path):
    (handbook / "mlruns").mkdir()
    (handbook / "mlruns" / "mlflow.db").write_text("garbage", encoding="utf-8")
    done = run(handbook, tracked=True)
    assert done.returncode == 0, done.stderr
    assert "## 7. Acceptance" in done.stdout
    assert "python -m runner.relog" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_secret_is_in_no_file_and_no_output(handbook: Path):
    done = run(handbook, "+judge.api_key=sk-test-123")
    assert "sk-test-123" not in done.stdout + done.stderr
    assert not [path for path in handbook.rglob("*") if path.is_file() and b"sk-test-123" in path.read_bytes()]


def test_a_value_from_the_environment_is_in_no_file(handbook: Path):
    done = run(handbook, "tier=retrieval", "budget.separator=${oc.env:MY_SEPARATOR}", MY_SEPARATOR="sk-test-123")
    assert done.returncode == 0, done.stderr
    assert not [path for path in handbook.rglob("*") if path.is_file() and b"sk-test-123" in path.read_bytes()]


def test_working_elsewhere_finds_the_same_files_and_the_same_mlruns(handbook: Path):
    assert run(handbook, "hydra.job.chdir=true").returncode == 0
    assert run(handbook, "hydra.job.chdir=false").returncode == 0
    assert len(list((handbook / "mlruns" / "runs").glob("*/run.json"))) == 2
    assert [path.parent for path in handbook.rglob("latest.json")] == [handbook / "mlruns" / "reports"]


def test_a_run_with_unscored_questions_gives_no_verdict(handbook: Path, own_parts: dict[str, str]):
    (handbook / "my" / "judge").mkdir()
    (handbook / "my" / "judge" / "silent.yaml").write_text("_target_: parts.Silent\n", encoding="utf-8")
    done = run(handbook, "judge=silent", flags=("--config-dir", "my"), **own_parts)
    assert done.returncode == 3
    assert "is incomplete: faithfulness is unscored for 4 of 4 questions (timeout: 4)" in done.stderr
    (folder,) = (handbook / "mlruns" / "runs").iterdir()
    summary = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert (summary["status"], summary["complete"]) == ("FINISHED", False)
    assert run(handbook, "judge=silent", "max_unscored=1", flags=("--config-dir", "my"), **own_parts).returncode == 0


def test_a_group_left_out_is_told_in_one_line(handbook: Path):
    assert "judge" in complaint(run(handbook, "~judge"))
    assert "can't be composed" in complaint(run(handbook, "budget=null"))


def test_folders_of_a_sweep_may_be_named_by_its_overrides(handbook: Path):
    done = run(handbook, "chunker.size=50,100", "hydra.sweep.subdir=${hydra.job.override_dirname}", flags=("-m",))
    assert done.returncode == 0, done.stderr
    assert "2/2 ok" in done.stdout


def test_a_sweep_with_one_wrong_job_starts_none(handbook: Path):
    done = run(handbook, "chunker.size=100,0,50", flags=("-m",))
    assert done.returncode == 2, done.stdout
    assert "chunker.size" in done.stderr
    assert not list((handbook / "mlruns").glob("sweeps/*/*/run.json"))


def test_a_misspelt_key_of_a_sweep_is_answered_with_the_keys_there_are(handbook: Path):
    line = complaint(run(handbook, "chunker.sise=100,200", flags=("-m",)))
    assert line == "error: chunker.sise is not a key of the configuration; there are: size, overlap, counter"


def test_a_job_that_fails_leaves_the_others_and_is_told_with_its_overrides(handbook: Path):
    shutil.copytree(handbook / "docs", handbook / "other")
    (handbook / "other" / "leave.md").unlink()
    done = run(handbook, "dataset.path=docs,other", "chunker.size=50,100,60", flags=("-m",))
    assert done.returncode == 2
    assert "3/6 ok" in done.stdout
    assert "dataset.path=other" in done.stdout
    assert "leave" in done.stderr
    statuses = [
        json.loads(path.read_text("utf-8"))["status"] for path in (handbook / "mlruns").glob("sweeps/*/*/run.json")
    ]
    assert sorted(statuses) == ["FAILED"] * 3 + ["FINISHED"] * 3


def test_configurations_of_ones_own_are_added_by_a_folder(handbook: Path):
    (handbook / "my" / "chunker").mkdir(parents=True)
    own = "_target_: runner.chunkers.sentence.SentenceChunker\nsize: 33\ncounter: ${budget.counter}\n"
    (handbook / "my" / "chunker" / "mine.yaml").write_text(own, encoding="utf-8")
    done = run(handbook, "chunker=mine", flags=("--config-dir", "my"))
    assert done.returncode == 0, done.stderr
    assert latest(handbook)["config"]["chunker"]["size"] == 33


PARTS_OF_ONES_OWN = """
import time
from eval.records import Answer, Unscored
from eval.component import component

@component
class Silent:
    def judge(self, question, context, answer):
        return Unscored("timeout")

@component
class Broken:
    def generate(self, question, context):
        raise ZeroDivisionError("no such luck")

@component
class Leaving:
    def generate(self, question, context):
        raise SystemExit(0)

@component
class Slow:
    seconds: float
    def generate(self, question, context):
        time.sleep(self.seconds)
        return Answer(context.text)
"""


@pytest.fixture
def own_parts(handbook: Path) -> dict[str, str]:
    """Generators of one's own, as a module beside the documents; the environment that finds it."""
    (handbook / "parts.py").write_text(PARTS_OF_ONES_OWN, encoding="utf-8")
    (handbook / "my" / "generator").mkdir(parents=True)
    (handbook / "my" / "generator" / "slow.yaml").write_text("_target_: parts.Slow\nseconds: 0.0\n", encoding="utf-8")
    (handbook / "my" / "generator" / "broken.yaml").write_text("_target_: parts.Broken\n", encoding="utf-8")
    return {"PYTHONPATH": f"{ROOT}{os.pathsep}{handbook}"}


def test_a_broken_part_ends_without_a_verdict_and_keeps_its_traceback(handbook: Path, own_parts: dict[str, str]):
    done = run(handbook, "generator=broken", flags=("--config-dir", "my"), **own_parts)
    assert done.returncode == 3, done.stderr
    (folder,) = (handbook / "mlruns" / "runs").iterdir()
    assert "ZeroDivisionError: no such luck" in done.stderr
    assert "Traceback" in (folder / "error.txt").read_text(encoding="utf-8")
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["status"] == "FAILED"


def test_a_part_that_leaves_the_program_is_a_failed_part(handbook: Path, own_parts: dict[str, str]):
    (handbook / "my" / "generator" / "leaving.yaml").write_text("_target_: parts.Leaving\n", encoding="utf-8")
    done = run(handbook, "generator=leaving,extractive", flags=("--config-dir", "my", "-m"), **own_parts)
    assert done.returncode == 3, done.stderr
    assert "1/2 ok" in done.stdout
    assert "SystemExit" in done.stderr


def test_a_target_that_is_no_class_is_never_called(handbook: Path):
    (handbook / "my" / "chunker").mkdir(parents=True)
    (handbook / "my" / "chunker" / "bad.yaml").write_text("_target_: os.system\ncommand: touch harm\n", "utf-8")
    assert "chunker" in complaint(run(handbook, "chunker=bad", flags=("--config-dir", "my")))
    assert not (handbook / "harm").exists()


def test_an_interrupted_sweep_keeps_what_was_finished(handbook: Path, own_parts: dict[str, str]):
    command = [sys.executable, "-m", "runner", "--config-dir", "my", "-m", "dataset=folder", "dataset.path=docs"]
    command += ["dataset.golden=golden.json", "tracking=none", "generator=slow", "generator.seconds=0.0,60.0,0.1"]
    with subprocess.Popen(
        command, cwd=handbook, env=os.environ | own_parts, stdout=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 60
        while not list((handbook / "mlruns").glob("sweeps/*/0/run.json")) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    (sweep,) = (handbook / "mlruns" / "sweeps").iterdir()
    assert json.loads((sweep / "sweep.json").read_text(encoding="utf-8"))["status"] == "KILLED"
    statuses = {path.parent.name: json.loads(path.read_text("utf-8"))["status"] for path in sweep.glob("*/run.json")}
    assert statuses == {"0": "FINISHED", "1": "KILLED"}
    assert "| 0.0seconds |" in out
    assert "1/3 ok" in out


def test_a_tracked_run_is_in_the_database_with_a_link(handbook: Path):
    done = run(handbook, tracked=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Run: http://\S+/runs/[0-9a-f]{32}$", done.stdout, re.MULTILINE), done.stdout
    assert done.stderr == ""
    assert (handbook / "mlruns" / "mlflow.db").is_file()


def test_a_run_whose_tracking_server_is_down_is_kept_and_says_how_to_log_it(handbook: Path):
    done = run(handbook, "tracking.uri=http://127.0.0.1:9", tracked=True)
    assert done.returncode == 0, done.stderr
    assert "python -m runner.relog" in done.stderr
    assert "Traceback" not in done.stderr
    (folder,) = (handbook / "mlruns" / "runs").iterdir()
    assert (folder / "report.json").is_file()
