"""Full refusals, partial ones and answers in nine languages, as a table: ``refusal_cases.tsv``.

``pytest tests/eval/test_refusal_kinds.py -k precision -s -n 0`` prints precision and recall per language.
"""

# ruff: noqa: T201 - the table is printed on demand

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from eval.judges.measure import read_rows
from eval.refusal_wording.sentences import REFUSALS
from eval.refusals import is_refusal, refusal_kind
from eval.text.sentences import sentences


@dataclass(frozen=True)
class Case:
    """An answer, and what it is."""

    round: str
    language: str
    kind: str
    answer: str


def cases() -> list[Case]:
    lines = (Path(__file__).parent / "refusal_cases.tsv").read_text(encoding="utf-8").splitlines()
    return [Case(*line.split("\t")) for line in lines if not line.startswith("#")]


CASES = cases()
LANGUAGES = ("en", "zh", "de", "fr", "es", "ja", "pt", "it", "nl")
MISREAD = {
    # an implication, without a word of refusing
    "The question asks about 2023 revenue, but the context only covers 2021.",
    # a word of its own between the article and the noun for the sources
    "It was not possible to establish the cause from the report excerpts.",
    # what leaves is told by the last three words alone
    "No information about patients leaves the clinic.",
}


def precision_and_recall(found: list[Case]) -> tuple[float, float]:
    """Of full refusals: right among those called so, and called so among those that are."""
    called = [case for case in found if is_refusal(case.answer)]
    right = sum(case.kind == "full" for case in called)
    return right / len(called), right / sum(case.kind == "full" for case in found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer)
def test_each_answer_is_read_as_what_it_is_but_for_three_known_ones(case: Case) -> None:
    assert (refusal_kind(case.answer) == case.kind) == (case.answer not in MISREAD)


def test_the_table_has_every_kind_in_every_language() -> None:
    counted = Counter((case.language, case.kind) for case in CASES)
    assert {language for language, _ in counted} == set(LANGUAGES)
    assert all(counted[language, kind] >= 3 for language in LANGUAGES for kind in ("full", "partial", "none"))
    assert len({case.answer for case in CASES}) == len(CASES) >= 400


def test_precision_and_recall_of_full_refusals_per_language() -> None:
    for language in LANGUAGES:
        found = [case for case in CASES if case.language == language]
        precision, recall = precision_and_recall(found)
        print(f"{language}  {len(found):4} answers  precision {precision:.2f}  recall {recall:.2f}")
        assert precision >= 0.95
        assert recall >= 0.95


@pytest.mark.parametrize("answer", REFUSALS.values())
def test_the_sentences_of_the_own_generators_are_full_refusals(answer: str) -> None:
    assert refusal_kind(answer) == "full"
    assert refusal_kind(f"{answer} [1]") == "full"


@pytest.mark.parametrize("answer", ["", "   \n", "...", "[1]"])
def test_a_blank_answer_counts_as_a_full_refusal(answer: str) -> None:
    assert refusal_kind(answer) == "full"


def test_a_heading_in_lenticular_brackets_is_no_citation() -> None:
    assert refusal_kind("【同命不同价】") == "none"
    assert refusal_kind("资料中没有提到停车费【来源：员工手册】【1】【4†source】") == "full"


@pytest.mark.parametrize(
    "piece", ["the documents ", "is ", "ich nicht ", "no information is ", "je n'ai ", "资料中没有"]
)
def test_endless_answers_are_read_in_time(piece: str) -> None:
    assert refusal_kind(piece * 20_000) == "none"


def test_hardly_a_sentence_of_real_documents_is_taken_for_a_refusal(shared_data: Path) -> None:
    folder = shared_data / "faithfulness"
    contexts = {row.context for name in ("mtrag_human", "uhgeval_zh") for row in read_rows(folder / f"{name}.jsonl")}
    spoken = [text for context in sorted(contexts) for text in sentences(context) if re.search(r"[^\W_]{2}", text)]
    assert sum(is_refusal(text) for text in spoken) / len(spoken) < 0.001


def test_real_replies_to_unanswerable_questions_are_told_apart(shared_data: Path) -> None:
    rows = read_rows(shared_data / "faithfulness" / "mtrag_human.jsonl")
    kinds = Counter(refusal_kind(row.answer) for row in rows)
    # counted by reading: ten replies do nothing but refuse, fourteen refuse one thing and tell another
    assert (kinds["full"], kinds["partial"]) == (10, 14)


IMPERSONAL = (
    "Based on the given context, it is not possible to determine the price.",
    "It's not possible to answer this question based on the provided context.",
    "It cannot be determined who approves leave.",
    "Cannot be answered.",
    "Information not available.",
    "The documents give no price.",
    "The handbook is silent on this.",
    "The handbook leaves this open.",
    "This is beyond what the documents cover.",
    "I documenti non riportano il prezzo.",
    "未说明。",
    "资料未规定。",
    "依据提供的文件，无法得知该价格。",
)
LABELLED = (
    "Answer: I do not know.",
    "**Answer:** Not mentioned in the documents.",
    "### Answer\n\nI do not know.",
    "答案：资料中没有提到。",
    "**结论**\n\n资料中没有提到。",
)
TRADITIONAL = ("無法回答此問題。", "資料中沒有提到票價。", "依據提供的文件，無法得知該價格。", "抱歉，我不知道。")

# The noun that elsewhere means the sources is a thing here; or the wording is quoted, or holds under a condition.
ORDINARY = (
    "无需提供资料。",
    "信息不足时应补充材料。",
    "找不到钥匙时请联系前台。",
    "We have no information security officer.",
    "The file does not contain any personal information.",
    "The passage does not provide access to the garden.",
    'The system replies "I don\'t know" to unknown callers.',
    "系统会回复“资料中没有提到”。",
    "「無法回答」這句話寫在牆上。",
    "I do not know is not an accepted reply.",
    "Answers are not found in the appendix but in chapter 2.",
    "It is not possible to determine the winner until all votes are counted.",
    "The guide does not mention prices on purpose.",
    "Answer: No.",
)
PARTIAL = (
    "Leave is 20 days; however, the handbook does not mention sabbaticals.",
    "Der Preis beträgt 40 Euro, die Frist wird aber nicht genannt.",
    "Based on the documents, it is not possible to say when, but the fee is 40 euro.",
    "Based on the documents, the fee is 40 euro, and it is not possible to determine who pays.",
)


@pytest.mark.parametrize("answer", [*IMPERSONAL, *LABELLED, *TRADITIONAL])
def test_a_refusal_is_seen_without_a_person_behind_a_label_and_in_traditional_script(answer: str) -> None:
    assert refusal_kind(answer) == "full"


@pytest.mark.parametrize("answer", ORDINARY)
def test_a_claim_about_a_file_a_passage_or_some_information_is_no_refusal(answer: str) -> None:
    assert refusal_kind(answer) == "none"


@pytest.mark.parametrize("answer", PARTIAL)
def test_what_refuses_beside_a_claim_in_one_sentence_is_partial(answer: str) -> None:
    assert refusal_kind(answer) == "partial"


@pytest.mark.parametrize(
    "answer", ['The documents do not mention "parking".', "资料中没有提到“停车费”。", '"I don\'t know."']
)
def test_a_refusal_that_quotes_or_is_quoted_as_a_whole_stays_one(answer: str) -> None:
    assert refusal_kind(answer) == "full"
