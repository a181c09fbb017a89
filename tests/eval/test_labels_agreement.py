"""How far a judge agrees with people: numbers by hand, and what they would hide."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.gate.results import Agreement
from eval.labels.agreement import Comparison, Pair, agreement_for, compare, told_apart
from eval.labels.answers import answers_of
from eval.labels.items import Label, Labels, Opinion, make_item
from eval.labels.standing import about, report_agreement
from eval.records import Statement
from eval.report.agreement_markdown import agreement_markdown, disagreements_markdown
from tests.eval.labels_data import a_report, answered, refused, unscored


def labelled(pairs: list[tuple[Label | None, bool | None]], judge: str = "lexical") -> Labels:
    """Labels of people beside the verdicts of a judge; ``None`` where one of them said nothing."""
    items = [make_item(f"q{n:02}", f"What is {n}?", "m", f"It is {n}.") for n in range(len(pairs))]
    given = tuple(item.labelled(label, "") for item, (label, _) in zip(items, pairs, strict=True))
    said = {item.answer_hash: verdict for item, (_, verdict) in zip(items, pairs, strict=True)}
    opinions = {name: Opinion(verdict, 0.5) for name, verdict in said.items() if verdict is not None}
    return Labels("handbook-en", items=given).with_opinions(judge, opinions)


def counted(found: int, lost: int, wrongly: int, kept: int) -> list[tuple[Label | None, bool | None]]:
    """The cells of the confusion matrix: people and judge unsupported, people alone, judge alone, neither."""
    return [("yes", True)] * found + [("yes", False)] * lost + [("no", True)] * wrongly + [("no", False)] * kept


def test_the_numbers_of_ten_labels_are_those_made_by_hand() -> None:
    found = compare(labelled(counted(3, 1, 1, 5)), "lexical")
    assert found is not None
    data = found.data()
    assert (data["agreement"], data["labels"], data["judge"]) == (0.8, 10, "lexical")
    assert (data["unsupported"], data["found"], data["supported"], data["kept"]) == (4, 3, 6, 5)
    assert data["recall"] == {"unsupported": 0.75, "supported": pytest.approx(5 / 6)}
    # by chance they agree in .4 · .4 + .6 · .6 = .52
    assert data["kappa"] == pytest.approx((0.8 - 0.52) / (1 - 0.52))
    # (.8 + z²/20 ± z √(.8 · .2 / 10 + z²/400)) / (1 + z²/10) with z = 1.96
    assert data["interval"] == pytest.approx([0.4902, 0.9433], abs=1e-4)
    assert data["warnings"] == []
    assert data["disagreements"] == [
        {"id": "q03", "people": "unsupported", "judge": "supported"},
        {"id": "q04", "people": "supported", "judge": "unsupported"},
    ]


def test_wilsons_interval_of_nine_in_ten() -> None:
    found = compare(labelled(counted(4, 0, 1, 5)), "lexical")
    assert found is not None
    assert found.interval == pytest.approx((0.5958, 0.9821), abs=1e-4)


def test_what_nobody_decided_or_judged_does_not_count() -> None:
    labels = labelled([("yes", True), ("skip", True), (None, False), ("no", None)])
    found = compare(labels, "lexical")
    assert found is not None
    assert [pair.item.id for pair in found.pairs] == ["q00"]
    assert compare(labelled([("skip", True), (None, True), ("no", None)]), "lexical") is None
    assert compare(labels, "lexical", frozenset()) is None


def test_a_judge_that_always_says_supported_is_called_out() -> None:
    found = compare(labelled(counted(0, 1, 0, 9)), "lexical")
    assert found is not None
    assert (found.agreement, found.kappa) == (0.9, 0.0)
    assert found.warnings == (
        "the judge always says supported: an agreement of 0.90 means nothing here, kappa 0.00",
        "the judge found none of the answers that people found unsupported (1)",
    )


def test_kappa_is_undefined_where_both_say_one_thing_only_and_that_is_said() -> None:
    found = compare(labelled(counted(0, 0, 0, 12)), "lexical")
    assert found is not None
    assert (found.agreement, found.kappa) == (1.0, None)
    assert found.data()["recall"] == {"unsupported": None, "supported": 1.0}
    assert found.warnings == (
        "the judge always says supported: what it makes of other answers is known from the probes alone",
        "people found no answer unsupported: how the judge takes an invention is known from the probes alone",
    )
    json.dumps(found.data(), allow_nan=False)


def test_a_judge_that_always_says_unsupported_and_few_labels_are_called_out() -> None:
    found = compare(labelled(counted(2, 0, 2, 0)), "lexical")
    assert found is not None
    assert found.warnings == (
        "the judge always says unsupported: an agreement of 0.50 means nothing here, kappa 0.00",
        "labelled answers: 4; 10 are needed to rely on a judge",
    )


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_kappa_and_interval_keep_their_laws(said: list[tuple[bool, bool]]) -> None:
    pairs: list[tuple[Label | None, bool | None]] = [("yes" if people else "no", judge) for people, judge in said]
    found, swapped = (
        compare(labelled(each), "lexical")
        for each in (pairs, [("yes" if judge else "no", people) for people, judge in said])
    )
    assert found is not None
    assert swapped is not None
    assert found.interval[0] <= found.agreement <= found.interval[1]
    assert found.kappa == swapped.kappa  # neither side is the truth in it
    if found.kappa is not None:
        assert -1 <= found.kappa <= found.agreement
        assert (found.kappa == 1) == (found.agreement == 1)


def test_a_disagreement_has_the_reasons_of_both_sides() -> None:
    statements = (Statement("The fee is 40.", "unsupported", "no 40"), Statement("It is due.", "supported", "due"))
    item = make_item("q07", "What?", "m", "The fee is 40. It is due.").labelled("no", "40 is in the table")
    pair = Pair(item, Opinion(True, 0.5, statements))
    told = told_apart(pair)
    assert (told["people"], told["note"], told["judge"]) == ("supported", "40 is in the table", "unsupported")
    assert [each["reason"] for each in told["sentences"]] == ["no 40"]
    assert disagreements_markdown([pair])[1].splitlines() == [
        "- **q07**: people say supported, the judge says unsupported",
        "  - people: 40 is in the table",
        "  - judge: “The fee is 40.” (unsupported: no 40)",
    ]
    other = Pair(item.labelled("yes", ""), Opinion(False, 1.0, statements[1:]))
    assert disagreements_markdown([other])[1].splitlines()[1:] == [
        "  - people: no note",
        "  - judge: “It is due.” (supported: due)",
    ]


def test_the_agreement_speaks_of_the_judge_that_is_asked_for() -> None:
    labels = labelled(counted(3, 0, 0, 7))
    of_llm = {item.answer_hash: Opinion(False, 1.0) for item in labels.items[:5]}
    both = labels.with_opinions("llm", of_llm)
    assert (both_of := agreement_for(both, "llm")) is not None
    assert (both_of["judge"], both_of["labels"], both_of["found"]) == ("llm", 5, 0)
    assert (lexical := agreement_for(both, "lexical")) is not None
    assert (lexical["agreement"], lexical["labels"]) == (1.0, 10)


def test_labels_for_another_judge_name_it_the_one_with_most_labels() -> None:
    labels = labelled(counted(3, 0, 0, 7))
    both = labels.with_opinions("a", {labels.items[0].answer_hash: Opinion(True, 0.0)})
    assert (found := agreement_for(both, "new")) is not None
    assert (found["judge"], found["labels"]) == ("lexical", 10)
    assert agreement_for(labelled([(None, True)]), "new") is None
    assert agreement_for(labelled([("yes", None)]), "new") is None


def test_what_changed_since_a_label_was_given_is_told() -> None:
    before = answers_of(a_report([answered(number) for number in range(6)]), "it")
    items = tuple(each.item.labelled("no", "") for each in before.candidates)
    after = answers_of(
        a_report(
            [
                answered(0),
                answered(1, answer="Another."),
                answered(2, material="Other material."),
                answered(3, question="Asked otherwise?"),
                answered(4, answer=None),
            ]
        ),
        "it",
    )
    standing = about(Labels("handbook-en", items=items), after)
    assert standing.current == {items[0].answer_hash}
    assert standing.stale == (
        "q01: the answer changed since it was labelled",
        "q02: the answer is the same, and the material changed since it was labelled",
        "q03: the question changed since its answer was labelled",
        "q04: the run has no answer",
        "q05: the question is not among the run's",
    )
    assert about(Labels("handbook-en", items=(items[1].labelled(None, ""),)), after).stale == ()


def test_a_report_says_what_the_gate_and_people_read() -> None:
    questions = [answered(number, "-" if number < 4 else "+") for number in range(12)]
    items = tuple(
        each.item.labelled("yes" if each.opinion.unsupported else "no", "")
        for each in answers_of(a_report(questions), "it").candidates
    )
    labels = Labels("handbook-en", items=items)
    now = a_report([*questions[:10], answered(10, answer="Another."), refused(20), unscored(30)])
    data = report_agreement(labels, now)
    assert data is not None
    assert (data["agreement"], data["labels"], data["judge"], data["run_judge"]) == (1.0, 10, "lexical", "lexical")
    assert (data["unsupported"], data["found"], data["current"]) == (4, 4, 10)
    assert data["stale"] == [
        "q10: the answer changed since it was labelled",
        "q11: the question is not among the run's",
    ]
    texts = json.dumps(data)
    assert "It is 1." not in texts  # it may stand in a portable baseline
    Agreement(**{name: data[name] for name in ("agreement", "labels", "judge", "unsupported", "found")})


def test_a_report_has_no_agreement_without_a_judge_or_labels_of_its_data() -> None:
    judged = a_report([answered(1)])
    labels = Labels("handbook-en", items=(answers_of(judged, "it").candidates[0].item.labelled("no", ""),))
    assert report_agreement(labels, judged) is not None
    assert report_agreement(labels, a_report([answered(1, judgement=None)])) is None
    assert report_agreement(Labels("elsewhere", items=labels.items), judged) is None
    assert report_agreement(Labels("handbook-en"), judged) is None


def test_section_5_tells_how_to_begin_and_then_the_numbers() -> None:
    assert agreement_markdown(None) == [
        "## 5. Agreement with human labels",
        "None yet: nobody has labelled answers of this system. `python -m runner.labels sample RUN` draws some, and "
        "`python -m runner.labels review` asks about them.",
    ]
    found = compare(labelled(counted(3, 1, 1, 5)), "lexical")
    assert found is not None
    data: dict[str, Any] = {**found.data(), "run_judge": "lexical", "current": 9, "stale": ["q|1: gone"]}
    head, numbers, matrix, stale, told, which = agreement_markdown(data)
    assert head == "## 5. Agreement with human labels"
    assert numbers == (
        "Judge and people agree on 0.80 of 10 labelled answers (95 % interval 0.49 to 0.94); Cohen's kappa: 0.58. "
        "9 of the labels are about answers of this run."
    )
    assert matrix.splitlines()[2:] == ["| unsupported | 3 | 1 | 0.75 |", "| supported | 1 | 5 | 0.83 |"]
    assert stale.splitlines()[-1] == "- q\\|1: gone"
    assert told.startswith("Disagreements; ")
    assert which.splitlines()[2] == "| q03 | unsupported | supported |"


def test_section_5_says_first_when_the_labels_are_about_another_judge() -> None:
    found = compare(labelled(counted(0, 0, 0, 3)), "lexical")
    assert found is not None
    page = agreement_markdown({**found.data(), "run_judge": "llm", "current": 0, "stale": []})
    assert page[1] == "**The labels are about another judge** (`lexical`), this run's is `llm`:"
    assert "Cohen's kappa: undefined, as chance alone would agree on all." in page[2]
    assert page[4].count("- **") == 3


def test_a_comparison_of_many_lists_the_first_and_counts_the_rest() -> None:
    found = compare(labelled(counted(0, 30, 0, 0)), "lexical")
    assert isinstance(found, Comparison)
    data = {**found.data(), "run_judge": "lexical", "current": 0, "stale": [f"q{n}: gone" for n in range(25)]}
    page = "\n\n".join(agreement_markdown(data))
    assert "10 more in report.json." in page
    assert "- and 5 more" in page
