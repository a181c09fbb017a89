"""Reasons that an import gives: each says what happened, and nothing else is said to have happened."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.importing.ledger import UnusableError
from eval.importing.reading.values import optional_text
from tests.eval import foreign_sets
from tests.eval.foreign_sets import LEAVE, hotpot_row, lines, squad_article, written
from tests.eval.imported_sets import changed, dropped, imported, questions, rules


def squad_file(folder: Path, *asked: dict[str, Any]) -> Path:
    kept = {"id": "k", "question": "Kept?", "answers": [{"text": "25 days"}], "is_impossible": False}
    article = squad_article("T", (LEAVE, [kept, *({"id": "a", "question": "Q?", **each} for each in asked)]))
    return written(folder / "dev.json", json.dumps({"data": [article]}))


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"is_impossible": True, "answers": [{"text": "25"}]}, "is said to be impossible, yet has an answer"),
        ({"is_impossible": "true", "answers": []}, "is_impossible is neither true nor false"),
    ],
)
def test_a_squad_question_that_contradicts_itself_is_dropped(
    asked: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    result = imported("squad", squad_file(tmp_path, asked))
    assert [question.id for question in questions(result)] == ["k"]
    assert list(dropped(result)) == [reason]


def test_a_squad_question_without_its_answer_is_kept_and_told(tmp_path: Path) -> None:
    result = imported("squad", squad_file(tmp_path, {"is_impossible": False, "answers": []}))
    assert rules(result)[1] == ("single", ("T/001",))
    assert list(changed(result)) == ["kept on the word of is_impossible alone: no answer stands there"]


def test_a_second_document_of_a_name_is_numbered_and_not_called_unfit_for_an_id(tmp_path: Path) -> None:
    other = hotpot_row(_id="h2", question="And otherwise?", context=[["Parking", ["New."]], ["Can\tteen", ["Soup."]]])
    other["supporting_facts"] = [["Parking", 0], ["Can\tteen", 0]]
    result = imported("hotpotqa", lines(tmp_path / "a.jsonl", [hotpot_row(), other]))
    told = changed(result)
    numbered = told["numbered, as the name is that of one before it, and an id names one thing"]
    renamed = told["renamed, as an id is text in normal form C without control characters"]
    assert numbered == [f"{tmp_path}/a.jsonl:2: 'Parking' is now 'Parking (2)'"]
    assert renamed == [f"{tmp_path}/a.jsonl:2: 'Can\\tteen' is now 'Can teen'"]


def test_judgements_of_dropped_questions_are_not_counted_as_kept(tmp_path: Path) -> None:
    foreign_sets.beir(tmp_path)
    rows = [{"_id": "q1", "text": " "}, {"_id": "q2", "text": "Kept?"}, {"_id": "q2", "text": "Taken?"}]
    lines(tmp_path / "queries.jsonl", rows)
    result = imported("beir", tmp_path)
    assert [question.id for question in questions(result)] == ["q2"]
    assert (result.ledger.read["judgements"], result.ledger.dropped("judgements")) == (3, 1)
    assert dropped(result)["its question was dropped"] == [f"{tmp_path}/qrels/test.tsv:2: q1"]


def test_passages_that_lie_in_one_document_conclude_no_several_documents(tmp_path: Path) -> None:
    row = {"user_input": "Q?", "reference_contexts": ["Annual leave", "in March"], "reference": "x"}
    result = imported("ragas", lines(tmp_path / "a.jsonl", [row]), corpus=foreign_sets.corpus(tmp_path))
    assert rules(result) == [("single", ("leave",))]
    assert list(changed(result)) == ["type concluded: one document holds all of its passages"]


def test_an_answer_that_is_no_finite_number_is_told_and_never_written_as_one(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        '{"user_input": "Kept?", "reference_contexts": ["a"], "reference": 7.5}\n'
        '{"user_input": "Q?", "reference_contexts": ["x"], "reference": 1e999}\n',
    )
    result = imported("ragas", path)
    assert [question.answer for question in questions(result)] == ["7.5"]
    assert list(dropped(result)) == ["reference or ground_truth or ground_truths is no finite number; write a text"]
    assert optional_text({"a": float("nan")}, "a") == ""
    with pytest.raises(UnusableError):
        optional_text({"a": [float("-inf")]}, "a")


def test_many_documents_of_one_name_are_numbered_without_counting_anew(tmp_path: Path) -> None:
    rows = [hotpot_row(_id=f"h{n}", question=f"Q{n}?", context=[["T", [f"Text {n}."]]], supporting_facts=[["T", 0]])
            for n in range(3000)]  # fmt: skip
    result = imported("hotpotqa", lines(tmp_path / "a.jsonl", rows))
    assert [document.id for document in result.documents] == ["T", *(f"T ({n})" for n in range(2, 3001))]
