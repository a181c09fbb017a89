"""`python -m eval import` as a command, its report, and laws that hold for whatever is imported."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from eval.__main__ import app
from eval.errors import InputError
from eval.golden.check import check
from eval.golden.read import read_golden
from eval.importing.draft import DraftDocument, DraftQuestion, Material, Request
from eval.importing.ledger import Ledger
from eval.importing.needs import as_rule
from eval.importing.registry import read_format
from eval.importing.report import markdown
from eval.importing.result import settle
from eval.importing.write import write
from eval.sources.beir import read_beir
from eval.sources.jsonl import read_corpus
from tests.eval import foreign_sets
from tests.eval.foreign_sets import LEAVE, lines, written


def run(*arguments: str | Path) -> str:
    """What the command prints."""
    result = CliRunner().invoke(app, list(map(str, arguments)))
    if result.exception:
        raise result.exception
    return result.stdout


def fails(*arguments: str | Path) -> tuple[str, ...]:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert isinstance(result.exception, InputError)
    return result.exception.problems


def test_a_folder_that_holds_something_is_left_alone_unless_replacing_is_asked_for(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path / "in")
    kept = written(tmp_path / "out" / "notes.txt", "mine")
    command = ["import", "beir", tmp_path / "in", "--to", tmp_path / "out"]
    assert fails(*command) == (f"{tmp_path}/out: is not empty; name another folder, or allow it with --replace",)
    run(*command, "--replace")
    assert kept.read_text() == "mine"
    assert sorted(path.name for path in kept.parent.iterdir()) == [
        "corpus.jsonl",
        "golden-set.json",
        "import-report.md",
        "notes.txt",
    ]


def test_sources_are_never_written_over(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path)
    before = (tmp_path / "corpus.jsonl").read_bytes()
    (problem,) = fails("import", "beir", tmp_path, "--to", tmp_path, "--replace")
    assert problem.startswith(f"{tmp_path}: is where the sources lie")
    assert (tmp_path / "corpus.jsonl").read_bytes() == before


def test_mistakes_in_the_command_are_told_together(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert fails("import", "squat", tmp_path, "--to", out) == (
        "format 'squat' is not known; known are beir, squad, hotpotqa, multihop-rag, ragas, autorag, promptfoo, csv",
    )
    assert fails("import", "squad", tmp_path / "gone.json", "--to", out, "--split", "dev", "--corpus", tmp_path) == (
        "--corpus is of no use to squad; it is for multihop-rag, ragas, autorag, promptfoo, csv",
        "--split is of no use to squad; it is for beir",
        f"{tmp_path}/gone.json: is not there; check the path",
    )
    table = written(tmp_path / "q.csv", "question,docs\nQ?,leave\n")
    assert fails("import", "csv", table, "--to", out) == (
        "csv needs --corpus, the folder or .jsonl file with the documents that the table lists",
    )
    assert (
        "write one of id, question, answer, docs, type"
        in fails("import", "csv", table, "--to", out, "--column", "x")[0]
    )


def test_the_report_counts_what_was_read_kept_and_dropped_with_places(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path / "in")
    queries = tmp_path / "in" / "queries.jsonl"
    queries.write_text(queries.read_text() + '\n{"_id": "q4", "text": "A comma",},\n[]\n{"_id": "q5", "_id": "q6"}\n')
    printed = run("import", "beir", tmp_path / "in", "--to", tmp_path / "out")
    report = (tmp_path / "out" / "import-report.md").read_text()
    assert "| questions | 6 | 3 | 3 |" in report
    assert [line.split(": ")[0].strip(" -") for line in report.splitlines() if "queries.jsonl:" in line] == [
        f"{queries}:{line}" for line in (5, 6, 7)
    ]
    assert "key '_id' stands twice in one object; keep one" in report
    assert "dropped: 3 questions: cannot be read (first: " in printed
    assert "types: 1 single, 1 multi, 1 none" in printed
    assert "python -m eval check" in printed


def test_more_than_five_places_are_counted_and_five_are_shown(tmp_path: Path) -> None:
    rows = [foreign_sets.hotpot_row(_id=f"h{number}", question=" " if number else "Kept?") for number in range(8)]
    run("import", "hotpotqa", lines(tmp_path / "dev.jsonl", rows), "--to", tmp_path / "out")
    report = (tmp_path / "out" / "import-report.md").read_text()
    assert "- 7 questions: blank question\n" in report
    shown = report[report.index("blank question") : report.index("and 2 more")].splitlines()[1:-1]
    assert shown == [f"    - {tmp_path}/dev.jsonl:{row}" for row in range(2, 7)]
    assert "    - and 2 more\n" in report


def test_a_limit_keeps_the_first_questions_and_all_documents(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path / "in")
    printed = run("import", "beir", tmp_path / "in", "--to", tmp_path / "out", "--limit", "1")
    assert [question.id for question in read_golden(tmp_path / "out" / "golden-set.json").questions] == ["q1"]
    assert len(read_corpus(tmp_path / "out" / "corpus.jsonl")) == 3
    assert "dropped: 2 questions: beyond the first 1 that --limit asks for" in printed


@pytest.mark.parametrize("name", ["cranfield", "hotpotqa200", "mtrag", "anthropic_docs"])
def test_a_public_collection_goes_there_and_back_with_the_same_judgements(
    name: str, tmp_path: Path, shared_data: Path
) -> None:
    collection = shared_data / "retrieval" / name
    run("import", "beir", collection, "--to", tmp_path / "ours")
    golden, corpus = tmp_path / "ours" / "golden-set.json", tmp_path / "ours" / "corpus.jsonl"
    run("export", golden, "--corpus", corpus, "--beir", tmp_path / "theirs")
    documents, before = read_beir(collection)
    again, after = read_beir(tmp_path / "theirs")
    assert again == documents
    assert after.questions == before.questions


KEYS = st.sampled_from(["a", "b", "c", "d"])
NEEDS = st.lists(st.lists(KEYS, min_size=1, max_size=3).map(tuple), max_size=4).map(tuple)
LINE = st.text(max_size=12)


@given(NEEDS)
def test_a_rule_says_exactly_what_the_groups_say(needs: tuple[tuple[str, ...], ...]) -> None:
    rule = as_rule(needs)
    if rule is None:
        return
    kind, documents = rule
    for number in range(16):
        found = {key for place, key in enumerate("abcd") if number >> place & 1}
        wanted = all(found.intersection(group) for group in needs)
        assert wanted == (found.issuperset(documents) if kind == "multi" else not found.isdisjoint(documents))


@given(st.lists(st.lists(KEYS, min_size=1, max_size=1).map(tuple), min_size=1, max_size=4).map(tuple))
def test_groups_of_one_always_have_a_rule(needs: tuple[tuple[str, ...], ...]) -> None:
    assert as_rule(needs) is not None


DOCUMENTS = st.lists(st.tuples(KEYS, st.none() | LINE | st.integers(0, 9), LINE, LINE), max_size=5)
QUESTIONS = st.lists(
    st.tuples(LINE, NEEDS, st.none() | LINE | st.integers(0, 9), st.booleans(), st.booleans(), LINE), max_size=6
)


@settings(max_examples=100, deadline=None)
@given(DOCUMENTS, QUESTIONS, st.booleans(), st.none() | st.integers(1, 3))
def test_whatever_is_imported_the_books_balance_and_the_files_are_sound(documents, questions, own, limit) -> None:  # type: ignore[no-untyped-def]
    material = Material(Ledger(), own_corpus=own)
    for place, (key, name, text, title) in enumerate(documents):
        material.ledger.count("documents")
        material.documents.append(DraftDocument(f"d:{place}", key, name, text, title))
    for place, (text, needs, name, none, multi, answer) in enumerate(questions):
        material.ledger.count("questions")
        draft = DraftQuestion(f"q:{place}", text, needs, name, unanswerable=none, declared_multi=multi, answer=answer)
        material.questions.append(draft)
    try:
        result = settle(material, limit)
    except InputError:
        return
    kept = Counter(questions=len(result.questions), documents=len(result.documents))
    assert all(result.ledger.read[thing] == kept[thing] + result.ledger.dropped(thing) for thing in kept)
    with TemporaryDirectory() as folder:
        write(result, markdown(result, "a law"), Path(folder))
        golden, corpus = read_golden(Path(folder, "golden-set.json")), read_corpus(Path(folder, "corpus.jsonl"))
    assert tuple(corpus) == result.documents
    assert golden.questions == tuple(sourced.question for sourced in result.questions)
    assert [finding for finding in check(golden, corpus) if finding.level == "error"] == []


def test_ids_made_from_texts_do_not_change_when_a_source_grows(tmp_path: Path) -> None:
    rows = [{"user_input": f"Question {number}?", "reference_contexts": [f"{LEAVE} {number}"]} for number in range(3)]
    few = settle(read_format("ragas", Request((lines(tmp_path / "few.jsonl", rows[1:]),))))
    many = settle(read_format("ragas", Request((lines(tmp_path / "many.jsonl", rows),))))
    assert [sourced.question for sourced in many.questions][1:] == [sourced.question for sourced in few.questions]


def test_a_golden_set_is_one_entry_a_line_with_its_source(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path / "in")
    run("import", "beir", tmp_path / "in", "--to", tmp_path / "out")
    entries = json.loads((tmp_path / "out" / "golden-set.json").read_text())
    assert [entry["source"] for entry in entries] == ["queries.jsonl:1", "queries.jsonl:2", "queries.jsonl:3"]
    golden = read_golden(tmp_path / "out" / "golden-set.json")
    assert [entry.where.rsplit(":", 1)[1] for entry in golden.entries] == ["2", "3", "4"]


def test_a_file_that_is_wrong_in_every_line_does_not_fill_the_screen(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "corpus.jsonl", [{"no": "text"}] * 60)
    command = [sys.executable, "-m", "eval", "import", "csv", str(corpus), "--corpus", str(corpus), "--to", "out"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert result.returncode == 2
    told = result.stderr.splitlines()
    assert len(told) == 21
    assert told[-1] == "error: and 100 more like these"
