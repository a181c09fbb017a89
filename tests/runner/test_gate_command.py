"""The gate as a person and their continuous integration meet it: verdicts, files and exit codes."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.runner.commands import python

OWN = ["dataset=folder", "dataset.name=tiny", "dataset.path=docs", "dataset.golden=golden.json"]
SMALL = "budget.tokens=12"  # room for hardly anything
UNTRACKED = ("gate=enforce", "tracking=none")
ANCHOR = "eval/baseline-report.json"
NOWHERE = "tracking.uri=http://127.0.0.1:9"
JUDGES = """
from eval.component import component
from eval.judges.lexical import LexicalJudge
from eval.records import Unscored

@component
class Failing(LexicalJudge):
    def judge(self, question, context, answer):
        return Unscored("timeout") if "parking" in question else super().judge(question, context, answer)

@component
class Prompted(LexicalJudge):
    prompt_version: str = "1"
"""


def golden(*numbers: int, asked: str = "What does parking cost in zone") -> list[dict[str, Any]]:
    return [
        *(
            {"id": f"q{number}", "question": f"{asked} {number}?", "answerDocIds": [f"zone-{number}"], "type": "single"}
            for number in numbers
        ),
        {"id": "n1", "question": "Who won the football match?", "answerDocIds": [], "type": "none"},
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return begin(tmp_path)


@pytest.fixture(scope="session")
def accepted_once(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """As ``accepted``, for tests that change nothing in it."""
    return accept(begin(tmp_path_factory.mktemp("accepted")), migrated)


def begin(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for number in range(12):
        text = f"# Zone {number}\n\nIn zone {number} parking costs {number + 2} euro a day, paid at the gate.\n"
        (tmp_path / "docs" / f"zone-{number}.md").write_text(text)
    write(tmp_path, golden(*range(8)))
    (tmp_path / "mine.py").write_text(JUDGES)
    (tmp_path / "conf" / "judge").mkdir(parents=True)
    for name in ("Failing", "Prompted"):
        (tmp_path / "conf" / "judge" / f"{name.lower()}.yaml").write_text(f"_target_: mine.{name}\n")
    (tmp_path / "conf" / "judge" / "prompted.yaml").write_text("_target_: mine.Prompted\nprompt_version: '1'\n")
    return tmp_path


def write(project: Path, entries: list[dict[str, Any]]) -> None:
    (project / "golden.json").write_text(json.dumps(entries))


def run(project: Path, *overrides: str) -> subprocess.CompletedProcess[str]:
    done = python(project, "runner", "--config-dir", "conf", *OWN, *overrides, MLFLOW_HTTP_REQUEST_MAX_RETRIES="0")
    assert "Traceback" not in done.stderr, done.stderr
    return done


def gate(project: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((project / "mlruns" / "reports" / "latest.json").read_text())
    return dict(report["gate"])


def states(project: Path) -> dict[str, str]:
    return {name: finding["state"] for name, finding in gate(project)["metrics"].items()}


@pytest.fixture
def accepted(project: Path, migrated: Path) -> Path:
    """A project with a baseline, in the database and as a file."""
    return accept(project, migrated)


def accept(project: Path, migrated: Path, *overrides: str) -> Path:
    (project / "mlruns").mkdir()
    shutil.copyfile(migrated, project / "mlruns" / "mlflow.db")
    assert run(project, *overrides).returncode == 0
    done = python(project, "runner.promote", "latest", "--why", "the first")
    assert done.returncode == 0, done.stderr
    return project


@pytest.fixture
def anchored(project: Path, accepted_once: Path) -> Path:
    """A project with a portable baseline and nothing else."""
    (project / "eval").mkdir()
    shutil.copyfile(accepted_once / ANCHOR, project / ANCHOR)
    return project


def test_without_a_baseline_a_report_passes_and_enforcement_does_not(project: Path):
    assert run(project, "tracking=none").returncode == 0
    assert gate(project)["verdict"] == "no_baseline"
    done = run(project, *UNTRACKED)
    assert done.returncode == 3
    assert done.stderr.startswith(
        "error: gate: no baseline: no tracking database is used, and eval/baseline-report.json"
    )
    assert done.stderr.endswith("python -m runner.promote RUN makes a run the baseline\n")
    assert done.stderr.count("\n") == 1
    assert run(project, "gate=off", "tracking=none").returncode == 0
    assert gate(project)["verdict"] == "off"


def test_the_same_configuration_passes_and_a_worse_one_is_stopped_and_told_for_people_and_programs(accepted: Path):
    done = run(accepted, "gate=enforce")
    assert done.returncode == 0, done.stderr
    assert "Gate: passed against tiny v1 (" in done.stdout
    done = run(accepted, "gate=enforce", SMALL)
    assert done.returncode == 1
    assert done.stderr.startswith("error: gate: regressed against tiny v1 (")
    assert done.stderr.count("\n") == 1
    assert states(accepted)["recall"] == "regressed"
    page = (accepted / "mlruns" / "reports" / "gate.md").read_text()
    assert page.startswith("## Gate: ❌ Regressed – ")
    suite = ElementTree.parse(accepted / "mlruns" / "reports" / "gate.xml").getroot()[0]  # noqa: S314 – our own file
    assert {case.get("name") for case in suite.findall("testcase[failure]")} >= {"recall"}
    assert len(suite.findall("testcase")) == 5
    assert run(accepted, SMALL).returncode == 0  # by default it is only told
    assert gate(accepted)["verdict"] == "regressed"


def test_the_portable_report_is_enough_and_a_changed_one_is_not(accepted: Path):
    done = run(accepted, *UNTRACKED, "tier=retrieval")
    assert done.returncode == 0, done.stderr
    assert "- baseline: read from eval/baseline-report.json, as no tracking database is used" in done.stdout
    assert [states(accepted)[name] for name in ("recall", "mrr", "ndcg_at_10")] == ["passed"] * 3
    assert [states(accepted)[name] for name in ("faithfulness", "refusal_rate")] == ["not_checked"] * 2
    anchor = accepted / "eval" / "baseline-report.json"
    whole = anchor.read_text()
    anchor.write_text(whole.replace('"recall": 1.0', '"recall": 0.5', 1))
    done = run(accepted, *UNTRACKED)
    assert done.returncode == 3
    assert "was changed after it was written" in done.stderr
    assert done.stderr.count("\n") == 1
    for broken in ("", "<<<<<<< HEAD\n" + whole):
        anchor.write_text(broken)
        done = run(accepted, *UNTRACKED)
        assert (done.returncode, done.stderr.count("\n")) == (3, 1), broken
    # the registered baseline counts all the same, and the file is mended from it
    assert run(accepted, "gate=enforce").returncode == 0
    assert python(accepted, "runner.promote", "--repair").returncode == 0
    assert anchor.read_text() == whole


def test_a_server_that_is_down_leaves_the_portable_report_which_can_fail_a_run_and_not_pass_it(accepted: Path):
    done = run(accepted, "gate=enforce", NOWHERE)
    assert done.returncode == 3
    silent = "the MLflow server at http://127.0.0.1:9 does not answer"
    assert f"read from eval/baseline-report.json, as {silent}" in done.stdout
    assert "log it later with: python -m runner.relog" in done.stderr
    assert f"the portable report is met, but {silent}" in done.stderr
    assert run(accepted, "gate=enforce", NOWHERE, "gate.source=anchor").returncode == 0
    assert run(accepted, "gate=enforce", NOWHERE, SMALL).returncode == 1  # what is worse, is worse
    (accepted / ANCHOR).unlink()
    done = run(accepted, "gate=enforce", NOWHERE)
    assert done.returncode == 3
    assert f"error: gate: no baseline: {silent}" in done.stderr


@pytest.mark.parametrize(
    ("override", "incomparable"),
    [
        ("judge.min_overlap=0.7", {"faithfulness", "refusal_rate"}),
        ("judge=prompted", {"faithfulness", "refusal_rate"}),
        ("budget.counter=cl100k_base", {"recall", "faithfulness", "refusal_rate"}),
    ],
)
def test_another_instrument_makes_its_measures_incomparable(anchored: Path, override: str, incomparable: set[str]):
    done = run(anchored, *UNTRACKED, override)
    assert done.returncode == 3
    assert done.stderr.startswith("error: gate: not judged against tiny’s portable baseline (")
    gated = {"recall", "mrr", "ndcg_at_10", "faithfulness", "refusal_rate"}
    assert {name for name in gated if states(anchored)[name] == "incomparable"} == incomparable


def test_another_prompt_of_a_judge_makes_its_measures_incomparable(project: Path, migrated: Path):
    accept(project, migrated, "judge=prompted")
    assert run(project, *UNTRACKED, "judge=prompted").returncode == 0
    assert run(project, *UNTRACKED, "judge=prompted", 'judge.prompt_version="2"').returncode == 3
    assert "judge’s prompt" in gate(project)["because"].replace("'", "’")


def test_a_grown_golden_set_is_compared_on_the_questions_that_both_have(anchored: Path):
    entries = [entry for entry in golden(*range(12)) if entry["id"] != "q0"]
    entries[0]["question"] = "What is the price of parking in zone 1?"
    write(anchored, entries)
    done = run(anchored, *UNTRACKED)
    assert done.returncode == 0, done.stderr
    told = (
        "golden set: 4 added (q10, q11, q8, q9); 1 removed (q0); 1 edited (q1); compared are the 7 unchanged questions"
    )
    assert told in gate(anchored)["notes"]
    write(anchored, golden(*range(8), asked="How much is it to park in zone"))
    assert run(anchored, *UNTRACKED).returncode == 3


def test_a_changed_corpus_is_listed_and_the_questions_it_touches_are_marked(anchored: Path):
    (anchored / "docs" / "zone-3.md").write_text("# Zone 3\n\nIn zone 3 parking costs nine euro a day.\n")
    (anchored / "docs" / "zone-11.md").unlink()
    (anchored / "docs" / "new.md").write_text("# New\n\nA new building.\n")
    run(anchored, *UNTRACKED)
    assert "corpus: 1 added (new); 1 removed (zone-11); 1 edited (zone-3)" in gate(anchored)["notes"]
    assert gate(anchored)["corpus"]["touched_questions"] == ["q3"]


def test_an_incomplete_run_is_neither_passed_nor_promoted(accepted: Path):
    done = run(accepted, "gate=enforce", "judge=failing")
    assert done.returncode == 3
    assert gate(accepted)["verdict"] == "not_judged"
    done = python(accepted, "runner.promote", "latest", "--force", "I insist")
    assert done.returncode == 3
    assert "is not a complete run" in done.stderr
    assert done.stderr.count("\n") == 1


def test_in_a_sweep_the_verdict_is_a_tag_and_does_not_end_it(accepted: Path):
    done = python(accepted, "runner", "-m", *OWN, "gate=enforce", "budget.tokens=12,600")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("warning: in a sweep gate=enforce changes no exit code")
    assert not (accepted / "mlruns" / "reports" / "gate.xml").exists()
    tags = [json.loads(path.read_text())["tags"] for path in sorted(accepted.glob("mlruns/sweeps/*/*/run.json"))]
    assert [each["evalfirst.gate"] for each in tags] == ["regressed", "passed"]


@pytest.mark.parametrize("slip", ["dataset.path=nowhere", "tier=nowhere", "bugdet.tokens=3", "budget.tokens=many"])
def test_a_command_that_gives_no_verdict_leaves_none_of_the_run_before(anchored: Path, slip: str):
    reports = anchored / "mlruns" / "reports"
    reports.mkdir(parents=True)
    for name in ("gate.md", "gate.xml"):
        (reports / name).write_text("passed")
    assert run(anchored, *UNTRACKED, slip).returncode == 2
    assert list(reports.iterdir()) == []


def test_two_measured_runs_are_compared_without_measuring(accepted: Path):
    run(accepted, SMALL, "tracking=none")
    worse = "mlruns/reports/latest.json"
    for first in ("baseline", "latest", "eval/baseline-report.json"):
        done = python(accepted, "runner.compare", first, worse, "--enforce", "--junit", "out.xml")
        assert done.returncode == 1, done.stderr
        assert "| recall | 1.0000 |" in done.stdout
        assert (accepted / "out.xml").exists()
    assert python(accepted, "runner.compare", worse, worse, "--enforce").returncode == 0
    assert python(accepted, "runner.compare", "baseline", worse).returncode == 0
    done = python(accepted, "runner.compare", "baseline", worse, "--json", "--tolerance", "0.25")
    assert json.loads(done.stdout)["metrics"]["recall"]["tolerance"] == 0.25
    assert len(list((accepted / "mlruns" / "runs").iterdir())) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["runner.compare", "nothing.json", "latest"], 2, "nothing.json is not there"),
        (["runner.compare", "baseline", "nobody"], 2, "no run is called 'nobody'"),
        (["runner.compare", "golden.json", "latest"], 2, "golden.json holds no JSON object"),
        (["runner.compare", "baseline", "latest", "--tolerance", "7"], 2, "--tolerance"),
        (["runner.compare", "baseline", "latest", "--uri", "mlruns"], 2, "names a folder"),
        (["runner.promote"], 2, "give one of: a run, --rollback, --show, --history, --repair"),
        (["runner.promote", "latest", "--show"], 2, "give one of"),
        (["runner.promote", "nobody"], 2, "no run is called 'nobody'"),
        (["runner.promote", "latest", "--why", " "], 2, "--why takes 1 to 500 characters"),
        (["runner.promote", "latest", "--best", "recall"], 2, "--best is for sweeps"),
        (["runner.promote", "--rollback"], 2, "tiny v1 has no baseline before it"),
        (["runner.promote", "--show", "--dataset", "other"], 2, "no run of other is the baseline; there are: tiny"),
    ],
)
def test_slips_are_told_in_one_line(accepted_once: Path, arguments: list[str], code: int, told: str):
    done = python(accepted_once, *arguments)
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith("error: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
