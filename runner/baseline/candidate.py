"""Whether a run may become the baseline."""

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


def candidate(registry: Registry, run: Run) -> tuple[dict[str, Any], Results]:
    """The report of a run that may be promoted, as it is and as the gate reads it.

    Raises:
        PromotionRefusedError: the run is none.
    """
    name = f"run {run.info.run_id} ({run.info.run_name})"
    if run.info.lifecycle_stage == "deleted":
        restore = registry.address.shell(f"mlflow runs restore --run-id {run.info.run_id}")
        raise PromotionRefusedError(f"{name} was deleted; bring it back first with: {restore}")
    if run.info.status != "FINISHED" or run.data.tags.get(COMPLETE_TAG) != "true":
        reason = run.data.tags.get("evalfirst.error") or f"its status is {run.info.status}"
        raise PromotionRefusedError(f"{name} is not a complete run, and only those can be the baseline: {reason}")
    report = registry.report(run, name)
    results = Results.of(report, f"{REPORT} of {name}")
    itself = compare(results, results, Gate(), against={})
    if itself.verdict != "passed":
        raise PromotionRefusedError(f"{name} can't be the baseline: {itself.because}")
    return report, results


def verdict_on(registry: Registry, results: Results, anchor: Path) -> Verdict | None:
    """The run against the present baseline, by the narrower of both one's rules; nothing before the first promotion."""
    accepted = _accepted(registry, results.run.dataset, anchor)
    if isinstance(accepted, NoBaseline):
        return Verdict("not_judged", accepted.because) if accepted.broken else None
    rules = Gate.of(results.config).strictest(Gate.of(accepted.results.config))
    return decide(results, replace(rules, mode="enforce"), accepted)


def _accepted(registry: Registry, model: str, anchor: Path) -> Baseline | NoBaseline:
    """The registered baseline; the portable one where nothing is registered, or what is can't be relied on."""
    try:
        present = registry.current(model)
        if present is None:
            return portable(anchor, "no run is registered")
        accepted = Results.of(registry.report_of(present), present.title)
    except BaselineBrokenError as error:
        instead = portable(anchor, str(error))
        return NoBaseline(str(error), broken=True) if isinstance(instead, NoBaseline) else instead
    return Baseline(accepted, {"name": present.title, "run": present.run_id})


def refuse_worse(run: Run, verdict: Verdict | None) -> None:
    """Refuse what can't be shown to be as good as the baseline.

    Raises:
        PromotionRefusedError: it is worse, was not comparable, or measures less than the baseline.
    """
    name, remedy = f"run {run.info.run_id}", "to promote it all the same, say why: --force REASON"
    if verdict is None:
        if run.data.tags.get("evalfirst.gate") == "regressed":
            raise RegressedError(f"{name} was judged worse than the baseline of its time; {remedy}")
        return
    told = "; ".join([verdict.because, *(caveat for caveat in verdict.caveats if caveat.startswith("ndcg"))])
    if verdict.verdict == "regressed":
        raise RegressedError(f"{name} is worse than {verdict.against['name']}: {told}; {remedy}")
    if verdict.verdict != "passed":
        raise PromotionRefusedError(f"{name} can't be compared with the baseline: {told}; {remedy}")
    measured = [finding for finding in verdict.findings if finding.gated and finding.baseline is not None]
    if lost := [finding.metric for finding in measured if finding.current is None]:
        raise PromotionRefusedError(
            f"{name} does not measure {', '.join(lost)}, which the baseline does; the gate would no longer check it; "
            f"{remedy}"
        )
