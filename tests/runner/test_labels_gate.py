"""What labels change: only a judge that people agree with may stop a change."""

import json
import shutil
from pathlib import Path

import pytest

from tests.runner.commands import python
from tests.runner.handbook import latest

OWN = ["dataset=folder", "dataset.name=tiny", "dataset.path=docs", "dataset.golden=golden.json"]
INVENTS = """
from eval.component import component
from eval.records import Answer

@component
class Inventing:
    def generate(self, question, context):
        return Answer("Penguins breed in Antarctica during winter.")
"""
LABELS = Path("eval") / "human-labels.json"


@pytest.fixture
def accepted(tmp_path: Path, migrated: Path) -> Path:
    """A folder with a baseline of twelve questions, and a generator that invents."""
    (tmp_path / "docs").mkdir()
    for number in range(12):
        text = f"In zone {number} parking costs {number + 2} euro a day, paid at the gate.\n"
        (tmp_path / "docs" / f"zone-{number}.md").write_text(text)
    golden = [
        {"id": f"q{n}", "question": f"What does parking cost in zone {n}?", "answerDocIds": [f"zone-{n}"]}
        | {"type": "single"}
        for n in range(12)
    ]
    (tmp_path / "golden.json").write_text(json.dumps(golden))
    (tmp_path / "mine.py").write_text(INVENTS)
    (tmp_path / "my" / "generator").mkdir(parents=True)
    (tmp_path / "my" / "generator" / "inventing.yaml").write_text("_target_: mine.Inventing\n")
    (tmp_path / "mlruns").mkdir()
    shutil.copyfile(migrated, tmp_path / "mlruns" / "mlflow.db")
    assert python(tmp_path, "runner", *OWN).returncode == 0
    assert python(tmp_path, "runner.promote", "latest", "--why", "the first").returncode == 0
    return tmp_path


def label(project: Path, labels: str) -> None:
    """Sample as many answers as there are labels, and fill them in: n for no, y for yes."""
    assert python(project, "runner.labels", "sample", "latest", "--n", str(len(labels))).returncode == 0
    data = json.loads((project / LABELS).read_text())
    for item, given in zip(data["items"], labels, strict=True):
        item["label"] = {"n": "no", "y": "yes"}[given]
    (project / LABELS).write_text(json.dumps(data))


def invent(project: Path, *overrides: str) -> int:
    """The exit code of a run that invents its answers, under a gate that is enforced."""
    own = ["--config-dir", "my", *OWN, "generator=inventing", "gate=enforce", "gate.watched=[]"]
    done = python(project, "runner", *own, *overrides)
    assert "Traceback" not in done.stderr
    return done.returncode


def caveat(project: Path) -> str:
    (found,) = [line for line in latest(project)["gate"]["caveats"] if "does not block" in line]
    return str(found).partition(": ")[2]


@pytest.mark.parametrize(
    ("labels", "because"),
    [
        ("", "no answers were labelled by people to check this judge with"),
        ("nnnnnnnnn", "only 9 answers were labelled by people to check this judge with, 10 are needed"),
        ("ynnnnnnnnn", "the judge found none of the answers that people found unsupported (1)"),
    ],
    ids=["none", "too-few", "blind"],
)
def test_without_enough_agreement_invented_answers_are_told_and_pass(accepted: Path, labels: str, because: str):
    if labels:
        label(accepted, labels)
    assert invent(accepted) == 0
    assert latest(accepted)["metrics"]["faithfulness"]["value"] == 0.0
    assert caveat(accepted) == because


def test_a_judge_that_people_agree_with_stops_invented_answers(accepted: Path):
    label(accepted, "nnnnnnnnnn")
    assert invent(accepted) == 1
    report = latest(accepted)
    assert report["gate"]["metrics"]["faithfulness"]["state"] == "regressed"
    agreement = report["agreement"]
    assert (agreement["agreement"], agreement["labels"], agreement["current"]) == (1.0, 10, 0)
    assert len(agreement["stale"]) == 10  # they are about the answers before, and speak of the judge
    page = (accepted / "mlruns" / "reports" / "latest.md").read_text()
    assert "the answer changed since it was labelled" in page


def test_labels_of_another_judge_do_not_count_for_this_one(accepted: Path):
    label(accepted, "nnnnnnnnnn")
    assert invent(accepted, "judge.min_overlap=0.7") == 3  # another judge's faithfulness is incomparable anyway
    assert latest(accepted)["agreement"]["run_judge"] != latest(accepted)["agreement"]["judge"]
    page = (accepted / "mlruns" / "reports" / "latest.md").read_text()
    assert "**The labels are about another judge**" in page


def test_a_broken_file_of_labels_is_told_before_anything_is_measured(accepted: Path):
    label(accepted, "nnnnnnnnnn")
    (accepted / LABELS).write_text((accepted / LABELS).read_text()[:-20])
    done = python(accepted, "runner", *OWN)
    assert done.returncode == 2
    assert done.stderr.endswith("mend the file, or move it away\n")
    assert len(done.stderr.splitlines()) == 1
    assert python(accepted, "runner", *OWN, "tier=retrieval").returncode == 0  # there is no judge to rely on


def test_labels_that_came_after_a_run_count_when_it_is_compared(accepted: Path):
    assert invent(accepted) == 0
    good = min((accepted / "mlruns" / "runs").iterdir())
    (accepted / "mlruns" / "reports" / "latest.json").rename(accepted / "invented.json")
    assert python(accepted, "runner.labels", "sample", str(good)).returncode == 0
    data = json.loads((accepted / LABELS).read_text())
    for item in data["items"]:
        item["label"] = "no"
    (accepted / LABELS).write_text("\ufeff" + json.dumps(data), encoding="utf-8")  # as some editors write it
    done = python(accepted, "runner.compare", str(good), "invented.json", "--enforce")
    assert done.returncode == 1, done.stdout
    assert "faithfulness may block, but people found no answer unsupported" in done.stdout
