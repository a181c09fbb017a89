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
    # what leaves is told by the last three words alone
    "No information about patients leaves the clinic.",
    # two main clauses with nothing but a comma between them
    "Die Kaution beträgt 200 Euro, die Rückzahlung wird im Text nicht beschrieben.",
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
