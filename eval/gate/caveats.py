"""What a reader must keep in mind with the values of a comparison, whatever the verdict."""

import math
from collections.abc import Iterator, Sequence

from eval.gate.pairing import Pairing, comparable, values_of
from eval.gate.results import Results
from eval.gate.trust import advisory_because
from eval.gate.verdict import Finding

PER_CHUNK, PER_DOCUMENT = "ndcg_at_10", "doc_ndcg_at_10"


def caveats(baseline: Results, current: Results, pairing: Pairing, findings: Sequence[Finding]) -> Iterator[str]:
    """A line for each: questions without a score, a measure that the chunker moves, a judge that only advises."""
    for finding in findings:
        if finding.delta is not None:
            yield from _unscored(finding, pairing)
    if any(finding.metric == PER_CHUNK and finding.delta is not None for finding in findings):
        yield from _other_chunks(baseline, current, pairing)
    judged = any(finding.metric == "faithfulness" and finding.delta is not None for finding in findings)
    if judged:
        yield from _trust(current)


def _trust(current: Results) -> Iterator[str]:
    """Why faithfulness does not block; or, where it may, what is not known of the judge."""
    if reason := advisory_because(current):
        yield f"faithfulness is told and does not block: {reason}"
    elif current.agreement is not None:
        yield from (f"faithfulness may block, but {warning}" for warning in current.agreement.warnings)


def _unscored(finding: Finding, pairing: Pairing) -> Iterator[str]:
    applies = sum(pair.current.applies(finding.metric) for pair in pairing.pairs)
    if finding.questions < applies:
        count = f"{finding.questions} of {applies} shared questions"
        yield f"{finding.metric} is compared on {count}: the rest has no score"


def _other_chunks(baseline: Results, current: Results, pairing: Pairing) -> Iterator[str]:
    pairs = comparable(PER_DOCUMENT, pairing.pairs)
    if not pairs or baseline.config.get("chunker") == current.config.get("chunker"):
        return
    before, now = (math.fsum(values) / len(pairs) for values in values_of(PER_DOCUMENT, pairs))
    yield (
        f"{PER_CHUNK} is per chunk, and another chunker moves it by itself; per document ({PER_DOCUMENT}) "
        f"{before:.4f} → {now:.4f}"
    )
