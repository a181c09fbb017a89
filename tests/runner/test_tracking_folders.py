"""What is read from run and sweep folders."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from eval.errors import InputError
from runner.tracking.folders import Note, artifacts, read_note, read_run, read_sweep, write_note
from runner.tracking.process import this_process

Write = Callable[..., Path]


def test_a_run_is_read_with_its_data_and_destination(tmp_path: Path, write_run: Write) -> None:
    run = read_run(
        write_run(tmp_path / "r", tracking={"uri": "http://x", "experiment": None}, id="more than is needed")
    )
    assert run.params["chunker.size"] == 200
    assert run.dataset is not None
    assert run.dataset.profile == {"documents": 30}
    assert run.tracking is not None
    assert run.tracking.uri == "http://x"


def test_all_that_is_wrong_with_a_run_is_told_with_its_file(tmp_path: Path, write_run: Write) -> None:
    folder = write_run(tmp_path / "r", status="DONE", started="yesterday")
    with pytest.raises(InputError) as raised:
        read_run(folder)
    assert len(raised.value.problems) == 2
    assert all(problem.startswith(f"{folder / 'run.json'}: ") for problem in raised.value.problems)


@pytest.mark.parametrize("content", ["", "{", "[]", "\ufeff{}", '{"name": "x"}'])
def test_a_broken_file_is_named(content: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.json"):
        read_run(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sweep\.json: can't be read"):
        read_sweep(tmp_path)


def test_files_of_a_run_are_artifacts_except_its_bookkeeping_and_hidden_ones(tmp_path: Path, write_run: Write) -> None:
    folder = write_run(tmp_path / "r")
    for name in (".hydra/config.yaml", ".tracking.lock", "charts/a.svg", "charts/run.json", "tracking.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x")
    found = [(path.relative_to(folder).as_posix(), place) for path, place in artifacts(folder)]
    assert found == [
        ("charts/a.svg", "charts"),
        ("charts/run.json", "charts"),
        ("per_question.json", None),
        ("report.md", None),
    ]


def test_files_of_a_sweep_are_artifacts_but_not_those_of_its_jobs(
    tmp_path: Path, write_run: Write, write_sweep: Write
) -> None:
    folder = write_sweep(tmp_path)
    write_run(folder / "0")
    (folder / "leaderboard.md").write_text("# Leaderboard\n")
    assert [path.name for path, _ in artifacts(folder)] == ["leaderboard.md"]


def test_a_note_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_note(tmp_path) is None
    note = Note("sqlite:////x", "run", "1", "token", "started")
    write_note(tmp_path, note)
    assert read_note(tmp_path) == note


def test_a_note_of_three_keys_says_that_logging_is_done(tmp_path: Path) -> None:
    (tmp_path / "tracking.json").write_text(json.dumps({"run_id": "a", "experiment_id": "1", "uri": "u"}))
    note = read_note(tmp_path)
    assert note is not None
    assert note.state == "finished"


def test_a_sweep_left_running_by_a_process_that_is_gone_was_killed(tmp_path: Path, write_sweep: Write) -> None:
    gone = replace(this_process(), boot="an earlier one", started="1")
    here = this_process()
    assert read_sweep(write_sweep(tmp_path / "a", tags={"evalfirst.process": str(gone)})).outcome == "KILLED"
    assert read_sweep(write_sweep(tmp_path / "b", tags={"evalfirst.process": str(here)})).outcome == "RUNNING"
    ended = write_sweep(tmp_path / "c", status="FAILED", tags={"evalfirst.process": str(gone)})
    assert read_sweep(ended).outcome == "FAILED"
    assert read_sweep(write_sweep(tmp_path / "d")).outcome == "RUNNING"
