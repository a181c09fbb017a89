"""The runs of a sweep side by side, and which of their differences are more than noise."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.metrics.measures import GATED, METRICS
from eval.report.markdown import table
from eval.statistics import sign_flip_p

SIGNIFICANT = 0.05
# The gated measures, and two more without which a system that refuses everything would look good.
SHOWN = (*GATED, *(metric for metric in METRICS if metric.name in {"answer_relevancy", "false_refusal_rate"}))


@dataclass(frozen=True)
class Entry:
    """One run of a sweep, as read from its folder. ``values`` holds each shown measure by question fingerprint."""

    name: str
    error: str | None
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    context_tokens: float | None = None
    rank_ms: float | None = None

    @classmethod
    def read(cls, folder: Path) -> "Entry":
        """From the files of a run; a failed one has its error and nothing else."""
        summary = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        if summary["status"] != "FINISHED":
            return cls(summary["name"], summary["error"] or summary["status"])
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        return cls(
            name=summary["name"],
            error=None,
            metrics={metric.name: (report["metrics"].get(metric.name) or {}).get("value") for metric in SHOWN},
            values={metric.name: _values(report["questions"], metric.name) for metric in SHOWN},
            context_tokens=summary["metrics"]["run/context_tokens_per_question"],
            rank_ms=report["bills"]["latency_ms"]["rank"]["p50"],
        )

    def plain(self) -> dict[str, Any]:
        """The line of the leaderboard as JSON."""
        return {
            "name": self.name,
            "error": self.error,
            "metrics": dict(self.metrics),
            "context_tokens_per_question": self.context_tokens,
            "rank_p50_ms": self.rank_ms,
        }


def _values(questions: Sequence[Mapping[str, Any]], metric: str) -> dict[str, float]:
    return {row["fingerprint"]: row["values"][metric] for row in questions if row["values"][metric] is not None}


def rank_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Best first by recall, then by the other gated measures in turn; failed runs last, ties as they came."""

    def key(entry: Entry) -> tuple[Any, ...]:
        values = [entry.metrics.get(metric.name) for metric in GATED]
        return (entry.error is not None, *(-(value if value is not None else -1.0) for value in values))

    return sorted(entries, key=key)


def differences(leader: Entry, other: Entry) -> list[str]:
    """The measures in which ``other`` differs from ``leader`` by more than noise, on the questions they share."""
    found = []
    for metric in SHOWN:
        first, second = leader.values[metric.name], other.values[metric.name]
        shared = sorted(first.keys() & second.keys())
        p = sign_flip_p([first[key] for key in shared], [second[key] for key in shared]) if shared else 1.0
        if p < SIGNIFICANT:
            change = sum(second[key] - first[key] for key in shared) / len(shared)
            found.append(
                f"{metric.name} {change:+.3f} (p={p:.3f})" if p >= 0.001 else f"{metric.name} {change:+.3f} (p<0.001)"
            )
    return found


def _beside_leader(leader: Entry, other: Entry) -> str:
    if other is leader:
        return "leads"
    if other.error is not None:
        return f"failed: {other.error}"
    if not any(leader.values[metric.name].keys() & other.values[metric.name].keys() for metric in SHOWN):
        return "other questions"
    return ", ".join(differences(leader, other)) or "within noise"


def leaderboard_markdown(ranked: Sequence[Entry]) -> str:
    """The leaderboard as Markdown; ends with a line end."""
    if not ranked:
        return "No run finished.\n"
    header = ["run", *(metric.name for metric in SHOWN), "context tokens", "rank ms", "beside the first"]
    rows = [
        [
            entry.name,
            *(_shown(entry.metrics.get(metric.name)) for metric in SHOWN),
            _shown(entry.context_tokens, 0),
            _shown(entry.rank_ms, 2),
            _beside_leader(ranked[0], entry),
        ]
        for entry in ranked
    ]
    note = (
        f"Noise: paired sign-flip test per question and measure, p < {SIGNIFICANT}, not corrected for the number of "
        "comparisons. nDCG@10 is per chunk: between different chunkers it compares different things."
    )
    return f"{table(header, rows)}\n\n{note}\n"


def _shown(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
