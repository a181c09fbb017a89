"""A tiny corpus and its golden set, and the command run on them, for the tests of the whole way."""

import json
import subprocess
from pathlib import Path

from tests.runner.commands import python

DOCUMENTS = {
    "fees": "# Fees\n\nParking costs five euro a day, paid at the gate.\n\n## Late fees\n\nA late fee is two euro.\n",
    "leave": "# Leave\n\nEvery employee has thirty days of leave. Leave is approved by the Team Lead.\n",
    "people": "# People\n\n| role | name |\n| --- | --- |\n| Team Lead | Ada Berg |\n| Porter | Jo Lind |\n",
    "zh": "# 年假\n\n员工每年有十天年假。年假由部门主管批准。\n",
}
GOLDEN = [
    {
        "id": "q1",
        "question": "What does parking cost?",
        "answerDocIds": ["fees"],
        "type": "single",
        "answer": "five euro",
    },
    {"id": "q2", "question": "Who approves leave, by name?", "answerDocIds": ["leave", "people"], "type": "multi"},
    {"id": "q3", "question": "年假有几天？", "answerDocIds": ["zh"], "type": "single", "answer": "十天"},
    {"id": "q4", "question": "What does the cinema cost?", "answerDocIds": [], "type": "none"},
]


def write_handbook(folder: Path) -> None:
    """Put corpus and golden set into a folder."""
    (folder / "docs").mkdir()
    for name, text in DOCUMENTS.items():
        (folder / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "golden.json").write_text(json.dumps(GOLDEN), encoding="utf-8")


def run(
    folder: Path, *overrides: str, flags: tuple[str, ...] = (), tracked: bool = False, **environment: str
) -> subprocess.CompletedProcess[str]:
    """``python -m runner`` on them, untracked unless told otherwise."""
    own = ["dataset=folder", "dataset.name=tiny", "dataset.path=docs", "dataset.golden=golden.json"]
    tracking = [] if tracked else ["tracking=none"]
    return python(folder, "runner", *flags, *own, *tracking, *overrides, **environment)


def latest(folder: Path) -> dict:
    """The latest report."""
    return json.loads((folder / "mlruns" / "reports" / "latest.json").read_text(encoding="utf-8"))


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a refused command prints."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]
