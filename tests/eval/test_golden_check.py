"""What is wrong or doubtful about a golden set, held against its corpus."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError
from eval.golden.check import check, refusals
from eval.golden.dataset import read_both, to_dataset
from eval.golden.entry import Entry, GoldenSet
from eval.golden.near_duplicates import near_duplicates
from eval.golden.read import read_golden
from eval.records import Document, Question, QuestionType
from eval.sources.finding import Finding

DOCUMENTS = (
    Document("leave", "Annual leave is 25 days.\nIt may be\ncarried over until March."),
    Document("parking", "Parking costes five euro a day.", "Parking"),
    Document("blank", "\ufeff \n"),
    Document("假期", "员工每年享有带薪年假十天。年假可以结转到次年三月。"),
)


def ask(text: str, kind: QuestionType = "single", *docs: str, name: str = "q1", answer: str | None = None) -> Question:
    return Question(name, text, kind, docs, answer)


def golden(*questions: Question) -> GoldenSet:
    entries = (Entry(question, f"g.json:{line}") for line, question in enumerate(questions, start=2))
    return GoldenSet("g.json", tuple(entries))


def levels(findings: list[Finding], about: str) -> list[str]:
    return [f"{found.level} {found.where}" for found in findings if about in found.message]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (ask("How long?", "single"), "q1 is single and lists no document"),
        (ask("How long?", "multi"), "q1 is multi and lists no document"),
        (ask("How long?", "none", "leave"), "q1 is none, yet lists leave"),
        (ask(" \u200b", "single", "leave"), "q1 has a blank question"),
        (ask("How long?", "single", "d9", "leave"), "q1 lists what the corpus does not hold: d9;"),
    ],
)
def test_what_makes_measures_meaningless_is_refused_with_its_line(question: Question, message: str) -> None:
    found = refusals(golden(ask("Fine?", "single", "leave", name="q0"), question), DOCUMENTS)
    assert [(error.level, error.where) for error in found] == [("error", "g.json:3")]
    assert found[0].message.startswith(message)


def test_missing_documents_are_counted_beyond_ten() -> None:
    found = refusals(golden(ask("How?", "multi", *(f"d{number}" for number in range(12)))), DOCUMENTS)
    assert "d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, … (12 in all)" in found[0].message


def test_no_questions_is_an_error() -> None:
    assert [str(error) for error in check(golden(), DOCUMENTS)] == [
        "g.json: holds no question; there is nothing to measure with"
    ]


def test_a_multi_question_with_one_document_is_an_error_of_the_check_and_a_note_of_a_run() -> None:
    questions = golden(ask("How long is leave?", "multi", "leave"))
    assert levels(check(questions, DOCUMENTS), "multi with one document") == ["error g.json:2"]
    assert refusals(questions, DOCUMENTS) == []
    notes = to_dataset("x", DOCUMENTS, questions).notes
    assert "multi questions with a single document, measured as they stand: q1" in notes


def test_blank_documents_stay_and_are_noted() -> None:
    questions = golden(ask("How long is leave?", "single", "leave"))
    one = to_dataset("x", DOCUMENTS, questions)
    assert len(one.documents) == 4
    assert one.notes == ("1 blank document gives no chunks: blank",)
    two = to_dataset("x", (*DOCUMENTS, Document("995", "")), questions)
    assert two.notes == ("2 blank documents give no chunks: blank, 995",)


def test_a_dataset_is_refused_with_all_problems_at_once() -> None:
    with pytest.raises(InputError) as raised:
        to_dataset("x", DOCUMENTS, golden(ask("A?", "single"), ask("B?", "none", "d9", name="q2")))
    assert len(raised.value.problems) == 3


def test_problems_of_corpus_and_questions_are_told_together() -> None:
    def corpus() -> list[Document]:
        raise InputError("corpus: bad")

    read = GoldenSet("g.json", (), (Finding("error", "g.json:2", "bad"), Finding("warning", "g.json:3", "odd")))
    with pytest.raises(InputError) as raised:
        read_both(corpus, lambda: read)
    assert raised.value.problems == ("corpus: bad", "g.json:2: bad")


def enough(multi: int, none: int, total: int) -> list[str]:
    kinds: list[QuestionType] = ["multi"] * multi + ["none"] * none + ["single"] * (total - multi - none)
    docs = {"multi": ("leave", "parking"), "none": (), "single": ("leave",)}
    questions = (ask(f"topic{place} item{place} leave", kind, *docs[kind]) for place, kind in enumerate(kinds))
    return [str(found) for found in check(golden(*questions), DOCUMENTS) if found.where == "g.json"]


def test_twenty_questions_with_three_of_each_kind_are_enough() -> None:
    assert enough(3, 3, 20) == []


def test_too_few_questions_of_a_kind_are_told_with_the_step_of_their_measure() -> None:
    assert enough(2, 0, 19) == [
        "g.json: holds 19 questions; at least 20 are needed, 100 to 200 for a system in use",
        "g.json: 2 of 19 questions are multi, so recall_multi moves in steps of 0.500; have at least 3",
        "g.json: 0 of 19 questions are none, so refusal_rate cannot be measured; have at least 3",
    ]


def test_in_a_large_set_one_in_ten_should_be_of_each_kind() -> None:
    assert enough(12, 12, 120) == []
    assert [line.split(",")[0] for line in enough(11, 4, 120)] == [
        "g.json: 11 of 120 questions are multi",
        "g.json: 4 of 120 questions are none",
    ]


def pairs(*questions: Question) -> list[tuple[int, int]]:
    return near_duplicates(questions)


def test_questions_that_ask_the_same_in_other_words_of_grammar_are_near_duplicates() -> None:
    first = ask("How many days of paid annual leave do employees get?")
    assert pairs(
        first, ask("What about parking?"), ask("How many days of paid annual leave does an employee get?")
    ) == [(2, 0)]
    assert pairs(ask("员工每年有多少天带薪年假？"), ask("请问员工每年有多少天带薪年假？")) == [(1, 0)]


def test_questions_that_differ_in_a_number_or_a_code_are_no_duplicates() -> None:
    asked = "What did the finance department of the Berlin office spend on travel and training in {}?"
    assert pairs(ask(asked.format("2022")), ask(asked.format("2023"))) == []
    assert pairs(ask(asked.format("2022")), ask(asked.format("2022"))) == [(1, 0)]


def test_short_questions_are_told_apart_by_their_words_of_grammar() -> None:
    assert pairs(ask("Who is the CEO?"), ask("Where does the CEO live?"), ask("who is the ceo")) == [(2, 0)]


def test_an_unanswerable_near_miss_is_no_duplicate_but_the_same_question_is() -> None:
    first = ask("Which fruit grows in the garden of the Paris office?", "single", "leave")
    assert pairs(first, ask("Which fruit never grows in the garden of the Paris office?", "none")) == []
    assert pairs(first, ask("Which fruit grows in the garden of the Paris office?", "none")) == [(1, 0)]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=3, max_size=8, unique=True), max_size=12))
@settings(max_examples=100)
def test_no_pair_is_lost_by_comparing_only_those_that_share_a_rare_term(drawn: list[list[str]]) -> None:
    words = [{f"w{letter}rd" for letter in letters} for letters in drawn]
    expected = {
        later
        for earlier, later in combinations(range(len(words)), 2)
        if 5 * len(words[earlier] & words[later]) >= 4 * len(words[earlier] | words[later])
    }
    found = near_duplicates([ask(" ".join(sorted(group))) for group in words])
    assert {later for later, _ in found} == expected


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("What does parking cost on a bicycle per day?", False),  # parking and day stand in one document
        ("Which leave can park?", True),  # leave and parking never meet
        ("Who won the chess cup?", True),  # nothing occurs
        ("What about parking?", False),  # its only content word occurs
        ("Why is that so?", True),  # no content at all
        ("婚假可以结转吗？", True),  # 婚假 stands nowhere, 结转 alone does not meet a second
        ("年假工资怎么结转？", False),  # 年假 and 结转 stand in one document
    ],
)
def test_an_unanswerable_question_needs_a_document_that_holds_two_of_its_words(text: str, warned: bool) -> None:
    found = check(golden(ask(text, "none")), DOCUMENTS)
    assert levels(found, "no document holds two of its words") == (["warning g.json:2"] if warned else [])


@pytest.mark.parametrize(
    ("answer", "docs", "absent"),
    [
        ("25 days", ("leave",), 0),
        ("ANNUAL LEAVE is ２５ days", ("leave",), 0),
        ("it may be carried over", ("leave",), 0),  # across line breaks
        ("25 days.", ("leave",), 0),
        ("26 days", ("leave",), 1),
        ("25 days; five euro", ("leave", "parking"), 0),
        ("25 days；six euro; two", ("leave", "parking"), 2),
        ("十天；次年三月", ("假期",), 0),
        ("25 days", ("parking",), 1),
        (None, ("parking",), 0),
    ],
)
def test_an_answer_that_its_documents_do_not_hold_is_warned_of(
    answer: str | None, docs: tuple[str, ...], absent: int
) -> None:
    found = check(golden(ask("Anything?", "single", *docs, answer=answer)), DOCUMENTS)
    assert levels(found, "has an answer that its documents do not hold") == ["warning g.json:2"] * absent


def test_an_answer_document_that_is_blank_is_warned_of() -> None:
    found = check(golden(ask("Anything?", "single", "leave", "blank")), DOCUMENTS)
    assert levels(found, "lists blank documents, which can never be found: blank") == ["warning g.json:2"]


def test_the_shipped_golden_sets_are_without_errors() -> None:
    from eval.golden.read import read_golden
    from eval.sources.folder import read_folder

    root = Path(__file__).parents[2]
    for corpus, questions in (("en", "golden-set.json"), ("zh", "golden-set-zh.json")):
        documents, read = read_both(
            lambda corpus=corpus: read_folder(root / "corpus" / corpus),
            lambda questions=questions: read_golden(root / "eval" / questions),
        )
        assert [str(found) for found in check(read, documents)] == []


@pytest.mark.parametrize("slip", ["hr/leave.md", "hr\\leave", "hr\\leave.txt"])
def test_a_file_name_in_place_of_an_id_is_answered_with_the_id(tmp_path: Path, slip: str) -> None:
    entry = {"id": "q1", "question": "How long?", "answerDocIds": [slip], "type": "single"}
    (tmp_path / "golden.json").write_text(json.dumps([entry]), encoding="utf-8")
    golden = read_golden(tmp_path / "golden.json")
    told = [finding.message for finding in check(golden, [Document("hr/leave", "25 days")]) if finding.level == "error"]
    assert told[0].endswith("an id is a path without its suffix: hr/leave")
