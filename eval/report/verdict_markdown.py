"""A verdict for people: the report's section on the gate, and the summary of a job in continuous integration."""

from eval.gate.verdict import Evidence, Finding, Flip, Verdict
from eval.metrics.measures import METRICS
from eval.report.tables import in_line, table
from eval.statistics import fewest_changes

MOST_FLIPS = 20
TITLES = {
    "passed": "✅ Passed",
    "regressed": "❌ Regressed",
    "not_judged": "⚠️ Not judged",
    "no_baseline": "No baseline",
    "off": "Off",
}
_STATES = {
    "passed": "✅ passed",
    "regressed": "❌ regressed",
    "missing": "❌ missing",
    "advisory": "⚠️ worse, advisory",
    "invalid": "⚠️ no number",
    "incomparable": "⚠️ incomparable",
    "not_checked": "– not checked",
    "new": "– new",
}
_WATCHED = _STATES | {"regressed": "⚠️ worse", "missing": "⚠️ missing"}
_LOWER_IS_BETTER = {metric.name for metric in METRICS if not metric.higher_is_better}


def verdict_markdown(verdict: Verdict) -> list[str]:
    """The blocks of the section, without a title."""
    against = f" against {_baseline(verdict)}" if verdict.against else ""
    blocks = [in_line(f"**{TITLES[verdict.verdict]}**{against}: {verdict.because}.")]
    if verdict.findings:
        blocks.append(table(["metric", "baseline", "run", "change", "tolerance", "state"], map(_row, verdict.findings)))
        blocks.append("\n".join(_evidence_lines(verdict)))
        blocks.append(_flips(verdict))
    blocks.append("\n".join(in_line(f"- {note}") for note in (*verdict.notes, *verdict.caveats)))
    return [block for block in blocks if block]


def job_summary(verdict: Verdict, name: str) -> str:
    """The verdict as a page of its own; ends with a line end."""
    title = in_line(f"## Gate: {TITLES[verdict.verdict]} – {name}")
    return "\n\n".join([title, *verdict_markdown(verdict)]) + "\n"


def in_one_line(verdict: Verdict) -> str:
    """The verdict as it stands in a list of runs."""
    against = f" against {_baseline(verdict)}" if verdict.against else ""
    return in_line(f"{verdict.verdict.replace('_', ' ')}{against}: {verdict.because}")


def _baseline(verdict: Verdict) -> str:
    against = verdict.against
    return f"{against.get('name', 'a run')} ({', '.join(value for key, value in against.items() if key != 'name')})"


def _row(finding: Finding) -> list[object]:
    state = (_STATES if finding.gated else _WATCHED)[finding.state]
    reason = f" ({finding.because})" if finding.because and finding.delta is None else ""
    watched = "" if finding.gated else ", watched"
    return [
        f"{finding.metric}{' (lower is better)' if finding.metric in _LOWER_IS_BETTER else ''}",
        _value(finding.baseline),
        _value(finding.current),
        "–" if finding.delta is None else f"{finding.delta:+.4f}",
        "–" if finding.tolerance is None else f"{finding.tolerance:g}",
        f"{state}{watched}{reason}",
    ]


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _evidence_lines(verdict: Verdict) -> list[str]:
    """A line for each measure in which a question changed, and for recall in any case: it says what one question is."""
    return [
        f"- {finding.metric}: {_told(finding.evidence, finding.because)}."
        for finding in verdict.findings
        if finding.evidence is not None
        and (finding.evidence.gained or finding.evidence.lost or finding is verdict.hits)
    ]


def _told(evidence: Evidence, because: str) -> str:
    parts = [because] if because else []
    parts.append(evidence.words)
    if evidence.gained or evidence.lost:
        # a few flips can't be told from luck, and the interval would promise more
        if evidence.interval is not None and evidence.gained + evidence.lost >= fewest_changes(1):
            low, high = evidence.interval
            parts.append(f"95 % interval of the change {low:+.3f} to {high:+.3f}")
        parts.append(f"permutation p = {evidence.p:.2g}")
        if evidence.mcnemar_p is not None:
            parts.append(f"exact McNemar p = {evidence.mcnemar_p:.2g}")
    if evidence.questions < fewest_changes(1) or (evidence.detectable or 0) > 1:
        parts.append(f"{evidence.questions} questions can't show any change reliably")
    elif evidence.detectable is not None:
        parts.append(f"smallest change found in 4 of 5 cases: {100 * evidence.detectable:.3g} points or more")
    return "; ".join(parts)


def _flips(verdict: Verdict) -> str:
    """Questions that became a hit or a miss, with the rank of their first answer on both sides."""
    evidence = verdict.hits.evidence if verdict.hits is not None else None
    flips = evidence.flips if evidence is not None else ()
    if not flips:
        return ""
    rows = [
        [
            f"{flip.id}{'*' if flip.documents_changed else ''}",
            "hit → miss" if flip.current < flip.baseline else "miss → hit",
            _ranks(flip),
        ]
        for flip in sorted(flips, key=lambda flip: flip.current - flip.baseline)[:MOST_FLIPS]  # what was lost is first
    ]
    more = f"\n\n{len(flips) - MOST_FLIPS} more in report.json." if len(flips) > MOST_FLIPS else ""
    return table(["question", "recall", "rank of the first answer"], rows) + more


def _ranks(flip: Flip) -> str:
    return " → ".join("none" if rank is None else str(rank) for rank in (flip.baseline_rank, flip.current_rank))
