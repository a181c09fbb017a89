"""What judges do alike: cutting an answer into statements, and how relevant it is to its question."""

import math

import pytest

from eval.judges.statements import relevancy, statements_of
from eval.text.analyzer import Analyzer


def test_statements_are_the_sentences_verbatim_and_numbered_items_stay_whole() -> None:
    answer = "Two rules:\n1. Pay at the gate.[1]\n2. Leash your dog. [2]"
    assert statements_of(answer) == ["Two rules:", "1. Pay at the gate.[1]", "2. Leash your dog. [2]"]


@pytest.mark.parametrize(
    ("answer", "pieces"),
    [
        (
            "The causes are: 1. Radiation 2. Infection 3. Drugs",
            ["The causes are:", "1. Radiation", "2. Infection", "3. Drugs"],
        ),
        ("It has 12. That is all.", ["It has 12.", "That is all."]),
        ("We met in room 2. Then we left.", ["We met in room 2.", "Then we left."]),
        ("Only 1. This.", ["Only 1.", "This."]),
    ],
)
def test_items_counted_in_one_line_are_told_from_numbers_that_end_a_sentence(answer: str, pieces: list[str]) -> None:
    assert statements_of(answer) == pieces


def test_relevancy_is_the_ochiai_coefficient_of_content_terms() -> None:
    # question {park, fee}, answer {park, fee, 40, euro}: 2 / sqrt(2 · 4)
    found = relevancy("What is the parking fee?", "The parking fee is 40 euro. [1]", Analyzer())
    assert found == pytest.approx(2 / math.sqrt(8))


def test_relevancy_of_a_question_without_content_is_zero() -> None:
    assert relevancy("What is it?", "The parking fee is 40 euro.", Analyzer()) == 0.0
