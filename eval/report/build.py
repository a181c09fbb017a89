"""The report: a run's results, the gate's verdict on them, and the checks of both."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from eval.gate.decide import Baseline, NoBaseline, decide
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import Verdict
from eval.labels.items import Labels
from eval.labels.standing import report_agreement
from eval.metrics.mean import Mean
from eval.metrics.measures import GATED, incomplete_because, measure
from eval.records import RunRecord
from eval.report.acceptance import Check, acceptance
from eval.report.layout import lay_out
from eval.report.verdict_json import verdict_data

NOTHING_PROMOTED = NoBaseline("nothing was promoted yet: python -m runner.promote RUN makes a run the baseline")


@dataclass(frozen=True)
class Report:
    """The report in two forms: ``data`` is JSON-ready, the rest is what the Markdown form needs beside it."""

    data: Mapping[str, Any]
    means: Mapping[str, Mean]
    checks: tuple[Check, ...]
    incomplete: str | None
    verdict: Verdict

    @property
    def gated(self) -> dict[str, float]:
        """The gated measures that have a value."""
        values = {metric.name: self.means[metric.name].value for metric in GATED if metric.name in self.means}
        return {name: value for name, value in values.items() if value is not None}


def build_report(
    run: RunRecord,
    run_id: str,
    rules: Gate | None = None,
    baseline: Baseline | NoBaseline = NOTHING_PROMOTED,
    labels: Labels | None = None,
) -> Report:
    """Measure the records, hold the judge against the labels of people, compare with the baseline, and lay it out."""
    rules = rules or Gate()
    means = measure(run.records)
    data = lay_out(run, means, run_id)
    data["agreement"] = None if labels is None else report_agreement(labels, data)
    results = Results.of(data, "the run's report")
    verdict = decide(results, rules, baseline)
    checks = acceptance(run, means, results, rules)
    concluded = {"gate": verdict_data(verdict), "acceptance": [asdict(check) for check in checks]}
    return Report({**data, **concluded}, means, checks, incomplete_because(means, run.max_unscored), verdict)
