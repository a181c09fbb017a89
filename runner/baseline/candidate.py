"""Whether a run may become the baseline."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlflow.entities import Run

from eval.errors import EvalfirstError
from eval.gate.compare import compare
from eval.gate.decide import Baseline, NoBaseline, decide
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import REGRESSED_EXIT, Verdict
from runner.baseline.find import portable
from runner.baseline.registry import REPORT, BaselineBrokenError, Registry
from runner.tracking.store import COMPLETE_TAG


class PromotionRefusedError(EvalfirstError):
    """The run may not become the baseline; says why, and what would help."""


class RegressedError(PromotionRefusedError):
    """It may not, because it is worse than the baseline."""

    exit_code = REGRESSED_EXIT


def report_of(registry: Registry, run: Run) -> dict[str, Any]:
    """The report of a run that may be promoted."""
    name = f"run {run.info.run_id} ({run.info.run_name})"
    if run.info.lifecycle_stage == "deleted":
        raise PromotionRefusedError(
            f"{name} was deleted; bring it back first with: mlflow runs restore --run-id {run.info.run_id}"
        )
    if run.info.status != "FINISHED" or run.data.tags.get(COMPLETE_TAG) != "true":
        reason = run.data.tags.get("evalfirst.error") or f"its status is {run.info.status}"
        raise PromotionRefusedError(f"{name} is not a complete run, and only those can be the baseline: {reason}")
    report = registry.report(run, name)
    results = Results.of(report, f"{REPORT} of {name}")
    itself = compare(results, results, Gate(), against={})
    if itself.verdict != "passed":
        raise PromotionRefusedError(f"{name} can't be the baseline: {itself.because}")
    return report


def verdict_on(registry: Registry, report: Mapping[str, Any], anchor: Path) -> Verdict | None:
    """The run against the present baseline, registered or portable; nothing where none can be relied on."""
    baseline = _registered(registry, report["run"]["dataset"]) or portable(anchor, "no run is registered")
    if isinstance(baseline, NoBaseline):
        return None
    rules = Gate.of(report)
    judged = replace(rules, mode="enforce") if rules.mode == "off" else rules
    return decide(Results.of(report, "the run's report"), judged, baseline)


def _registered(registry: Registry, model: str) -> Baseline | None:
    try:
        present = registry.current(model)
        if present is None:
            return None
        accepted = Results.of(registry.report_of(present), present.title)
    except BaselineBrokenError:
        return None
    return Baseline(accepted, {"name": present.title, "run": present.run_id})


def refuse_worse(run: Run, verdict: Verdict | None) -> None:
    remedy = "to promote it all the same, say why: --force REASON"
    if verdict is None:
        if run.data.tags.get("evalfirst.gate") == "regressed":
            raise RegressedError(f"run {run.info.run_id} was judged worse than the baseline of its time; {remedy}")
        return
    if verdict.verdict == "regressed":
        raise RegressedError(
            f"run {run.info.run_id} is worse than the baseline {verdict.against['name']}: {verdict.because}; {remedy}"
        )
    unchecked = [finding.metric for finding in verdict.findings if finding.gated and finding.baseline is not None]
    lost = [finding for finding in verdict.findings if finding.metric in unchecked and finding.current is None]
    if lost:
        names = ", ".join(finding.metric for finding in lost)
        raise PromotionRefusedError(
            f"run {run.info.run_id} does not measure {names}, which the baseline does; the gate would no longer check "
            f"it; {remedy}"
        )
