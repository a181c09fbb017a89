"""What the states of the measures make of a run: tiers, tolerances, watched measures, advice, and what beats what."""

import math
from typing import Any

import pytest

from eval.gate.compare import compare
from eval.gate.decide import Baseline, NoBaseline, decide
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import Finding, Verdict

RECORD = "python -m runner.labels agreement RUN adds the verdicts of a run's judge"
AGREES = {"agreement": 0.9, "labels": 10, "judge": "lexical"}


def judge(before: Any, now: Any, **rules: Any) -> Verdict:
    sides = [Results.of(side, "a report") for side in (before, now)]
    return compare(*sides, Gate(**rules), against={})


def found(verdict: Verdict, metric: str) -> Finding:
    return next(finding for finding in verdict.findings if finding.metric == metric)


def states(verdict: Verdict) -> list[str]:
    return [finding.state for finding in verdict.findings if finding.gated]


def ten(reports: Any, **lost: int) -> Any:
    """Eight single and two none questions; each measure in ``lost`` is 0 for so many of the first it is about."""
    asked = [reports.question(f"q{number}", "single" if number < 8 else "none") for number in range(10)]
    for metric, count in lost.items():
        for question in [each for each in asked if metric in each["values"]][:count]:
            question["values"][metric] = 0.0
    return asked


def test_a_run_passes_against_itself_with_all_five_checked(reports: Any):
    report = reports.report(ten(reports))
    verdict = judge(report, report)
    assert (verdict.verdict, verdict.because) == ("passed", "5 of 5 gated measures checked")
    assert verdict.exit_code(enforce=True) == 0
    assert [finding.delta for finding in verdict.findings] == [0.0] * 7


def test_a_retrieval_run_against_a_full_baseline_checks_three_measures_and_lists_two(reports: Any):
    verdict = judge(reports.report(ten(reports)), reports.report(ten(reports), tier="retrieval"))
    assert states(verdict) == ["passed", "passed", "passed", "not_checked", "not_checked"]
    assert (verdict.verdict, verdict.because) == ("passed", "3 of 5 gated measures checked")
    assert found(verdict, "faithfulness").because == "not measured in tier retrieval"


def test_a_full_run_that_lost_its_answers_is_not_excused_by_its_tier(reports: Any):
    lost = reports.report(ten(reports), tier="retrieval")
    lost["run"]["tier"] = "full"
    verdict = judge(reports.report(ten(reports)), lost)
    assert states(verdict) == ["passed", "passed", "passed", "missing", "missing"]
    assert verdict.exit_code(enforce=True) == 1


def test_a_retrieval_run_is_not_excused_from_measures_of_retrieval(reports: Any):
    run = reports.report(ten(reports), tier="retrieval")
    del run["metrics"]["mrr"]
    assert judge(reports.report(ten(reports)), run).because.startswith("mrr is missing")


def test_a_full_run_against_a_retrieval_baseline_has_two_new_measures(reports: Any):
    verdict = judge(reports.report(ten(reports), tier="retrieval"), reports.report(ten(reports)))
    assert states(verdict) == ["passed", "passed", "passed", "new", "new"]
    assert found(verdict, "faithfulness").because == "the baseline does not measure it"
    assert verdict.because == "3 of 5 gated measures checked"


def test_what_neither_run_measures_is_told_from_what_neither_asks(reports: Any):
    retrieval, answers = reports.report(ten(reports), tier="retrieval"), reports.report(ten(reports)[:8])
    told = [found(judge(retrieval, retrieval), name).because for name in ("recall", "refusal_rate")]
    assert told == ["", "measured in neither run"]
    for sides in ((retrieval, answers), (answers, retrieval), (answers, answers)):
        assert found(judge(*sides), "refusal_rate").because == "no question of its kind"


def test_a_measure_without_a_question_of_its_kind_in_both_is_not_checked(reports: Any):
    report = reports.report(ten(reports)[:8])
    verdict = judge(report, report)
    finding = found(verdict, "refusal_rate")
    assert (finding.state, finding.because) == ("not_checked", "no question of its kind")
    assert verdict.because == "4 of 5 gated measures checked"


def test_the_first_question_of_a_kind_makes_its_measure_new(reports: Any):
    verdict = judge(reports.report(ten(reports)[:8]), reports.report(ten(reports)))
    assert found(verdict, "refusal_rate").state == "new"


def test_a_kind_of_question_that_was_taken_away_leaves_its_measure_incomparable(reports: Any):
    verdict = judge(reports.report(ten(reports)), reports.report(ten(reports)[:8]))
    finding = found(verdict, "refusal_rate")
    assert (finding.state, finding.because) == ("incomparable", "no question can be compared")
    assert verdict.exit_code(enforce=True) == 3


def test_a_run_without_questions_checks_nothing_and_does_not_pass(reports: Any):
    verdict = judge(reports.report([]), reports.report([]))
    assert (verdict.verdict, verdict.because) == ("not_judged", "no gated measure could be checked")
    assert verdict.exit_code(enforce=True) == 3


@pytest.mark.parametrize(
    ("run", "told"),
    [
        ({"complete": False, "incomplete_because": "timeout: 3"}, "timeout: 3"),
        ({"complete": False}, "FINISHED"),
        ({"status": "FAILED"}, "FAILED"),
        ({"status": "RUNNING"}, "RUNNING"),
        ({"status": "KILLED"}, "KILLED"),
    ],
)
def test_what_is_incomplete_on_either_side_never_passes_or_regresses(reports: Any, run: dict[str, Any], told: str):
    sound, worse = reports.report(ten(reports)), reports.report(ten(reports, recall=8), **run)
    for before, now, name in ((sound, worse, "the run"), (worse, sound, "the baseline")):
        verdict = judge(before, now)
        assert (verdict.verdict, verdict.because) == ("not_judged", f"{name} is incomplete: {told}")
        assert verdict.exit_code(enforce=True) == 3


def test_all_regressions_are_told_at_once(reports: Any):
    verdict = judge(reports.report(ten(reports)), reports.report(ten(reports, recall=2, refusal_rate=1)))
    assert verdict.because == (
        "recall fell from 1.0000 to 0.7500 (tolerance 0.01); refusal_rate fell from 1.0000 to 0.5000 (tolerance 0.01)"
    )
    assert verdict.exit_code(enforce=True) == 1
    assert verdict.exit_code(enforce=False) == 0


def test_a_regression_beats_what_cannot_be_compared(reports: Any):
    now = reports.report(ten(reports, mrr=1), prints={"judge": "another"})
    verdict = judge(reports.report(ten(reports)), now)
    assert states(verdict) == ["passed", "regressed", "passed", "incomparable", "incomparable"]
    assert verdict.because == "mrr fell from 1.0000 to 0.8750 (tolerance 0.01)"
    assert verdict.exit_code(enforce=True) == 1


def test_each_measure_may_have_a_tolerance_of_its_own(reports: Any):
    sides = reports.report(ten(reports)), reports.report(ten(reports, recall=1, mrr=1))
    assert judge(*sides, tolerances={"recall": 0.125}).because.startswith("mrr fell")
    assert judge(*sides, tolerances={"recall": 0.125, "mrr": 0.125}).verdict == "passed"
    assert judge(*sides, tolerance=0.125, tolerances={"mrr": 0.1, "recall": None}).because.startswith("mrr fell")
    assert found(judge(*sides, tolerances={"recall": 0.125}), "recall").tolerance == 0.125


def test_a_watched_measure_warns_when_it_falls_and_changes_no_verdict(reports: Any):
    verdict = judge(reports.report(ten(reports)), reports.report(ten(reports, answer_relevancy=8)))
    assert (verdict.verdict, verdict.because) == (
        "passed",
        "5 of 5 gated measures checked; worse, without blocking: answer_relevancy -1.0000",
    )
    assert [(each.metric, each.because) for each in verdict.warnings] == [
        ("answer_relevancy", "fell from 1.0000 to 0.0000 (tolerance 0.01)")
    ]


def test_false_refusals_warn_when_they_rise_and_not_when_they_fall(reports: Any):
    few, many = reports.report(ten(reports)), reports.report(ten(reports))
    for question in many["questions"][:4]:
        question["values"]["false_refusal_rate"] = 1.0
    many["metrics"]["false_refusal_rate"]["value"] = 0.5
    worse, better = judge(few, many), judge(many, few)
    assert [each.because for each in worse.warnings] == ["rose from 0.0000 to 0.5000 (tolerance 0.01)"]
    assert found(worse, "false_refusal_rate").delta == 0.5
    assert better.warnings == ()
    assert (worse.verdict, better.verdict) == ("passed", "passed")


def test_a_watched_measure_that_is_lost_warns(reports: Any):
    now = reports.report(ten(reports))
    del now["metrics"]["answer_relevancy"]
    verdict = judge(reports.report(ten(reports)), now)
    assert (verdict.verdict, [each.state for each in verdict.warnings]) == ("passed", ["missing"])


def test_another_measure_can_be_watched_and_none_need_be(reports: Any):
    sides = reports.report(ten(reports)), reports.report(ten(reports, doc_ndcg_at_10=8))
    assert [each.metric for each in judge(*sides, watched=["doc_ndcg_at_10"]).warnings] == ["doc_ndcg_at_10"]
    assert judge(*sides, watched=[]).warnings == ()


@pytest.mark.parametrize(
    ("agreement", "why"),
    [
        (None, "no answers were labelled by people to check this judge with"),
        (AGREES | {"labels": 0}, "no answers were labelled by people to check this judge with"),
        (
            AGREES | {"judge": "another"},
            f"the labels are about another judge; {RECORD}",
        ),
        (
            AGREES | {"labels": 5, "labelled": 12},
            f"this judge's verdict is known of only 5 of 12 labelled answers; {RECORD}",
        ),
        (
            AGREES | {"unsupported": 8, "found": 8, "supported": 2, "kept": 0},
            "the judge called all answers unsupported that people found supported (2)",
        ),
        (AGREES | {"labels": 1}, "only one answer was labelled by people to check this judge with, 10 are needed"),
        (AGREES | {"labels": 9}, "only 9 answers were labelled by people to check this judge with, 10 are needed"),
        (
            AGREES | {"unsupported": 1, "found": 0},
            "the judge found none of the answers that people found unsupported (1)",
        ),
        (AGREES | {"agreement": 0.79}, "the judge agrees with people in 0.79 of 10 labels, below 0.8"),
        (AGREES | {"agreement": math.nan}, "the judge agrees with people in nan of 10 labels, below 0.8"),
    ],
)
def test_faithfulness_of_a_judge_that_nobody_can_rely_on_advises(reports: Any, agreement: Any, why: str):
    now = reports.report(ten(reports, faithfulness=5)) | {"agreement": agreement}
    verdict = judge(reports.report(ten(reports)), now)
    finding = found(verdict, "faithfulness")
    assert (verdict.verdict, finding.state) == ("passed", "advisory")
    assert finding.because == f"fell from 1.0000 to 0.5000 (tolerance 0.01); does not block: {why}"
    assert verdict.warnings == (finding,)


@pytest.mark.parametrize(
    "known",
    [
        *({"agreement": agreement} for agreement in (0.8, 0.9, 1.0)),
        {"unsupported": 3, "found": 1},
        {"unsupported": 0, "found": 0},
    ],
)
def test_faithfulness_of_a_judge_that_agrees_with_people_blocks(reports: Any, known: dict[str, Any]):
    now = reports.report(ten(reports, faithfulness=5)) | {"agreement": AGREES | known}
    verdict = judge(reports.report(ten(reports)), now)
    assert verdict.because == "faithfulness fell from 1.0000 to 0.5000 (tolerance 0.01)"
    assert verdict.exit_code(enforce=True) == 1


def test_a_judge_that_believes_an_invention_advises_however_well_it_agrees(reports: Any):
    fooled = [{"name": "fabrication (zh)", "passed": False}]
    now = reports.report(ten(reports, faithfulness=5)) | {"agreement": AGREES, "probes": fooled}
    verdict = judge(reports.report(ten(reports)), now)
    assert found(verdict, "faithfulness").because.endswith(
        "does not block: the judge does not find a fabricated answer"
    )
    assert verdict.verdict == "passed"


def test_another_failed_probe_takes_nothing_from_a_judge(reports: Any):
    now = reports.report(ten(reports, faithfulness=5)) | {
        "agreement": AGREES,
        "probes": [{"name": "negated sentence (en)", "passed": False}],
    }
    assert judge(reports.report(ten(reports)), now).verdict == "regressed"


def test_only_faithfulness_advises(reports: Any):
    verdict = judge(reports.report(ten(reports)), reports.report(ten(reports, refusal_rate=2)))
    assert found(verdict, "refusal_rate").state == "regressed"


@pytest.mark.parametrize(
    ("baseline", "verdict", "code"),
    [
        (NoBaseline("nothing was promoted yet"), "no_baseline", 3),
        (NoBaseline("its run is gone", broken=True), "not_judged", 3),
    ],
)
def test_without_a_baseline_enforcement_ends_with_3(reports: Any, baseline: NoBaseline, verdict: str, code: int):
    decided = decide(reports.results(ten(reports)), Gate(mode="enforce"), baseline)
    assert (decided.verdict, decided.because) == (verdict, baseline.because)
    assert (decided.exit_code(enforce=True), decided.exit_code(enforce=False)) == (code, 0)


def test_a_gate_that_is_off_judges_nothing(reports: Any):
    worse = reports.results(ten(reports, recall=8))
    decided = decide(worse, Gate(mode="off"), Baseline(reports.results(ten(reports)), {"name": "v1"}))
    assert (decided.verdict, decided.exit_code(enforce=True), decided.findings) == ("off", 0, ())


def test_what_a_reader_must_know_of_the_baseline_stands_first_in_the_notes(reports: Any):
    now = reports.results(ten(reports), config={"budget": {"tokens": 300}})
    baseline = Baseline(reports.results(ten(reports)), {"name": "v1"}, ("baseline: read from a file",))
    decided = decide(now, Gate(), baseline)
    assert decided.notes == ("baseline: read from a file", "configuration: budget.tokens 600 → 300")
    assert decided.findings[0].evidence is not None
