"""Whether a judge may stop a change: only one that agrees with people, and that finds an invention."""

import math

from eval.gate.results import Results
from eval.judges.probes import FABRICATION

AGREES_FROM = 0.8
ENOUGH_LABELS = 10


def advisory_because(results: Results) -> str:
    """Why the run's judge only advises; empty where it may block."""
    if any(probe.name.startswith(FABRICATION) and not probe.passed for probe in results.probes):
        return "the judge does not find a fabricated answer"
    known = results.agreement
    if known is None or known.labels < 1:
        return "no answers were labelled by people to check this judge with"
    if known.judge != results.fingerprints.get("judge"):
        return "the labels are about another judge"
    if known.labels < ENOUGH_LABELS:
        answers = "one answer was" if known.labels == 1 else f"{known.labels} answers were"
        return f"only {answers} labelled by people to check this judge with, {ENOUGH_LABELS} are needed"
    if known.unsupported and known.found == 0:
        return f"the judge found none of the answers that people found unsupported ({known.unsupported})"
    if not math.isfinite(known.agreement) or known.agreement < AGREES_FROM:
        return f"the judge agrees with people in {known.agreement:.2f} of {known.labels} labels, below {AGREES_FROM}"
    return ""
