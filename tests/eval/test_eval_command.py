"""`python -m eval check`, as a person runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str | Path, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "eval", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )


def project(folder: Path, *entries: dict[str, object]) -> tuple[Path, Path]:
    """A golden set with one entry per line, the first on line 2, and a corpus of two documents."""
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "leave.md").write_text("# Leave\n\nAnnual leave is 25 days.\n", encoding="utf-8")
    (corpus / "parking.md").write_text("Parking costs five euro a day.\n", encoding="utf-8")
    golden = folder / "golden.json"
    golden.write_text("[\n" + ",\n".join(map(json.dumps, entries)) + "\n]", encoding="utf-8")
    return golden, corpus


GOOD = {"id": "q1", "question": "How long is annual leave?", "answerDocIds": ["leave"], "type": "single"}


def one_line(result: subprocess.CompletedProcess[str], said: str) -> None:
    """A mistake ends in one line on standard error, and code 2."""
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
    assert said in result.stderr


def test_warnings_alone_end_well_unless_strict(tmp_path: Path) -> None:
    golden, corpus = project(tmp_path, GOOD)
    result = run("check", golden, "--corpus", corpus)
    assert (result.returncode, result.stderr) == (0, "")
    assert f"{golden}: warning: holds 1 questions" in result.stdout
    assert [line.split() for line in result.stdout.splitlines()[-8:]] == [
        ["questions", "1"],
        ["single", "1"],
        ["multi", "0"],
        ["none", "0"],
        ["documents", "2"],
        ["answer", "documents", "1"],
        ["errors", "0"],
        ["warnings", "3"],
    ]
    assert run("check", golden, "--corpus", corpus, "--strict").returncode == 2


def test_errors_are_printed_with_file_and_line_and_fail(tmp_path: Path) -> None:
    missing = {**GOOD, "id": "q2", "answerDocIds": ["d9"]}
    thin = {**GOOD, "id": "q3", "type": "multi"}
    golden, corpus = project(tmp_path, GOOD, missing, thin, {"id": 4})
    result = run("check", golden, "--corpus", corpus)
    assert result.returncode == 2
    lines = [line for line in result.stdout.splitlines() if ": error: " in line]
    assert [line.removeprefix(f"{golden}:").split(":")[0] for line in lines] == ["5"] * 4 + ["3", "4"]


def test_the_corpus_may_be_json_lines(tmp_path: Path) -> None:
    golden, _ = project(tmp_path, GOOD)
    lines = tmp_path / "corpus.jsonl"
    lines.write_text('{"_id": "leave", "text": "25 days"}\n', encoding="utf-8")
    assert run("check", golden, "--corpus", lines).returncode == 0


def test_a_folder_in_the_beir_layout_is_checked_alone(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "25 days"}\n', encoding="utf-8")
    queries = '{"_id": "q1", "text": "How long?"}\n{"_id": "q2", "text": "How far?"}\n'
    (tmp_path / "queries.jsonl").write_text(queries, encoding="utf-8")
    (tmp_path / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", encoding="utf-8")
    result = run("check", "--beir", tmp_path, "--split", "dev")
    assert result.returncode == 0
    assert "note: 1 queries without a type and without an answer document are left out" in result.stdout


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    golden, corpus = project(tmp_path, GOOD)
    one_line(run("check", tmp_path / "nowhere.json", "--corpus", corpus), "cannot be read")
    one_line(run("check", tmp_path, "--corpus", corpus), "cannot be read")
    one_line(run("check", golden, "--corpus", tmp_path / "nowhere"), "cannot be read")
    one_line(run("check", golden, "--corpus", golden), "a corpus is a folder")
    one_line(run("check", "--beir", tmp_path / "nowhere"), "is no folder")


def test_both_sides_are_told_when_both_are_wrong(tmp_path: Path) -> None:
    golden, _ = project(tmp_path, {"id": "q1"})
    result = run("check", golden, "--corpus", tmp_path / "nowhere")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 4


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may read everything")
def test_what_may_not_be_read_is_one_line(tmp_path: Path) -> None:
    golden, corpus = project(tmp_path, GOOD)
    golden.chmod(0)
    one_line(run("check", golden, "--corpus", corpus), "Permission denied")
    golden.chmod(0o600)
    for mode in (0, 0o444):
        corpus.chmod(mode)
        one_line(run("check", golden, "--corpus", corpus), "Permission denied")
        one_line(run("check", "--beir", corpus / "deeper"), "Permission denied")
    corpus.chmod(0o700)


def test_a_choice_of_what_to_check_is_needed(tmp_path: Path) -> None:
    golden, corpus = project(tmp_path, GOOD)
    for arguments in ([], [golden], ["--corpus", corpus], [golden, "--corpus", corpus, "--beir", tmp_path]):
        one_line(run("check", *arguments), "name a golden set and its --corpus")


def test_the_command_keeps_its_name_and_unknown_ones_are_told() -> None:
    assert "check" in run("--help").stdout
    assert run("nonsense").returncode == 2
    assert "Traceback" not in run("check", "--nonsense").stderr


def test_a_terminal_that_knows_no_chinese_still_gets_the_findings(tmp_path: Path) -> None:
    golden, corpus = project(tmp_path, {**GOOD, "answerDocIds": ["假期"]})
    result = run("check", golden, "--corpus", corpus, encoding="cp1252")
    assert result.returncode == 2
    assert "\\u5047\\u671f" in result.stdout
    assert result.stderr == ""


def test_a_public_collection_with_blank_documents_is_checked(shared_data: Path) -> None:
    result = run("check", "--beir", shared_data / "retrieval" / "cranfield")
    assert result.returncode == 0
    assert "125 lists blank documents, which can never be found: 995" in result.stdout
