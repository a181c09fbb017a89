"""What judges do alike: cutting an answer into statements, and how relevant it is to its question."""

import math

import pytest

from eval.judges.lexical import LexicalJudge
from eval.judges.statements import claims_nothing, may_claim_nothing, relevancy, statements_of
from eval.records import Judgement
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


def test_the_head_of_a_table_is_one_statement_with_the_line_under_it() -> None:
    table = "| Item | Cost |\n|---|---|\n| Day | 40 |"
    assert statements_of(table) == ["| Item | Cost |\n|---|---|", "| Day | 40 |"]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("| Item | Cost |\n|---|---|", "heads a table"),
        ("Sources: [1], [2]", "names its sources"),
        ("参考资料：handbook.md", "names its sources"),
        ("Answer:", "no content words"),
        ("Source: " + "a b " * 9, ""),
        ("Source: " + "a" * 50_000 + "!", ""),
    ],
)
def test_what_stands_around_claims_is_none(statement: str, reason: str) -> None:
    assert claims_nothing(statement, "", Analyzer()) == reason


@pytest.mark.parametrize("statement", ["## Fees and times", "**结论**", "**Opening times:**", "__Notes__"])
def test_a_short_marked_line_is_a_heading_where_it_is_not_supported(statement: str) -> None:
    assert may_claim_nothing(statement)


@pytest.mark.parametrize("statement", ["**It costs 40.**", "## Open until 5", "Notes", "**It is free of charge.**"])
def test_a_marked_sentence_or_figure_is_a_claim(statement: str) -> None:
    assert not may_claim_nothing(statement)


def test_relevancy_is_the_ochiai_coefficient_of_content_terms() -> None:
    # question {park, fee}, answer {park, fee, 40, euro}: 2 / sqrt(2 · 4)
    found = relevancy("What is the parking fee?", "The parking fee is 40 euro. [1]", Analyzer())
    assert found == pytest.approx(2 / math.sqrt(8))


def test_relevancy_of_a_question_without_content_is_zero() -> None:
    assert relevancy("What is it?", "The parking fee is 40 euro.", Analyzer()) == 0.0


CONTEXT = (
    "The parking fee is 40 euro per day. Visitors pay at the gate. Dogs are allowed in the garden. "
    "公司员工每年享有十天年假。年假可以结转五天。"
)
LAID_OUT = (
    "## Summary\n\nDogs are allowed in the garden.",
    "**Rules for dogs**\n\nDogs are allowed in the garden.",
    "**结论**\n\n年假可以结转五天。",
    "Dogs are allowed in the garden.\n\nSources: [1], [2]",
    "Dogs are allowed in the garden.\n\nSource: doc-001.md",
    "年假可以结转五天。\n\n来源：handbook.md",
    "| Item | Cost |\n|---|---|\n| parking fee per day | 40 euro |",
    "Dogs are allowed in the garden [doc-001#c3].",
    "Dogs are allowed in the garden (1).",
    "Dogs are allowed in the garden.¹",
    "Dogs are allowed in the garden^[2].",
    "Dogs are allowed in the garden (source: House rules, section 7).",
    "Dogs are allowed in the garden (see [2]).",
    "Step 1: Visitors pay at the gate.\nStep 2: Dogs are allowed in the garden.",
    "第一步：年假可以结转五天。",
    "Answer: Dogs are allowed in the garden.",
    "**Short answer:** Dogs are allowed in the garden.",
    "答案：年假可以结转五天。",
)


def faithfulness(answer: str) -> float:
    judgement = LexicalJudge().judge("", CONTEXT, answer)
    assert isinstance(judgement, Judgement)
    return judgement.faithfulness


@pytest.mark.parametrize("answer", LAID_OUT)
def test_layout_labels_and_citations_around_a_true_statement_change_nothing(answer: str) -> None:
    assert faithfulness(answer) == 1.0


@pytest.mark.parametrize(
    "answer",
    [
        "**The pool opens at 7.**\n\nDogs are allowed in the garden.",
        "**Swimming pools are open to guests all year round**\n\nDogs are allowed in the garden.",
        "Dogs are allowed in the garden.\n\nSource: penguins breed there in winter and nobody ever saw them leave it.",
        "Answer: Penguins breed in winter.",
        "Dogs are allowed in the garden (3 of them at once).",
        "| Item | Cost |\n|---|---|\n| parking fee per day | 45 euro |",
    ],
)
def test_an_invention_in_bold_behind_a_label_or_in_a_table_stays_one(answer: str) -> None:
    assert faithfulness(answer) < 1.0


def test_a_heading_that_is_all_of_an_answer_scores_zero() -> None:
    assert faithfulness("**Berlin**") == 0.0
