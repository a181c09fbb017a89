"""Which report a person means by a word or a path."""

import json
import os
from pathlib import Path

from tests.runner.commands import python
from tests.runner.handbook import run


def test_the_latest_run_is_known_where_nothing_was_tracked(handbook: Path):
    assert run(handbook).returncode == 0
    for command in (["runner.labels", "sample", "latest"], ["runner.compare", "latest", "latest"]):
        done = python(handbook, *command)
        assert done.returncode == 0, done.stderr
    labels = json.loads((handbook / "eval" / "human-labels.json").read_text(encoding="utf-8"))
    assert {item["id"] for item in labels["items"]} <= {"q1", "q2", "q3", "q4"}


def test_a_run_that_is_nowhere_is_told_with_what_to_give_instead(handbook: Path):
    done = python(handbook, "runner.labels", "sample", "latest")
    assert done.returncode == 2
    assert done.stderr.endswith("yet; give a report file, the folder of a run, or --uri\n")
    assert not os.path.lexists(handbook / "eval")


def test_another_file_of_labels_is_named_in_the_next_step(handbook: Path):
    assert run(handbook).returncode == 0
    done = python(handbook, "runner.labels", "sample", "latest", "--file", "mine.json")
    assert "python -m runner.labels review --file mine.json" in done.stdout
