"""What is no number, or does not follow from the questions, is called by name and never passes."""

import json
import math
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.errors import InputError
from eval.gate.compare import compare
from eval.gate.results import Results, read_object
from eval.gate.rules import Gate
from eval.gate.verdict import Finding, Verdict
from eval.metrics.measures import GATED
from eval.records import Unscored
from eval.report.verdict_json import verdict_data

GATED_NAMES = [metric.name for metric in GATED]
BAD = {"NaN": math.nan, "infinity": math.inf, "-infinity": -math.inf, "None": None}
SIDES = {"the baseline": 0, "the run": 1}


def judge(sides: Any) -> Verdict:
    before, now = (Results.of(side, "a report") for side in sides)
    return compare(before, now, Gate(), against={})


def found(verdict: Verdict, metric: str) -> Finding:
    return next(finding for finding in verdict.findings if finding.metric == metric)


def applying(report: Any, metric: str) -> Any:
    """The first question that the measure is about."""
    return next(question for question in report["questions"] if metric in question["values"])


@pytest.fixture
def sides(reports: Any) -> Any:
    """A baseline and a run, equal and sound."""
    return [reports.report(reports.twenty()) for _ in range(2)]


@pytest.mark.parametrize("metric", GATED_NAMES)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", BAD)
def test_a_mean_that_is_no_number_is_named_and_leaves_the_gate_without_a_verdict(
    sides: Any, name: str, side: str, metric: str
):
    sides[SIDES[side]]["metrics"][metric]["value"] = BAD[name]
    verdict = judge(sides)
    finding = found(verdict, metric)
    assert (verdict.verdict, finding.state) == ("not_judged", "invalid")
    assert verdict.because == f"{metric}: {finding.because}"
    assert finding.because.startswith(name)
    assert finding.because.endswith(f"in {side}")
    assert (verdict.exit_code(enforce=True), verdict.exit_code(enforce=False)) == (3, 0)


@pytest.mark.parametrize("metric", GATED_NAMES)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", BAD)
def test_a_question_whose_value_is_no_number_is_named_though_the_mean_is_sound(
    sides: Any, name: str, side: str, metric: str
):
    applying(sides[SIDES[side]], metric)["values"][metric] = BAD[name]
    verdict = judge(sides)
    assert (verdict.verdict, found(verdict, metric).state) == ("not_judged", "invalid")
    assert name in verdict.because
    assert side in verdict.because
    assert verdict.exit_code(enforce=True) == 3


@pytest.mark.parametrize("side", SIDES)
def test_a_question_without_its_value_is_none_without_a_reason(sides: Any, side: str):
    del applying(sides[SIDES[side]], "mrr")["values"]["mrr"]
    verdict = judge(sides)
    assert verdict.because == f"mrr: None, without a reason, for 1 of 17 questions of {side}"
    assert verdict.exit_code(enforce=True) == 3


def test_a_measure_that_the_run_lost_fails_it(sides: Any):
    del sides[1]["metrics"]["refusal_rate"]
    verdict = judge(sides)
    assert (verdict.verdict, found(verdict, "refusal_rate").state) == ("regressed", "missing")
    assert verdict.because == "refusal_rate is missing: the baseline has it and the run does not"
    assert verdict.exit_code(enforce=True) == 1


def test_a_measure_that_only_the_run_has_is_new_and_not_passed(sides: Any):
    del sides[0]["metrics"]["refusal_rate"]
    verdict = judge(sides)
    assert found(verdict, "refusal_rate").state == "new"
    assert verdict.because == "4 of 5 gated measures checked"


@pytest.mark.parametrize("pair", [(None, 0.0), (0.0, None)])
def test_nothing_scored_and_zero_cannot_be_compared(reports: Any, pair: tuple[float | None, float | None]):
    def side(value: float | None) -> Any:
        told = Unscored("timeout") if value is None else value
        return reports.report([reports.question("q1"), reports.question("n1", "none", refusal_rate=told)])

    verdict = judge([side(value) for value in pair])
    finding = found(verdict, "refusal_rate")
    assert (finding.state, finding.delta) == ("invalid", None)
    assert "None (nothing was scored)" in verdict.because
    assert verdict.exit_code(enforce=True) == 3


@pytest.mark.parametrize("side", SIDES)
def test_a_mean_that_does_not_follow_from_the_questions_is_not_believed(sides: Any, side: str):
    sides[SIDES[side]]["metrics"]["recall"]["value"] = 0.95
    assert judge(sides).because == f"recall: the mean that {side} states does not follow from its questions"


def test_the_last_digits_of_a_mean_are_another_machine_and_not_another_mean(sides: Any):
    sides[0]["metrics"]["recall"]["value"] = 1.0 - 1e-13
    assert judge(sides).verdict == "passed"


@pytest.mark.parametrize(
    "change", [{"attempted": 50}, {"attempted": 16}, {"scored": 16}, {"attempted": 0, "scored": 0}]
)
@pytest.mark.parametrize("side", SIDES)
def test_a_ledger_that_does_not_follow_from_the_questions_is_not_believed(
    sides: Any, side: str, change: dict[str, int]
):
    sides[SIDES[side]]["metrics"]["recall"] |= change
    verdict = judge(sides)
    assert (verdict.verdict, found(verdict, "recall").state) == ("not_judged", "invalid")


def test_an_empty_ledger_does_not_hide_a_nan(sides: Any):
    for question in sides[1]["questions"]:
        if "recall" in question["values"]:
            question["values"]["recall"] = math.nan
    sides[1]["metrics"]["recall"] |= {"attempted": 0, "scored": 0}
    assert judge(sides).exit_code(enforce=True) == 3


@pytest.mark.parametrize("value", [1.5, -0.25, 1e308])
def test_a_value_that_no_measure_can_have_is_named(sides: Any, value: float):
    applying(sides[1], "mrr")["values"]["mrr"] = value
    assert judge(sides).because == f"mrr: {value:g}, which is not within 0 and 1, for a question of the run"


def test_nan_that_python_writes_into_a_file_is_named_too(sides: Any, tmp_path: Path):
    sides[1]["metrics"]["mrr"]["value"] = math.nan
    path = tmp_path / "report.json"
    path.write_text(json.dumps(sides[1]), encoding="utf-8")
    assert judge([sides[0], read_object(path)]).because == "mrr: NaN in the run"


@pytest.mark.parametrize("value", ["0.9", True, [], 10**400])
def test_what_is_no_number_at_all_is_no_report(sides: Any, value: Any):
    sides[1]["metrics"]["mrr"]["value"] = value
    with pytest.raises(InputError, match=r"^a report is no report of a run: metrics\.mrr\.value: .*valid number$"):
        judge(sides)


def test_scores_that_are_lacking_within_the_limit_leave_their_questions_out_on_both_sides(reports: Any):
    before = [reports.question(f"q{number}", faithfulness=float(number != 1)) for number in range(4)]
    now = [reports.question("q0", faithfulness=Unscored("timeout")), *before[1:]]
    finding = found(judge([reports.report(before), reports.report(now)]), "faithfulness")
    assert (finding.state, finding.questions) == ("passed", 3)
    assert finding.baseline == finding.current == pytest.approx(2 / 3)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_bad_number_anywhere_lets_a_gated_measure_pass(reports: Any, data: st.DataObject):
    sides = [deepcopy(reports.report(reports.twenty())) for _ in range(2)]
    metric = data.draw(st.sampled_from(GATED_NAMES))
    side = sides[data.draw(st.integers(0, 1))]
    holders = [question for question in side["questions"] if metric in question["values"]]
    places = [(side["metrics"][metric], "value"), *((question["values"], metric) for question in holders)]
    for place, key in data.draw(st.lists(st.sampled_from(places), min_size=1, unique_by=lambda each: id(each[0]))):
        place[key] = data.draw(st.sampled_from([math.nan, math.inf, -math.inf, None]))
    verdict = judge(sides)
    assert (verdict.verdict, found(verdict, metric).state) == ("not_judged", "invalid")
    json.dumps(verdict_data(verdict), allow_nan=False)
