"""A golden set from its file: every entry with its line, every problem at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.errors import InputError
from eval.golden.read import read_golden
from eval.records import Question


def entry(name: Any = "q1", **changed: Any) -> dict[str, Any]:
    return {"id": name, "question": "How long?", "answerDocIds": ["d1"], "type": "single", **changed}


def written(folder: Path, content: str, name: str = "golden.json") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def listed(folder: Path, *entries: dict[str, Any]) -> Path:
    """A golden set with one entry per line, the first on line 2."""
    return written(folder, "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n")


def found(path: Path) -> list[str]:
    """The findings, each from its line number on."""
    return [str(finding).removeprefix(f"{path}:") for finding in read_golden(path).findings]


def test_an_entry_becomes_a_question_with_its_line(tmp_path: Path) -> None:
    full = entry("q2", type="multi", answerDocIds=["d1", "d2"], answer="ten", tags=["hr"], source="ticket")
    read = read_golden(listed(tmp_path, entry(), full))
    assert read.questions == (
        Question("q1", "How long?", "single", ("d1",)),
        Question("q2", "How long?", "multi", ("d1", "d2"), "ten", ("hr",)),
    )
    assert [item.where for item in read.entries] == [f"{tmp_path / 'golden.json'}:{line}" for line in (2, 3)]
    assert read.findings == ()


def test_lines_are_those_of_the_file_however_it_is_laid_out(tmp_path: Path) -> None:
    path = written(tmp_path, "\n\n" + json.dumps([entry("q1"), entry("q2"), entry("q3")], indent=2))
    assert [item.where.rsplit(":", 1)[1] for item in read_golden(path).entries] == ["4", "12", "20"]


def test_json_lines_hold_the_same_entries(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(entry("q1")) + "\n\n" + json.dumps(entry("q2")) + "\n", "golden.jsonl")
    assert [(item.question.id, item.where) for item in read_golden(path).entries] == [
        ("q1", f"{path}:1"),
        ("q2", f"{path}:3"),
    ]


def test_a_byte_order_mark_and_carriage_returns_change_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff[\r\n" + json.dumps(entry()) + "\r\n]")
    assert read_golden(path).entries[0].where == f"{path}:2"


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"id": 7}, 'id must be text (got 7); write it in quotes, like "7"'),
        ({"id": " "}, "id must not be blank"),
        ({"question": None}, "question must be text (got None)"),
        ({"answerDocIds": "d1"}, "answerDocIds must be a list of document ids, like [\"doc-001\"] (got 'd1')"),
        ({"answerDocIds": None}, "answerDocIds must be a list"),
        ({"answerDocIds": ["d1", 7]}, 'answerDocIds must be text (got 7); write it in quotes, like "7"'),
        ({"answerDocIds": [True]}, "answerDocIds must be text (got True)"),
        ({"type": "double"}, "type must be one of single, multi, none (got 'double')"),
        ({"type": []}, "type must be one of"),
        ({"answer": 10}, "answer must be text (got 10)"),
        ({"tags": "hr"}, "tags must be a list of texts"),
        ({"source": {}}, "source must be text"),
        ({"docs": ["d1"]}, "key 'docs' is not known; known are id, question, answerDocIds, type, answer, tags, source"),
    ],
)
def test_an_entry_that_breaks_a_rule_is_told_with_the_rule(tmp_path: Path, changed: dict[str, Any], rule: str) -> None:
    path = listed(tmp_path, entry("q0"), {**entry("q1"), **changed})
    told = found(path)
    assert len(told) == 1
    assert told[0].startswith("3: ")
    assert rule in told[0]
    assert [question.id for question in read_golden(path).questions] == ["q0"]


@pytest.mark.parametrize("key", ["id", "question", "answerDocIds", "type"])
def test_a_missing_key_is_told(tmp_path: Path, key: str) -> None:
    lacking = {name: value for name, value in entry().items() if name != key}
    assert found(listed(tmp_path, lacking)) == [
        f"2: key {key!r} is missing; an entry has id, question, answerDocIds, type"
    ]


def test_all_problems_of_all_entries_are_told(tmp_path: Path) -> None:
    path = listed(tmp_path, entry(1, type="x"), entry("ok"), {"id": "q3"})
    assert [line.split(":")[0] for line in found(path)] == ["2", "2", "4", "4", "4"]


def test_a_repeated_id_is_told_with_both_lines(tmp_path: Path) -> None:
    path = listed(tmp_path, entry("q1"), entry("q2"), entry("q1"))
    assert found(path) == [f"4: id 'q1' is taken by {path}:2; give each its own"]


def test_a_repeated_document_counts_once_with_a_warning(tmp_path: Path) -> None:
    read = read_golden(listed(tmp_path, entry(answerDocIds=["d1", "d2", "d1"])))
    assert read.questions[0].answer_doc_ids == ("d1", "d2")
    assert [(warning.level, warning.message) for warning in read.findings] == [
        ("warning", "q1 lists d1 twice; it counts once")
    ]


def test_a_repeated_key_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, '[\n{"id": "a", "id": "b", "question": "x", "answerDocIds": ["d"], "type": "single"}]')
    assert found(path) == ["2: key 'id' stands twice in one object; keep one"]


def test_every_element_that_is_no_object_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, f'[\n[],\n{json.dumps(entry())},\n"q2", null, 3\n]')
    assert [line.split(":")[0] for line in found(path)] == ["2", "4", "4", "4"]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("", "1: cannot be read from column 1"),
        ("\n\n{}", "3: cannot be read from column 1 on: a list in [] is expected"),
        ("[\n{},\n]", "3: cannot be read from column 1"),
        ("[\n{}\n  {}]", "3: cannot be read from column 3 on: a comma or the end of the list is expected"),
        ("[\n{}\n", "3: cannot be read from column 1 on: a comma"),
        ("[\n] x", "2: cannot be read from column 3 on: nothing may follow the list"),
        ('[\n{"id": "q1",}]', "2: cannot be read from column 1"),
        ("[\n{'id': 1}]", "2: cannot be read from column 2"),
    ],
)
def test_a_slip_in_the_syntax_is_told_with_line_and_column(tmp_path: Path, content: str, place: str) -> None:
    assert found(written(tmp_path, content))[0].startswith(place)


def test_an_empty_list_is_read_as_no_questions(tmp_path: Path) -> None:
    read = read_golden(written(tmp_path, "[\n]"))
    assert (read.entries, read.findings) == ((), ())


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_golden(tmp_path / "nowhere.json")
