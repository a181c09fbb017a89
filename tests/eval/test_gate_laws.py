"""Laws of the comparison, on runs drawn at random."""

import json
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eval.gate.anchor import anchor_text, check_anchor, make_anchor
from eval.gate.compare import compare
from eval.gate.evidence import weigh
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import Verdict
from eval.records import Unscored
from eval.report.junit import junit_xml
from eval.report.verdict_json import verdict_data
from eval.report.verdict_markdown import job_summary

SHARES = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.7, 1.0])
HITS = st.sampled_from([0.0, 1.0])
VALUES = {"mrr": SHARES, "ndcg_at_10": SHARES, "answer_relevancy": SHARES, "recall": HITS, "false_refusal_rate": HITS}


@st.composite
def questions(draw: st.DrawFn, reports: Any, unscored: bool = False) -> list[Any]:
    """Up to eight questions with ids of a small choice, so that two runs share some; sometimes without a score."""
    names = draw(st.lists(st.sampled_from([f"q{number}" for number in range(10)]), max_size=8, unique=True))
    return [draw(question(reports, name, unscored)) for name in names]


@st.composite
def question(draw: st.DrawFn, reports: Any, name: str, unscored: bool) -> Any:
    kind = "none" if name in {"q8", "q9"} else "single"
    values = {"refusal_rate": HITS} if kind == "none" else VALUES
    drawn = draw(st.fixed_dictionaries({**values, "faithfulness": SHARES}))
    if unscored and draw(st.booleans()):
        drawn["faithfulness"] = Unscored("timeout")
    return reports.question(name, kind, rank=draw(st.sampled_from([None, 1, 7])), **drawn)


def told(verdict: Verdict) -> Any:
    """The verdict with its flips in one order."""
    data = json.loads(json.dumps(verdict_data(verdict), allow_nan=False))
    for finding in data["metrics"].values():
        if finding["evidence"]:
            finding["evidence"]["flips"].sort(key=lambda flip: str(flip["id"]))
    data["flips"].sort(key=lambda flip: str(flip["id"]))
    data["corpus"]["touched_questions"].sort()
    return {**data, "notes": sorted(data["notes"])}


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_complete_run_that_measures_something_passes_against_itself(reports: Any, data: st.DataObject):
    asked = data.draw(questions(reports))
    assume(asked)
    run = reports.results(asked, tier=data.draw(st.sampled_from(["retrieval", "full"])))
    assume(any(run.metrics[name].attempted for name in ("recall", "refusal_rate") if name in run.metrics))
    verdict = compare(run, run, Gate(tolerance=0.0), against={})
    assert (verdict.verdict, verdict.warnings, verdict.notes) == ("passed", (), ())
    assert {finding.delta for finding in verdict.findings} <= {0.0, None}


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_order_of_questions_changes_neither_verdict_nor_numbers(reports: Any, data: st.DataObject):
    before, now = data.draw(questions(reports, unscored=True)), data.draw(questions(reports, unscored=True))
    sides = reports.results(before), reports.results(now)
    shuffled = reports.results(data.draw(st.permutations(before))), reports.results(data.draw(st.permutations(now)))
    assert told(compare(*sides, Gate(), {}, weigh)) == told(compare(*shuffled, Gate(), {}, weigh))


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_verdict_follows_from_its_states_and_its_pages_can_be_written(reports: Any, data: st.DataObject):
    before, now = data.draw(questions(reports, unscored=True)), data.draw(questions(reports, unscored=True))
    verdict = compare(reports.results(before), reports.results(now), Gate(), against={"name": "v1", "run": "4f"})
    states = {finding.state for finding in verdict.findings if finding.gated}
    if states & {"regressed", "missing"}:
        assert verdict.exit_code(enforce=True) == 1
    elif states & {"invalid", "incomparable"} or not states & {"passed", "advisory"}:
        assert verdict.exit_code(enforce=True) == 3
    else:
        assert verdict.exit_code(enforce=True) == 0
    assert told(verdict)["verdict"] == verdict.verdict
    assert job_summary(verdict, "run").endswith("\n")
    assert junit_xml(verdict, "run").startswith("<?xml")


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_portable_form_of_a_baseline_gives_the_verdict_of_its_report(reports: Any, data: st.DataObject):
    report = reports.report(data.draw(questions(reports, unscored=True)))
    now = reports.results(data.draw(questions(reports, unscored=True)))
    portable = check_anchor(json.loads(anchor_text(make_anchor(report, {}))), "it").results
    verdicts = [compare(side, now, Gate(), against={}) for side in (Results.of(report, "it"), portable)]
    assert told(verdicts[0]) == told(verdicts[1])
