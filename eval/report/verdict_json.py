"""A verdict as JSON: the report's ``gate``."""

from dataclasses import asdict
from typing import Any

from eval.gate.pairing import Changes
from eval.gate.verdict import Finding, Verdict


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Verdict, reason, baseline, findings by measure, and the questions that became a hit or a miss."""
    data: dict[str, Any] = {
        "verdict": verdict.verdict,
        "because": verdict.because,
        "baseline": dict(verdict.against) or None,
        "metrics": {finding.metric: _finding(finding) for finding in verdict.findings},
        "notes": list(verdict.notes),
        "caveats": list(verdict.caveats),
    }
    flipped = verdict.hits.evidence if verdict.hits is not None else None
    data["flips"] = [asdict(flip) for flip in flipped.flips] if flipped is not None else []
    if verdict.pairing is not None:
        pairs = verdict.pairing.pairs
        data["shared_questions"] = len(pairs)
        data["golden_set"] = {**_changes(verdict.pairing.questions), "renamed": dict(verdict.pairing.renamed)}
        data["corpus"] = {
            **_changes(verdict.pairing.documents),
            "touched_questions": [pair.current.id for pair in pairs if pair.documents_changed],
        }
    return data


def _finding(finding: Finding) -> dict[str, Any]:
    return {key: value for key, value in asdict(finding).items() if key != "metric"}


def _changes(changes: Changes) -> dict[str, list[str]]:
    return {kind: list(ids) for kind, ids in asdict(changes).items()}
