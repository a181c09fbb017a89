"""The commands around labels, as a person types them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.eval.labels_data import a_report, answered
from tests.runner.commands import python
from tests.runner.labels_runs import log_answered

FILE = Path("eval") / "human-labels.json"


@pytest.fixture
def project(root: Path) -> Path:
    """A folder with a logged run: of its 16 answers the judge finds the first 6 unsupported."""
    log_answered(root.parent, found=range(6))
    return root.parent


def label(path: Path, **labels: str | None) -> dict[str, Any]:
    """Fill the file in: a label for each question that is named, or for ``all`` the rest."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for item in data["items"]:
        item["label"] = labels.get(item["id"], labels.get("all"))
    path.write_text(json.dumps(data), encoding="utf-8")
    return data


def ids(path: Path) -> list[str]:
    return [item["id"] for item in json.loads(path.read_text(encoding="utf-8"))["items"]]


def test_a_run_is_sampled_by_any_of_its_names_and_each_time_alike(project: Path) -> None:
    run = project / "mlruns" / "runs" / "a"
    written = set()
    for given in ("latest", "a", str(run), "answered", f"{run}/report.json"):
        done = python(project, "runner.labels", "sample", given)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines() == [
            "not asked about: 4 refusals",
            "eval/human-labels.json: 10 answers added, 0 of 10 have a label, 10 wait: python -m runner.labels review",
        ]
        written.add((project / FILE).read_text())
        (project / FILE).unlink()
    assert len(written) == 1


def test_sampling_review_and_agreement_go_hand_in_hand(project: Path) -> None:
    assert python(project, "runner.labels", "sample", "a", "--n", "16").returncode == 0
    label(project / FILE, q00="no", q01="yes", q02="yes", q03="yes", q04="yes", q05="yes", q06="yes", all="no")
    done = python(project, "runner.labels", "agreement", "a")
    assert (done.returncode, done.stderr) == (0, "")
    # 14 of 16; by chance 6/16 · 6/16 + 10/16 · 10/16 = .53125
    assert done.stdout.startswith(
        "Judge and people agree on 0.88 of 16 labelled answers (95 % interval 0.64 to 0.97); "
    )
    assert "Cohen's kappa: 0.73. 16 of the labels are about answers of this run." in done.stdout
    assert "| unsupported | 5 | 1 | 0.83 |\n| supported | 1 | 9 | 0.90 |" in done.stdout
    assert "  - judge: “It is so.” (unsupported: not there)" in done.stdout
    data = json.loads(python(project, "runner.labels", "agreement", "a", "--json").stdout)
    assert (data["agreement"], data["kappa"]) == (0.875, pytest.approx((0.875 - 0.53125) / (1 - 0.53125)))
    assert {each["id"] for each in data["disagreements"]} == {"q00", "q06"}
    assert data["recall"] == {"supported": 0.9, "unsupported": pytest.approx(5 / 6)}


def test_changed_answers_make_labels_stale_and_that_is_said(project: Path) -> None:
    python(project, "runner.labels", "sample", "a", "--n", "16")
    label(project / FILE, all="no")
    log_answered(project, found=range(6), changed=[7, 8], name="b")
    done = python(project, "runner.labels", "agreement", "b")
    assert done.returncode == 0
    assert "on 0.57 of 14 labelled answers" in done.stdout
    assert "- q07: the answer changed since it was labelled\n" in done.stdout
    again = python(project, "runner.labels", "sample", "b", "--n", "1")
    assert "stale: q08: the answer changed since it was labelled\n" in again.stdout
    assert "1 answers added, 16 of 17 have a label, 1 wait" in again.stdout
    assert ids(project / FILE).count("q07") + ids(project / FILE).count("q08") == 3


def test_verdicts_of_another_judge_are_kept_beside_those_of_the_first(project: Path) -> None:
    python(project, "runner.labels", "sample", "a", "--n", "16")
    label(project / FILE, all="no")
    folder = project / "mlruns" / "runs" / "a"
    report = json.loads((folder / "report.json").read_text())
    report["fingerprints"]["judge"] = "another"
    for question in report["questions"]:
        question["judgement"]["statements"] = [{"text": "Yes.", "verdict": "supported", "reason": ""}]
    (project / "other.json").write_text(json.dumps(report))
    done = python(project, "runner.labels", "agreement", "other.json")
    assert done.returncode == 0
    assert "the judge always says supported: what it makes of other answers is known" in done.stdout
    judged = json.loads((project / FILE).read_text())["judged"]
    assert {frozenset(opinions) for opinions in judged.values()} == {frozenset({"j" * 16, "another"})}


def test_without_a_label_to_compare_the_command_ends_with_3_and_says_what_to_do(project: Path) -> None:
    def told() -> str:
        done = python(project, "runner.labels", "agreement", "a")
        assert (done.returncode, done.stdout) == (3, "")
        return done.stderr

    assert told() == (
        "error: eval/human-labels.json is not there: python -m runner.labels sample RUN writes the file to fill in\n"
    )
    python(project, "runner.labels", "sample", "a")
    assert told() == (
        "error: eval/human-labels.json holds no label yet: python -m runner.labels review asks for them\n"
    )
    label(project / FILE, all="skip")
    assert "holds no label yet" in told()
    label(project / FILE, all="no")
    log_answered(project, changed=range(16), name="b")
    done = python(project, "runner.labels", "agreement", "b")
    assert done.returncode == 3
    assert "stale: q00: the answer changed since it was labelled\n" in done.stdout
    assert "draw its answers with: python -m runner.labels sample b" in done.stderr


def test_a_second_dataset_has_a_file_of_its_own(project: Path) -> None:
    python(project, "runner.labels", "sample", "a")
    report = json.loads((project / "mlruns" / "runs" / "a" / "report.json").read_text())
    report["run"]["dataset"] = "other"
    (project / "other.json").write_text(json.dumps(report))
    done = python(project, "runner.labels", "sample", "other.json")
    assert done.stdout.splitlines()[-1].startswith("eval/human-labels.other.json: 10 answers added, ")
    assert (project / "eval" / "human-labels.other.json").exists()
    wrong = python(project, "runner.labels", "agreement", "other.json", "--file", str(FILE))
    assert wrong.returncode == 2
    assert wrong.stderr == "error: the labels are about tiny, the run is of other; give another --file\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "error: give one of: sample, review, agreement (got '')\n"),
        (["sampel"], "error: give one of: sample, review, agreement (got 'sampel')\n"),
        (["sample"], "error: Missing argument 'run'"),
        (["sample", "a", "--n", "0"], "error: --n must be at least 1 (got 0)\n"),
        (["sample", "a", "--n", "x"], "error: Invalid value for '--n'"),
        (["sample", "nope.json"], "error: nope.json is not there: give a run, the folder of one, or a report file\n"),
        (["sample", "nobody"], "error: no run is called 'nobody'"),
        (["sample", "a", "--file", "eval"], "error: --file is the file of labels, and 'eval' names none"),
        (["review", "--nonsense"], "error: No such option: --nonsense (--help lists the options)\n"),
        (["agreement", "mlruns/runs/a/run.json"], "error: mlruns/runs/a/run.json is no report of a run: "),
    ],
)
def test_what_is_typed_wrong_is_told_in_one_line(tmp_path: Path, arguments: list[str], told: str) -> None:
    run = tmp_path / "mlruns" / "runs" / "a"
    run.mkdir(parents=True)
    (run / "report.json").write_text(json.dumps(a_report([answered(1)])))
    (run / "run.json").write_text("{}")
    (tmp_path / "eval").mkdir()
    done = python(tmp_path, "runner.labels", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == 1


def test_a_run_without_a_judge_or_a_material_is_told_with_its_remedy(root: Path) -> None:
    project = root.parent
    log_answered(project)
    report = json.loads((project / "mlruns" / "runs" / "a" / "report.json").read_text())
    for question in report["questions"]:
        del question["material"]
    (project / "older.json").write_text(json.dumps(report))
    for question in report["questions"]:
        question["judgement"] = None
    (project / "unjudged.json").write_text(json.dumps(report))
    for command in ("sample", "agreement"):
        older = python(project, "runner.labels", command, "older.json")
        assert (older.returncode, older.stderr) == (
            2,
            "error: older.json: its report holds no material to check answers against, it is an older one; "
            "measure it again\n",
        )
        unjudged = python(project, "runner.labels", command, "unjudged.json")
        assert unjudged.returncode == 2
        assert "unjudged.json: no answer in it was judged; measure with a generator and a judge" in unjudged.stderr


def test_help_lists_the_three_commands(tmp_path: Path) -> None:
    done = python(tmp_path, "runner.labels", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("sample", "review", "agreement"):
        assert f"\n  {name}" in done.stdout
        assert python(tmp_path, "runner.labels", name, "--help").returncode == 0
