"""The evidence beside the rule: flips, and what so many changes can mean, in numbers and in words."""

from typing import Any

import pytest

from eval.gate.compare import compare
from eval.gate.evidence import weigh
from eval.gate.rules import Gate
from eval.gate.verdict import Evidence, Finding, Flip
from eval.statistics import detectable_share, detectable_shift


def weighed(reports: Any, metric: str, before: list[float], now: list[float]) -> Evidence:
    """The evidence for a measure over single questions with these values."""
    finding = found(reports, metric, before, now)
    assert finding.evidence is not None
    return finding.evidence


def found(reports: Any, metric: str, before: list[float], now: list[float]) -> Finding:
    sides = [
        reports.results([reports.question(f"q{number}", **{metric: value}) for number, value in enumerate(values)])
        for values in (before, now)
    ]
    verdict = compare(*sides, Gate(), {}, weigh)
    return next(finding for finding in verdict.findings if finding.metric == metric)


def test_questions_that_flipped_are_named_with_both_ranks(reports: Any):
    before = [reports.question("a", rank=2), reports.question("b", recall=0.0, rank=None), reports.question("c")]
    now = [reports.question("a", recall=0.0, rank=9), reports.question("b", rank=4), reports.question("c", rank=3)]
    verdict = compare(reports.results(before), reports.results(now), Gate(), {}, weigh)
    recall = verdict.findings[0].evidence
    assert recall is not None
    assert recall.flips == (Flip("a", 1.0, 0.0, 2, 9), Flip("b", 0.0, 1.0, None, 4))
    assert (recall.gained, recall.lost, verdict.findings[0].delta) == (1, 1, 0.0)


def test_a_flip_whose_answer_document_changed_is_marked(reports: Any):
    before = reports.results([reports.question("a"), reports.question("b")])
    now = reports.results([reports.question("a", recall=0.0), reports.question("b")], texts={"doc-a": "Edited"})
    evidence = compare(before, now, Gate(), {}, weigh).findings[0].evidence
    assert evidence is not None
    assert [flip.documents_changed for flip in evidence.flips] == [True]


def test_six_lost_of_ten_are_more_than_luck(reports: Any):
    evidence = weighed(reports, "recall", [1.0] * 10, [0.0] * 6 + [1.0] * 4)
    # 2 of the 64 ways to flip six signs are as extreme; two-sided binomial: 2 · (1/2)^6
    assert (evidence.p, evidence.mcnemar_p) == (pytest.approx(2 / 64), pytest.approx(2 / 64))
    assert (evidence.questions, evidence.one_question, evidence.gained, evidence.lost) == (10, 0.1, 0, 6)
    assert evidence.words == (
        "6 of 10 questions changed (0 better, 6 worse); one question is 10 points here; "
        "two equally good systems differ by this much in 3.12 % of comparisons: more than luck"
    )


def test_as_many_better_as_worse_is_luck_in_plain_figures(reports: Any):
    evidence = weighed(reports, "recall", [1.0] * 3 + [0.0] * 3, [0.0] * 3 + [1.0] * 3)
    assert (evidence.p, evidence.mcnemar_p) == (1.0, 1.0)
    assert evidence.words.endswith("in 100 % of comparisons: this may be luck")


def test_sixteen_questions_make_one_question_625_points(reports: Any):
    evidence = weighed(reports, "recall", [1.0] * 16, [1.0] * 16)
    assert evidence.words == "no question changed; one question is 6.25 points here"
    assert (evidence.flips, evidence.gained, evidence.lost, evidence.p) == ((), 0, 0, 1.0)


def test_fewer_changes_than_six_are_not_called_anything_but_luck(reports: Any):
    evidence = weighed(reports, "recall", [1.0] * 20, [0.0] * 5 + [1.0] * 15)
    assert evidence.words == (
        "5 of 20 questions changed (0 better, 5 worse); one question is 5 points here; "
        "so few changes can't be told from luck"
    )


def test_a_measure_between_hit_and_miss_has_no_mcnemar(reports: Any):
    evidence = weighed(reports, "mrr", [1.0, 0.5, 1.0], [1.0, 1.0, 1.0])
    assert (evidence.mcnemar_p, evidence.gained, evidence.lost) == (None, 1, 0)


def test_the_smallest_effect_is_that_of_shares_for_hits_and_of_shifts_for_the_rest(reports: Any):
    hits, ranks = [1.0] * 5 + [0.0] * 5, [0.5, 1.0] * 5
    assert weighed(reports, "recall", hits, hits[::-1]).detectable == detectable_share(10)
    changes = [0.5, 0.0] * 5
    assert weighed(reports, "mrr", ranks, [1.0] * 10).detectable == detectable_shift(changes)
    assert detectable_share(10) != detectable_shift(changes)


def test_where_lower_is_better_a_rise_is_a_loss(reports: Any):
    evidence = weighed(reports, "false_refusal_rate", [0.0, 0.0, 1.0], [1.0, 1.0, 0.0])
    assert (evidence.gained, evidence.lost) == (1, 2)


def test_the_last_digit_of_another_machine_is_no_change(reports: Any):
    before = [0.1 * number for number in range(8)]
    evidence = weighed(reports, "ndcg_at_10", before, [value + 1e-15 for value in before])
    assert (evidence.gained, evidence.lost, evidence.flips, evidence.p) == (0, 0, (), 1.0)
    assert evidence.interval == (0.0, 0.0)
    assert evidence.words.startswith("no question changed")


def test_a_change_of_one_rank_far_down_is_a_change(reports: Any):
    evidence = weighed(reports, "mrr", [1 / 150, 1.0], [1 / 151, 1.0])
    assert (evidence.gained, evidence.lost) == (0, 1)


def test_one_question_can_be_weighed(reports: Any):
    evidence = weighed(reports, "recall", [1.0], [0.0])
    assert (evidence.interval, evidence.detectable, evidence.one_question) == (None, None, 1.0)


def test_the_evidence_changes_no_verdict(reports: Any):
    finding = found(reports, "recall", [1.0] * 20, [0.0] + [1.0] * 19)
    assert finding.state == "regressed"
    assert finding.evidence is not None
    assert "can't be told from luck" in finding.evidence.words


def test_what_was_not_compared_has_no_evidence(reports: Any):
    asked = [reports.question("q1"), reports.question("n", "none")]
    verdict = compare(reports.results(asked), reports.results(asked, prints={"judge": "another"}), Gate(), {}, weigh)
    assert [finding.evidence is None for finding in verdict.findings[:5]] == [False, False, False, True, True]
