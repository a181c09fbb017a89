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
    """The accepted run. ``against`` describes it; ``remarks`` tell what a reader must know of where it was read.

    ``instead_of`` says why the registered baseline could not be asked. A portable report may be older than that, so a
    run can fail against it and not pass.
    """

    results: Results
    against: Mapping[str, str]
    remarks: tuple[str, ...] = ()
    instead_of: str = ""


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
    if baseline.instead_of and verdict.verdict == "passed":
        because = (
            f"the portable report is met, but {baseline.instead_of}; gate.source=anchor judges by that report alone"
        )
        verdict = replace(verdict, verdict="not_judged", because=because)
    return replace(verdict, notes=(*baseline.remarks, *verdict.notes))
