"""The file that people fill in: what is read from it, and what is told of one with slips."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.errors import InputError
from eval.labels.answers import answers_of
from eval.labels.file import read_labels, to_text
from eval.labels.items import QUESTION, QUESTIONS, Labels, hash_of, make_item, question_for
from eval.labels.sample import sample
from eval.labels.visible import visible
from tests.eval.labels_data import a_report, answered


def drawn(number: int = 3) -> Labels:
    report = a_report([answered(each, "-" if each % 2 else "+") for each in range(number)])
    return sample(None, answers_of(report, "it")).labels


def edited(path: Path, change: Any) -> Path:
    """A file in which somebody typed."""
    data = json.loads(to_text(drawn()))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_file_is_read_as_it_was_written_and_a_second_writing_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    labels = drawn()
    path.write_text(to_text(labels), encoding="utf-8")
    assert read_labels(path) == labels
    assert to_text(read_labels(path)) == path.read_text(encoding="utf-8")


def test_the_judges_view_stands_at_the_end_of_the_file_and_nowhere_before() -> None:
    text = to_text(drawn())
    data = json.loads(text)
    assert list(data) == ["format", "label", "dataset", "question", "items", "judged"]
    before, after = text.split('"judged":')
    assert "because" not in before
    assert "faithfulness" not in before
    assert "because -" in after
    (item,) = [item for item in data["items"] if item["id"] == "q01"]
    assert item == {
        "id": "q01",
        "question": "What is 1?",
        "material": "The number 1.",
        "answer": "It is 1. It is no other.",
        "answer_hash": hash_of("What is 1?", "The number 1.", "It is 1. It is no other."),
        "sentences": ["1. It is 1.", "2. It is no other."],
        "label": None,
        "note": "",
    }
    assert data["judged"][item["answer_hash"]]["lexical"] == {
        "unsupported": True,
        "faithfulness": 0.0,
        "statements": [{"text": "Fact -.", "verdict": "unsupported", "reason": "because -"}],
    }


@pytest.mark.parametrize(
    ("typed", "label"), [("yes", "yes"), (" No ", "no"), ("SKIP", "skip"), ("", None), (None, None)]
)
def test_a_label_may_be_typed_with_capitals_and_blanks(tmp_path: Path, typed: Any, label: Any) -> None:
    path = edited(tmp_path / "labels.json", lambda data: data["items"][1].update(label=typed))
    assert read_labels(path).items[1].label == label


def test_every_slip_is_told_with_its_question(tmp_path: Path) -> None:
    def slip(data: dict[str, Any]) -> None:
        data["items"][0].update(label="maybe")
        data["items"][1].update(lable="yes")
        data["items"][2].update(label=True)
        del data["dataset"]

    with pytest.raises(InputError) as caught:
        read_labels(edited(tmp_path / "labels.json", slip))
    first, second, third = (item.id for item in drawn().items)
    told = [problem.removeprefix(f"{tmp_path}/labels.json: ") for problem in caught.value.problems]
    assert f"items.0.label ({first}): must be yes, no, skip or null (got 'maybe')" in told
    assert any(problem.startswith(f"items.1.lable ({second}): ") for problem in told)
    assert f"items.2.label ({third}): must be yes, no, skip or null (got True)" in told
    assert any(problem.startswith("dataset: ") for problem in told)


def test_an_answer_that_was_edited_is_told_as_is_one_that_stands_twice(tmp_path: Path) -> None:
    def edit(data: dict[str, Any]) -> None:
        data["items"][0]["answer"] += "!"
        data["items"].append(data["items"][1])

    with pytest.raises(InputError) as caught:
        read_labels(edited(tmp_path / "labels.json", edit))
    assert [problem.split(": ", 1)[1] for problem in caught.value.problems] == [
        f"{drawn().items[0].id}: question, material or answer is not what it was when its hash was made; "
        "put it back, or delete the item",
        f"{drawn().items[1].id}: the same answer stands 2 times; keep one of them",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[1]", "holds no JSON object"),
        ("{", "is no JSON: "),
        ('{"format": 2}', "this version reads format 1 (got 2)"),
        ("{}", "this version reads format 1 (got None)"),
    ],
)
def test_another_file_is_told_as_such(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "labels.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_labels(path)
    assert told in str(caught.value)


def test_people_are_asked_in_chinese_too_where_the_data_is_chinese() -> None:
    assert question_for("年假有几天？") == QUESTIONS[1] == f"{QUESTION} 答案里有没有材料中没有的内容？"
    assert question_for("How many days?") == QUESTION


def test_the_same_answer_to_other_material_is_another_thing_to_label() -> None:
    assert make_item("q", "a?", "m", "x").answer_hash != make_item("q", "a?", "n", "x").answer_hash
    assert make_item("q", "a?", "m", "x").answer_hash == make_item("p", "a?", "m", "x").answer_hash


def test_opinions_are_kept_by_judge_and_only_for_items() -> None:
    labels = drawn()
    item = labels.items[0]
    opinion = labels.opinion(item, "lexical")
    assert opinion is not None
    both = labels.with_opinions("llm", {item.answer_hash: replace(opinion, unsupported=True), "other": opinion})
    assert set(both.judged[item.answer_hash]) == {"lexical", "llm"}
    assert "other" not in both.judged
    assert both.opinion(item, "lexical") == opinion


def test_what_would_steer_a_terminal_is_shown() -> None:
    assert visible("a\x1b[2Jb\r\nc\td") == "a\\x1b[2Jb\nc\td"
    assert visible("\x9b31m \u202egnp.exe\u2069 \r \x7f \ud800") == "\\x9b31m \\u202egnp.exe\\u2069 \\x0d \\x7f \\ud800"
    assert visible("年假 👍🏽 – naïve") == "年假 👍🏽 – naïve"


@given(st.text())
def test_nothing_that_is_shown_steers_a_terminal(text: str) -> None:
    assert not {unicodedata.category(sign) for sign in visible(text) if sign not in "\n\t"} & {"Cc", "Cs", "Zl", "Zp"}
    assert {unicodedata.bidirectional(sign) for sign in visible(text)}.isdisjoint({"RLO", "LRO", "RLE", "RLI"})


def test_a_question_that_was_turned_round_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(to_text(Labels("tiny", question="Is everything in the material?")), encoding="utf-8")
    with pytest.raises(InputError, match="question was changed"):
        read_labels(path)
