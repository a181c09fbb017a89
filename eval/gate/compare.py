"""The comparison: both runs over the questions that they share, measure by measure."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eval.gate.caveats import caveats
from eval.gate.differences import differences
from eval.gate.pairing import Pair, Pairing, comparable, pair_up, values_of
from eval.gate.results import Measured, Results
from eval.gate.rule import delta, regressed
from eval.gate.rules import Gate
from eval.gate.soundness import unsound_because
from eval.gate.trust import advisory_because
from eval.gate.verdict import CHECKED, UNJUDGED, Evidence, Finding, Verdict
from eval.metrics.measures import GATED, METRICS, Metric

# What each measure is read off with. Two instruments give two scales; the budget's size is what is being tested.
_INSTRUMENTS = {"counter": "token counter", "judge": "judge", "prompt": "judge's prompt"}
_NOT_ALWAYS = ("prompt",)  # a judge that is no model has none

Weigh = Callable[[Metric, Sequence[Pair]], Evidence | None]


@dataclass(frozen=True)
class _Sides:
    baseline: Results
    current: Results
    pairing: Pairing
    rules: Gate


def compare(
    baseline: Results,
    current: Results,
    rules: Gate,
    against: Mapping[str, str],
    weigh: Weigh = lambda _metric, _pairs: None,
) -> Verdict:
    """Judge a run against a baseline.

    Args:
        baseline: the accepted run.
        current: the run in question.
        rules: tolerances, and what else is watched.
        against: what is shown of the baseline: its run, its name, where it was read.
        weigh: gives the evidence for a measure; none by default, as it takes time.
    """
    sides = _Sides(baseline, current, pair_up(baseline, current), rules)
    metrics = [*GATED, *(metric for metric in METRICS if metric.name in rules.watched)]
    findings = tuple(_with_evidence(_finding(metric, sides), metric, sides, weigh) for metric in metrics)
    verdict, because = _overall(baseline, current, sides.pairing, findings)
    return Verdict(
        verdict,  # type: ignore[arg-type]  # one of its words
        because,
        against,
        findings,
        notes=tuple(differences(baseline, current, sides.pairing)),
        caveats=tuple(caveats(baseline, current, sides.pairing, findings)),
        pairing=sides.pairing,
    )


def _overall(baseline: Results, current: Results, pairing: Pairing, findings: Sequence[Finding]) -> tuple[str, str]:
    for side, name in ((current, "the run"), (baseline, "the baseline")):
        if side.run.status != "FINISHED" or not side.run.complete:
            return "not_judged", f"{name} is incomplete: {side.run.incomplete_because or side.run.status}"
    gated = [finding for finding in findings if finding.gated]
    if failed := [finding for finding in gated if finding.fails]:
        return "regressed", "; ".join(f"{finding.metric} {finding.because}" for finding in failed)
    if unjudged := [finding for finding in gated if finding.state in UNJUDGED]:
        return "not_judged", "; ".join(f"{finding.metric}: {finding.because}" for finding in unjudged)
    checked = [finding for finding in gated if finding.state in CHECKED]
    if not checked:
        return "not_judged", "no gated measure could be checked"
    return "passed", f"{len(checked)} of {len(gated)} gated measures checked{_but(baseline, pairing, findings)}"


def _but(baseline: Results, pairing: Pairing, findings: Sequence[Finding]) -> str:
    """What a reader of the one line must not miss: questions that are left out, and what got worse all the same."""
    known, shared = len(baseline.questions), len(pairing.pairs)
    fewer = f", on {shared} of the baseline's {known} questions" if shared < known else ""
    worse = [finding for finding in findings if finding.state == "advisory" or (finding.fails and not finding.gated)]
    told = ", ".join(f"{each.metric} {each.delta:+.4f}" if each.delta is not None else each.metric for each in worse)
    return f"{fewer}; worse, without blocking: {told}" if told else fewer


def _finding(metric: Metric, sides: _Sides) -> Finding:
    """One measure, without its evidence. The first thing that speaks against comparing it is what is told."""
    before, now = (side.metrics.get(metric.name) for side in (sides.baseline, sides.current))
    blank = Finding(metric.name, metric.gated, "not_checked", baseline=_number(before), current=_number(now))
    if (absent := _absent(metric, sides)) is not None:
        return replace(blank, **absent)
    if reason := _unsound(metric, sides):
        return replace(blank, state="invalid", because=reason)
    if reason := _instruments_changed(metric, sides) or _too_little_shared(metric, sides):
        return replace(blank, state="incomparable", because=reason)
    return _ruled(metric, sides, blank)


def _absent(metric: Metric, sides: _Sides) -> dict[str, Any] | None:
    """State and reason where one side does not measure this at all."""
    before, now = (side.metrics.get(metric.name) for side in (sides.baseline, sides.current))
    if _asks_none(metric, sides.baseline):
        if not _asks_none(metric, sides.current):
            return {"state": "new", "because": "the baseline does not measure it"}
        asked = before is not None or now is not None
        return {"because": "no question of its kind" if asked else "measured in neither run"}
    if now is None:
        if sides.current.run.tier == "retrieval" and metric.group == "answer":
            return {"because": "not measured in tier retrieval"}
        return {"state": "missing", "because": "is missing: the baseline has it and the run does not"}
    return None


def _asks_none(metric: Metric, side: Results) -> bool:
    measured = side.metrics.get(metric.name)
    return measured is None or (
        measured.attempted == 0 and not any(question.applies(metric.name) for question in side.questions)
    )


def _unsound(metric: Metric, sides: _Sides) -> str:
    named = ((sides.baseline, "the baseline"), (sides.current, "the run"))
    return next(filter(None, (unsound_because(metric.name, side, name) for side, name in named)), "")


def _instruments_changed(metric: Metric, sides: _Sides) -> str:
    """Which instrument of this measure is another one now, or is not known."""
    counted: tuple[str, ...] = ("counter",) if metric.name.startswith("recall") else ()
    names = tuple(_INSTRUMENTS) if metric.group == "answer" else counted
    before, now = sides.baseline.fingerprints, sides.current.fingerprints
    if changed := [_INSTRUMENTS[name] for name in names if before.get(name) != now.get(name)]:
        return f"another {' and another '.join(changed)} than the baseline's"
    unknown = [_INSTRUMENTS[name] for name in names if name not in now and name not in _NOT_ALWAYS]
    return f"neither run says which {' and '.join(unknown)} it had" if unknown else ""


def _too_little_shared(metric: Metric, sides: _Sides) -> str:
    """Why the questions that can be compared are too few, or no longer mean the same."""
    if sides.pairing.corpus_replaced:
        listed = " that is known" if sides.pairing.corpus_unknown else ""
        return f"no document of the corpus{listed} is the same; another corpus has a name of its own: dataset.name=NAME"
    pairs = comparable(metric.name, sides.pairing.pairs)
    known = sum(question.applies(metric.name) for question in sides.baseline.questions)
    unchanged = sum(not pair.documents_changed for pair in pairs)
    if not pairs:
        return "no question can be compared"
    needed = round(sides.rules.min_shared * known, 9)  # 0.28 of 25 is 7 and not a little more
    if len(pairs) < needed:
        return f"only {len(pairs)} of the baseline's {known} questions can be compared"
    if unchanged < needed:
        return f"the answer documents of {len(pairs) - unchanged} of {len(pairs)} shared questions changed"
    return ""


def _ruled(metric: Metric, sides: _Sides, blank: Finding) -> Finding:
    """The rule, applied to both means over the shared questions."""
    pairs = comparable(metric.name, sides.pairing.pairs)
    before, now = (math.fsum(values) / len(values) for values in values_of(metric.name, pairs))
    tolerance = sides.rules.tolerance_of(metric.name)
    found = replace(blank, state="passed", baseline=before, current=now, delta=delta(before, now), tolerance=tolerance)
    found = replace(found, questions=len(pairs))
    first, second = (before, now) if metric.higher_is_better else (-before, -now)
    if not regressed(first, second, tolerance):
        return found
    moved = "fell" if metric.higher_is_better else "rose"
    told = f"{moved} from {before:.4f} to {now:.4f} (tolerance {tolerance:g})"
    if metric.name == "faithfulness" and (reason := advisory_because(sides.current)):
        return replace(found, state="advisory", because=f"{told}; does not block: {reason}")
    return replace(found, state="regressed", because=told)


def _with_evidence(finding: Finding, metric: Metric, sides: _Sides, weigh: Weigh) -> Finding:
    if finding.delta is None:
        return finding
    return replace(finding, evidence=weigh(metric, comparable(metric.name, sides.pairing.pairs)))


def _number(measured: Measured | None) -> float | None:
    """A mean as far as it can be shown."""
    value = None if measured is None else measured.value
    return value if value is not None and math.isfinite(value) else None
