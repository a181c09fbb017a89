"""Golden sets grow and are edited: what is compared are the unchanged questions, on both sides anew."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from eval.gate.compare import compare
from eval.gate.pairing import Changes, pair_up
from eval.gate.rules import Gate
from eval.gate.verdict import Finding, Verdict


def judge(before: Any, now: Any, **rules: Any) -> Verdict:
    return compare(before, now, Gate(**rules), against={})


def found(verdict: Verdict, metric: str) -> Finding:
    return next(finding for finding in verdict.findings if finding.metric == metric)


def versions(reports: Any, recall: list[float], mrr: list[float]) -> tuple[Any, Any]:
    """Golden set v1, and v2: five questions more, q6 gone, q5 reworded. In v2 the new ones are all answered."""
    old = [(1.0, 1.0), (1.0, 0.5), (0.0, 0.0), (1.0, 0.25), (1.0, 1.0), (0.0, 0.0)]
    v1 = [reports.question(f"q{number}", recall=hit, mrr=rank) for number, (hit, rank) in enumerate(old, 1)]
    kept = [
        reports.question(f"q{number}", recall=hit, mrr=rank)
        for number, (hit, rank) in enumerate(zip(recall, mrr, strict=True), 1)
    ]
    v2 = [*kept, reports.question("q5", text="Asked in other words?"), *(reports.question(f"n{n}") for n in range(5))]
    return reports.results(v1), reports.results(v2)


def test_both_sides_are_recomputed_on_the_shared_unchanged_questions(reports: Any):
    verdict = judge(*versions(reports, [1.0, 1.0, 0.0, 1.0], [1.0, 0.5, 0.0, 0.25]))
    # q1 to q4: hits 1, 1, 0, 1 and reciprocal ranks 1, 1/2, 0, 1/4
    recall, mrr = found(verdict, "recall"), found(verdict, "mrr")
    assert (recall.baseline, recall.current, recall.questions) == (0.75, 0.75, 4)
    assert (mrr.baseline, mrr.current, mrr.delta, mrr.questions) == (0.4375, 0.4375, 0.0, 4)
    assert verdict.verdict == "passed"
    assert verdict.pairing is not None
    assert verdict.pairing.questions == Changes(added=("n0", "n1", "n2", "n3", "n4"), removed=("q6",), edited=("q5",))
    assert verdict.notes == (
        "corpus: 5 added (doc-n0, doc-n1, doc-n2, doc-n3, doc-n4); 1 removed (doc-q6)",
        "golden set: 5 added (n0, n1, n2, n3, n4); 1 removed (q6); 1 edited (q5); "
        "compared are the 4 unchanged questions",
    )


def test_easy_new_questions_do_not_hide_a_fall(reports: Any):
    # over all: 4/6 before and 8/10 now; over the shared four: 3/4 before and 2/4 now
    before, now = versions(reports, [0.0, 1.0, 0.0, 1.0], [0.5, 0.5, 0.0, 0.25])
    assert (before.metrics["recall"].value, now.metrics["recall"].value) == (pytest.approx(2 / 3), 0.8)
    verdict = judge(before, now)
    assert verdict.because == (
        "recall fell from 0.7500 to 0.5000 (tolerance 0.01); mrr fell from 0.4375 to 0.3125 (tolerance 0.01)"
    )


def test_hard_new_questions_are_no_fall(reports: Any):
    v1 = [reports.question(f"q{number}") for number in range(4)]
    hard = [reports.question(f"n{number}", recall=0.0, mrr=0.0) for number in range(8)]
    verdict = judge(reports.results(v1), reports.results([*v1, *hard]))
    assert (verdict.verdict, found(verdict, "recall").current) == ("passed", 1.0)


def test_ids_that_were_renamed_are_followed(reports: Any):
    before = [reports.question(f"q{number}", text=f"Question {number}?") for number in range(3)]
    now = [question | {"id": f"leave-{question['id']}"} for question in before]
    verdict = judge(reports.results(before), reports.results(now))
    assert verdict.pairing is not None
    assert verdict.pairing.renamed == {"q0": "leave-q0", "q1": "leave-q1", "q2": "leave-q2"}
    assert not verdict.pairing.questions
    assert verdict.notes == ("questions under another id: q0 → leave-q0, q1 → leave-q1, q2 → leave-q2",)
    assert verdict.verdict == "passed"


def test_ids_that_were_swapped_are_no_edit_and_values_follow_the_question(reports: Any):
    hit, miss = reports.question("a", recall=1.0), reports.question("b", recall=0.0)
    pairing = pair_up(reports.results([hit, miss]), reports.results([hit | {"id": "b"}, miss | {"id": "a"}]))
    assert [(pair.baseline.id, pair.current.id) for pair in pairing.pairs] == [("a", "b"), ("b", "a")]
    assert all(pair.baseline.values["recall"] == pair.current.values["recall"] for pair in pairing.pairs)
    assert not pairing.questions


def test_an_id_that_was_given_to_another_question_is_added_beside_the_renamed_one(reports: Any):
    old = reports.question("q1", text="The old one?")
    pairing = pair_up(
        reports.results([old]), reports.results([old | {"id": "q2"}, reports.question("q1", text="A new one?")])
    )
    assert (pairing.renamed, pairing.questions) == ({"q1": "q2"}, Changes(added=("q1",)))


def test_two_questions_that_ask_the_same_are_told_apart_by_id_or_not_at_all(reports: Any):
    twins = [reports.question("a", recall=1.0), reports.question("a", recall=0.0) | {"id": "b"}]
    kept = pair_up(reports.results(twins), reports.results(twins))
    assert [(pair.baseline.id, pair.current.id) for pair in kept.pairs] == [("a", "a"), ("b", "b")]
    renamed = [question | {"id": f"new-{question['id']}"} for question in twins]
    lost = pair_up(reports.results(twins), reports.results(renamed))
    assert (lost.pairs, lost.questions) == ((), Changes(("new-a", "new-b"), ("a", "b")))


@pytest.mark.parametrize("kind", ["single", "none"])
def test_the_same_words_with_another_type_or_documents_are_another_question(reports: Any, kind: str):
    before = reports.results([reports.question("q", "multi", text="Same?")])
    pairing = pair_up(before, reports.results([reports.question("q", kind, text="Same?")]))
    assert (pairing.pairs, pairing.questions) == ((), Changes(edited=("q",)))


def test_golden_sets_that_share_nothing_are_incomparable(reports: Any):
    verdict = judge(
        reports.results([reports.question("q1"), reports.question("q2", "none")]),
        reports.results([reports.question("x1"), reports.question("x2", "none")], texts={"doc-q1": "Text of doc-q1"}),
    )
    assert [finding.state for finding in verdict.findings] == ["incomparable"] * 7
    assert verdict.because.startswith("recall: no question can be compared; mrr: no question can be compared; ")
    assert verdict.exit_code(enforce=True) == 3


def test_a_golden_set_that_shrank_from_fifty_to_three_is_incomparable(reports: Any):
    asked = [reports.question(f"q{number}") for number in range(50)]
    verdict = judge(reports.results(asked), reports.results(asked[:3]))
    assert (verdict.verdict, verdict.exit_code(enforce=True)) == ("not_judged", 3)
    assert found(verdict, "recall").because == "only 3 of the baseline's 50 questions can be compared"


def test_a_golden_set_that_grew_from_three_to_fifty_is_compared_on_three(reports: Any):
    asked = [reports.question(f"q{number}") for number in range(50)]
    verdict = judge(reports.results(asked[:3]), reports.results(asked))
    assert (verdict.verdict, found(verdict, "recall").questions) == ("passed", 3)


@given(total=st.integers(1, 60), percent=st.integers(1, 100))
@example(total=25, percent=28)  # 0.28 * 25 is 7.000000000000001
@settings(max_examples=60, deadline=None)
def test_exactly_the_share_that_is_needed_is_enough(reports: Any, total: int, percent: int):
    asked = [reports.question(f"q{number}") for number in range(total)]
    needed = -(-percent * total // 100)
    baseline, rules = reports.results(asked, tier="retrieval"), {"min_shared": percent / 100}
    assert judge(baseline, reports.results(asked[:needed], tier="retrieval"), **rules).verdict == "passed"
    fewer = judge(baseline, reports.results(asked[: needed - 1], tier="retrieval"), **rules)
    assert fewer.verdict == "not_judged"


def test_another_dataset_is_told(reports: Any):
    asked = reports.twenty()
    verdict = judge(reports.results(asked, dataset="first"), reports.results(asked, dataset="second"))
    assert verdict.notes == ("dataset: first → second",)


def test_many_names_are_cut_short(reports: Any):
    asked = [reports.question(f"q{number:02}") for number in range(12)]
    verdict = judge(reports.results(asked[:1]), reports.results(asked))
    assert verdict.notes[1].startswith(
        "golden set: 11 added (q01, q02, q03, q04, q05, q06, q07, q08, q09, q10 and 1 more)"
    )
