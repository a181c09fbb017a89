"""The gate: the verdict on a run, given the rules and whatever baseline was found."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from eval.gate.compare import compare
from eval.gate.evidence import weigh
from eval.gate.results import Results
from eval.gate.rules import Gate
from eval.gate.verdict import Verdict


@dataclass(frozen=True)
class Baseline:
    """The accepted run. ``against`` describes it; ``remarks`` tell what a reader must know of where it was read."""

    results: Results
    against: Mapping[str, str]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoBaseline:
    """Why there is nothing to compare with; ``broken`` where a baseline was registered and can't be relied on."""

    because: str
    broken: bool = False


def decide(results: Results, rules: Gate, baseline: Baseline | NoBaseline) -> Verdict:
    """The verdict on a run, with its evidence."""
    if rules.mode == "off":
        return Verdict("off", "the gate is off")
    if isinstance(baseline, NoBaseline):
        return Verdict("not_judged" if baseline.broken else "no_baseline", baseline.because)
    verdict = compare(baseline.results, results, rules, baseline.against, weigh)
    return replace(verdict, notes=(*baseline.remarks, *verdict.notes))
