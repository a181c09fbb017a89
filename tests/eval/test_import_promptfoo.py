"""promptfoo's tests: variables, assertions, and what cannot be used."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.errors import InputError
from tests.eval import foreign_sets
from tests.eval.foreign_sets import LEAVE, lines, written
from tests.eval.imported_sets import dropped, imported, questions, rules


def promptfoo_test(question: Any, context: Any = LEAVE, *assertions: dict[str, Any]) -> dict[str, Any]:
    return {"vars": {"question": question, "context": context}, "assert": list(assertions)}


def test_promptfoo_tests_are_read_from_yaml_json_lines_and_tables_alike(tmp_path: Path) -> None:
    row = promptfoo_test("How long?", LEAVE, {"type": "contains", "value": "25 days"})
    quoted = json.dumps([row], indent=1)
    variables = f"{{question: 'How long?', context: '{LEAVE}'}}"
    yaml = f"tests:\n  - vars: {variables}\n    assert: [{{type: contains, value: 25 days}}]\n"
    paths = [
        written(tmp_path / "a.json", json.dumps({"prompts": [], "tests": [row]})),
        written(tmp_path / "b.json", quoted),
        written(tmp_path / "c.yaml", yaml),
        lines(tmp_path / "d.jsonl", [row]),
        written(tmp_path / "e.csv", f"question,context,__expected\nHow long?,{LEAVE},contains: 25 days\n"),
    ]
    results = [questions(imported("promptfoo", path)) for path in paths]
    assert results[0][0].answer == "25 days"
    assert all(result == results[0] for result in results)


def test_promptfoo_takes_the_answer_that_an_assertion_says_and_no_other(tmp_path: Path) -> None:
    rows = [
        promptfoo_test("Rubric?", LEAVE, {"type": "llm-rubric", "value": "is polite"}),
        promptfoo_test("Set?", LEAVE, {"type": "assert-set", "assert": [{"type": "equals", "value": "25"}]}),
        promptfoo_test("Template?", LEAVE, {"type": "factuality", "value": "{{reference}}"}),
        promptfoo_test("Negated?", LEAVE, {"type": "not-contains", "value": "30"}),
    ]
    rows[2]["vars"]["reference"] = "25 days."
    result = imported("promptfoo", lines(tmp_path / "tests.jsonl", rows))
    assert [question.answer for question in questions(result)] == [None, "25", "25 days.", None]


def test_promptfoo_tests_that_cannot_be_used_are_told_with_their_line(tmp_path: Path) -> None:
    content = (
        "defaultTest: {vars: {context: A shared text on leave.}}\n"
        "tests:\n"
        "  - vars: {question: Kept}\n"
        "  - vars: {question: 12}\n"
        "  - vars: {question: 'file://q.txt'}\n"
        "  - file://more.yaml\n"
        "  - vars: {question: A, question: B}\n"
        "  - vars: {question: [A, B]}\n"
        "  - description: nothing else\n"
    )
    path = written(tmp_path / "tests.yaml", content)
    result = imported("promptfoo", path)
    assert [question.text for question in questions(result)] == ["Kept"]
    places = sorted(example.split(": ")[0] for examples in dropped(result).values() for example in examples)
    assert places == [f"{path}:{line}" for line in range(4, 10)]


def test_a_configuration_whose_tests_stand_elsewhere_names_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "promptfooconfig.yaml", "tests: file://tests.csv\n")
    with pytest.raises(InputError, match=r"its tests stand elsewhere; import that file: file://tests\.csv"):
        imported("promptfoo", path)


def test_a_refusal_that_is_wanted_is_a_question_of_type_none(tmp_path: Path) -> None:
    rows = [
        promptfoo_test("How long is sick leave?", LEAVE, {"type": "is-refusal"}),
        promptfoo_test("How long?"),
    ]
    result = imported("promptfoo", lines(tmp_path / "tests.jsonl", rows))
    assert [(question.type, len(question.answer_doc_ids)) for question in questions(result)] == [
        ("none", 0),
        ("single", 1),
    ]
    found = imported("promptfoo", tmp_path / "tests.jsonl", corpus=foreign_sets.corpus(tmp_path))
    assert rules(found) == [("none", ()), ("single", ("leave",))]


def test_broken_yaml_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tests\.yaml:2: cannot be read as YAML") as caught:
        imported("promptfoo", written(tmp_path / "tests.yaml", "tests: [\n"))
    assert len(caught.value.problems) == 1


def test_yaml_that_refers_to_itself_over_and_over_is_read_once(tmp_path: Path) -> None:
    levels = "".join(f"  l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * 9)}]\n" for level in range(1, 30))
    content = f"base:\n  l0: &l0 [x]\n{levels}tests:\n  - vars: {{question: Kept, context: A text on leave}}\n"
    path = written(tmp_path / "tests.yaml", content + "    extra: *l29\n")
    assert [question.text for question in questions(imported("promptfoo", path))] == ["Kept"]
