"""Whether a judge may stop a change: only one that agrees with people, and that finds an invention."""

import math

from eval.gate.results import Agreement, Results
from eval.judges.probes import FABRICATION

AGREES_FROM = 0.8
ENOUGH_LABELS = 10
_RECORD = "python -m runner.labels agreement RUN adds the verdicts of a run's judge"


def advisory_because(results: Results) -> str:
    """Why the run's judge only advises; empty where it may block."""
    if any(probe.name.startswith(FABRICATION) and not probe.passed for probe in results.probes):
        return "the judge does not find a fabricated answer"
    known = results.agreement
    if known is None or known.labels < 1:
        return "no answers were labelled by people to check this judge with"
    if known.judge != results.fingerprints.get("judge"):
        return f"the labels are about another judge; {_RECORD}"
    return _too_few(known) or _one_sided(known) or _disagrees(known)


def _too_few(known: Agreement) -> str:
    if known.labels >= ENOUGH_LABELS:
        return ""
    if (known.labelled or 0) >= ENOUGH_LABELS:
        return f"this judge's verdict is known of only {known.labels} of {known.labelled} labelled answers; {_RECORD}"
    answers = "one answer was" if known.labels == 1 else f"{known.labels} answers were"
    return f"only {answers} labelled by people to check this judge with, {ENOUGH_LABELS} are needed"


def _one_sided(known: Agreement) -> str:
    if known.unsupported and known.found == 0:
        return f"the judge found none of the answers that people found unsupported ({known.unsupported})"
    if known.supported and known.kept == 0:
        return f"the judge called all answers unsupported that people found supported ({known.supported})"
    return ""


def _disagrees(known: Agreement) -> str:
    if not math.isfinite(known.agreement) or known.agreement < AGREES_FROM:
        return f"the judge agrees with people in {known.agreement:.2f} of {known.labels} labels, below {AGREES_FROM}"
    return ""
