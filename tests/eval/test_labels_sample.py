"""Which answers of a run people are asked about."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.errors import InputError
from eval.labels.answers import Answers, answers_of
from eval.labels.items import Labels
from eval.labels.sample import sample
from tests.eval.labels_data import a_report, answered, refused, unscored


def many(count: int = 44, **prints: str) -> Answers:
    """Three of four supported; types and hits in turn; with refusals and unscored ones among them."""
    questions = [
        answered(
            number,
            "+" if number % 4 else "-",
            type=("single", "multi", "none")[number % 3],
            hit=None if number % 3 == 2 else number % 5 > 0,
        )
        for number in range(count)
    ]
    return answers_of(a_report([*questions, *map(refused, range(80, 90)), unscored(95)], **prints), "it")


def kinds(labels: Labels, answers: Answers) -> Counter[Any]:
    found = {each.item.key: each for each in answers.candidates}
    return Counter((found[i.key].opinion.unsupported, found[i.key].type, found[i.key].hit) for i in labels.items)


def test_every_kind_is_drawn_and_half_of_them_where_the_judge_found_something() -> None:
    answers = many()
    found = kinds(sample(None, answers, 10).labels, answers)
    assert found.total() == 10
    assert sum(count for (unsupported, _, _), count in found.items() if unsupported) == 5
    for unsupported in (True, False):
        assert {(type_, hit) for half, type_, hit in found if half == unsupported} == {
            ("single", True),
            ("single", False),
            ("multi", True),
            ("multi", False),
            ("none", None),
        }


def test_the_same_run_gives_the_same_answers_and_another_run_others() -> None:
    first, again, other = (sample(None, many(**prints), 6).labels for prints in ({}, {}, {"corpus": "d"}))
    assert first == again
    assert {item.id for item in first.items} != {item.id for item in other.items}


def test_refusals_and_unscored_answers_are_not_asked_about_and_are_counted() -> None:
    answers = many()
    assert dict(answers.left_out) == {"refusals": 10, "unscored": 1}
    everything = sample(None, answers, 1000)
    assert (everything.added, everything.open) == (44, 44)
    assert {item.id for item in everything.labels.items} == {f"q{number:02}" for number in range(44)}


@pytest.mark.parametrize("answer", [None, "", " \n"])
def test_nothing_is_asked_about_a_question_without_an_answer(answer: str | None) -> None:
    answers = answers_of(a_report([answered(1, answer=answer), answered(2)]), "it")
    assert [item.id for item in sample(None, answers).labels.items] == ["q02"]
    assert dict(answers.left_out) == {"without an answer": 1}


def test_an_answer_from_nothing_is_asked_about() -> None:
    (item,) = sample(None, answers_of(a_report([answered(1, "-", material="")]), "it")).labels.items
    assert item.material == ""


def test_sampling_again_keeps_labels_and_fills_up_with_answers_that_wait() -> None:
    answers = many()
    first = sample(None, answers, 4)
    assert sample(first.labels, answers, 4) == type(first)(first.labels, 0, 4)
    labelled = first.labels.with_item(first.labels.items[0].labelled("yes", "the fee"))
    again = sample(labelled, answers, 4)
    assert (again.added, again.open) == (1, 4)
    assert again.labels.items[:4] == labelled.items
    assert sample(labelled, answers, 10).labels.items[0].note == "the fee"


def test_labels_of_other_answers_stay_and_do_not_count_as_waiting() -> None:
    before = sample(None, answers_of(a_report([answered(1), answered(2)]), "it"), 2).labels
    before = before.with_item(before.items[0].labelled("no", ""))
    changed = answers_of(a_report([answered(number, answer="Another.") for number in (1, 2)]), "it")
    after = sample(before, changed, 2)
    assert (after.added, after.open) == (2, 2)
    assert after.labels.items[:2] == before.items
    assert len({item.answer_hash for item in after.labels.items}) == 4


@pytest.mark.parametrize(
    ("verdicts", "unsupported"),
    [("+", False), ("++-", True), ("+?", False), ("?", True), ("", True), ("-", True)],
)
def test_a_judge_finds_an_answer_unsupported_by_any_statement_or_by_none_to_decide(
    verdicts: str, unsupported: bool
) -> None:
    (opinion,) = answers_of(a_report([answered(1, verdicts)]), "it").opinions.values()
    assert opinion.unsupported == unsupported


def test_a_refusal_holds_nothing_against_itself() -> None:
    (opinion,) = answers_of(a_report([refused(1)]), "it").opinions.values()
    assert (opinion.unsupported, opinion.faithfulness) == (False, 1.0)


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ({"checksum": "x"}, "the run: it holds no texts of answers"),
        (a_report([answered(1, judgement=None)]), "the run: no answer in it was judged"),
        (a_report([answered(1, material=None)]), "the run: its report holds no material to check answers against"),
        (a_report([{"id": "q1"}]), "the run is no report of a run: questions.0.question: Field required"),
        ({}, "the run is no report of a run: run: Field required; fingerprints: Field required"),
    ],
)
def test_a_run_whose_answers_cannot_be_labelled_is_told_with_the_remedy(report: Any, told: str) -> None:
    with pytest.raises(InputError) as caught:
        sample(None, answers_of(report, "the run"))
    assert str(caught.value).startswith(told)


def test_older_reports_lack_the_key_and_are_told_to_be_measured_again() -> None:
    question = answered(1)
    del question["material"]
    with pytest.raises(InputError, match="measure it again"):
        sample(None, answers_of(a_report([question]), "the run"))


def test_wrong_numbers_and_labels_of_other_data_are_refused() -> None:
    answers = many()
    with pytest.raises(InputError, match=r"--n must be at least 1 \(got 0\)"):
        sample(None, answers, 0)
    with pytest.raises(InputError, match="the labels are about elsewhere, the run is of handbook-en"):
        sample(Labels("elsewhere"), answers)


@given(st.lists(st.tuples(st.sampled_from(["+", "-"]), st.sampled_from(["single", "multi"]), st.booleans())), st.data())
def test_any_sample_is_whole_has_nothing_twice_and_balances_what_it_can(made: list[Any], data: st.DataObject) -> None:
    questions = [answered(n, verdict, type=kind, hit=hit) for n, (verdict, kind, hit) in enumerate(made)]
    answers = answers_of(a_report([*questions, answered(99)]), "it")
    n = data.draw(st.integers(1, 12))
    drawn = sample(None, answers, n)
    assert drawn.added == min(n, len(questions) + 1)
    assert len({item.key for item in drawn.labels.items}) == drawn.added
    against = sum(opinions["lexical"].unsupported for opinions in drawn.labels.judged.values())
    available = sum(verdict == "-" for verdict, _, _ in made)
    assert against >= min(available, n // 2)
