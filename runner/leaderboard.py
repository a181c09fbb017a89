"""The runs of a sweep side by side, and which of their differences are more than noise."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from eval.metrics.measures import GATED, METRICS, Metric
from eval.report.tables import table
from eval.statistics import SIGNIFICANT, fewest_changes, holm, sign_flip_p

# The gated measures; without relevancy and wrong refusals a system that refuses everything would look good, and
# only documents are comparable between chunkers.
BESIDE = ("doc_ndcg_at_10", "answer_relevancy", "false_refusal_rate")
SHOWN = (*GATED, *(metric for metric in METRICS if metric.name in BESIDE))
PER_CHUNK = "ndcg_at_10"


@dataclass(frozen=True)
class Entry:
    """One run of a sweep, as read from its folder. ``values`` holds each shown measure by question."""

    name: str
    error: str | None
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    chunker: Any = None
    unscored: int = 0
    complete: bool = True
    context_tokens: float | None = None
    retrieval_ms: float | None = None

    @classmethod
    def read(cls, folder: Path) -> "Entry":
        """From the files of a run; a failed one has its error and nothing else."""
        try:
            return cls._read(folder)
        except (OSError, ValueError, KeyError) as error:
            return cls(folder.name, f"its record can't be read: {error}")

    @classmethod
    def _read(cls, folder: Path) -> "Entry":
        summary = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        if summary["status"] != "FINISHED":
            overrides = " ".join(summary["overrides"])
            return cls(summary["name"], f"{summary['error'] or summary['status']} [{overrides}]")
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        means = report["metrics"]
        return cls(
            name=summary["name"],
            error=None,
            metrics={metric.name: (means.get(metric.name) or {}).get("value") for metric in SHOWN},
            values={metric.name: _values(report["questions"], metric.name) for metric in SHOWN},
            chunker=report["config"].get("chunker"),
            complete=bool(summary.get("complete", True)),
            unscored=max(mean["attempted"] - mean["scored"] for mean in means.values()),
            context_tokens=summary["metrics"]["run/context_tokens_per_question"],
            retrieval_ms=_retrieval_ms(report["bills"]["latency_ms"]),
        )

    def plain(self) -> dict[str, Any]:
        """The line of the leaderboard as JSON."""
        return {
            "name": self.name,
            "error": self.error,
            "metrics": dict(self.metrics),
            "unscored": self.unscored,
            "complete": self.complete,
            "context_tokens_per_question": self.context_tokens,
            "retrieval_p50_ms": self.retrieval_ms,
        }


def _retrieval_ms(stages: Mapping[str, Any]) -> float:
    """Milliseconds from a question to its ranking: the medians of all that finds it, whoever does."""
    return float(sum(stages[stage]["p50"] for stage in ("query", "rank", "rerank", "respond") if stage in stages))


def _values(questions: Sequence[Mapping[str, Any]], metric: str) -> dict[str, float]:
    scored = (row for row in questions if row["values"][metric] is not None)
    return {f"{row['id']} {row['fingerprint']}": row["values"][metric] for row in scored}


def rank_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Best first by recall, then MRR, document nDCG, faithfulness, and right less wrong refusals; failed runs last.

    Runs that left questions unscored stand below those that scored them all, as their means are over other questions:
    a run would else look better for each hard question that it fails on. Right less wrong refusals is Youden's index
    (Cancer 3, 1950): refusing everything gains nothing by it. Runs that are equal keep their order.
    """

    def key(entry: Entry) -> tuple[Any, ...]:
        found = {name: value if value is not None else 0.0 for name, value in entry.metrics.items()}
        refusals = found.get("refusal_rate", 0.0) - found.get("false_refusal_rate", 0.0)
        order = [found.get(name, 0.0) for name in ("recall", "mrr", "doc_ndcg_at_10", "faithfulness")]
        return (entry.error is not None, entry.unscored > 0, *(-value for value in (*order, refusals)))

    return sorted(entries, key=key)


@dataclass(frozen=True)
class Difference:
    """The mean change of one measure from the first run to another, over the questions that both scored."""

    metric: Metric
    change: float
    p: float

    def __str__(self) -> str:
        """The measure, its change, whether that is for the better, and how surprising it is."""
        better = (self.change > 0) == self.metric.higher_is_better
        p = "p<0.001" if self.p < 0.001 else f"p={self.p:.3f}"
        return f"{self.metric.name} {self.change:+.3f} {'better' if better else 'worse'} ({p})"


@dataclass(frozen=True)
class Comparison:
    """What differs between the first run and another: beyond noise, and only if it were the one comparison made."""

    beyond_noise: tuple[Difference, ...] = ()
    uncorrected: tuple[Difference, ...] = ()

    def __str__(self) -> str:
        """The finding in words."""
        if self.beyond_noise:
            return ", ".join(map(str, self.beyond_noise))
        if self.uncorrected:
            return f"perhaps {', '.join(map(str, self.uncorrected))}"
        return "no difference beyond noise"


def compare(first: Entry, others: Sequence[Entry]) -> tuple[list[Comparison], int]:
    """Each other run beside the first one, and how many comparisons that took.

    The p-values of the whole leaderboard are adjusted together (Holm). nDCG per chunk is compared only between
    runs that cut documents alike.
    """
    found = [(place, each) for place, other in enumerate(others) for each in _compared(first, other)]
    adjusted = holm([each.p for _, each in found])
    judged = [(place, replace(each, p=p), each) for (place, each), p in zip(found, adjusted, strict=True)]
    comparisons = [
        Comparison(
            tuple(each for at, each, _ in judged if at == place and each.p < SIGNIFICANT),
            tuple(raw for at, each, raw in judged if at == place and raw.p < SIGNIFICANT <= each.p),
        )
        for place in range(len(others))
    ]
    return comparisons, len(found)


def _compared(first: Entry, other: Entry) -> list[Difference]:
    metrics = [metric for metric in SHOWN if metric.name != PER_CHUNK or first.chunker == other.chunker]
    compared = []
    for metric in metrics:
        before, after = first.values.get(metric.name, {}), other.values.get(metric.name, {})
        shared = sorted(before.keys() & after.keys())
        changes = [after[key] - before[key] for key in shared]
        if any(changes):
            p = sign_flip_p([after[key] for key in shared], [before[key] for key in shared])
            compared.append(Difference(metric, sum(changes) / len(shared), p))
    return compared


def leaderboard_markdown(ranked: Sequence[Entry]) -> str:
    """The leaderboard as Markdown; ends with a line end."""
    if not ranked:
        return "No run finished.\n"
    header = ["run", *(metric.name for metric in SHOWN), "context tokens", "retrieval ms", "beside the first"]
    remarks, comparisons = _remarks(ranked)
    rows = [
        [
            entry.name,
            *(_shown(entry.metrics.get(metric.name)) for metric in SHOWN),
            _shown(entry.context_tokens, 0),
            _shown(entry.retrieval_ms, 2),
            remark,
        ]
        for entry, remark in zip(ranked, remarks, strict=True)
    ]
    note = f"\n{_note(ranked[0], comparisons)}\n" if comparisons else ""
    return f"{table(header, rows)}\n{note}"


def _remarks(ranked: Sequence[Entry]) -> tuple[list[str], int]:
    """The last column, what each run is beside the first; and how many comparisons that took."""
    first, *others = ranked
    found, comparisons = compare(first, others)
    said = [_remark(first, other, each) for other, each in zip(others, found, strict=True)]
    return [f"failed: {first.error}" if first.error else _with_unscored(first, "first"), *said], comparisons


def _remark(first: Entry, other: Entry, found: Comparison) -> str:
    if other.error is not None:
        return f"failed: {other.error}"
    if not any(first.values[metric.name].keys() & other.values[metric.name].keys() for metric in SHOWN):
        return _with_unscored(other, "other questions")
    if first.values == other.values:
        return _with_unscored(other, "the same")
    return _with_unscored(other, str(found))


def _with_unscored(entry: Entry, remark: str) -> str:
    told = [remark, "" if entry.complete else "incomplete", _unscored(entry.unscored)]
    return "; ".join(filter(None, told))


def _unscored(questions: int) -> str:
    return "" if not questions else "1 question unscored" if questions == 1 else f"{questions} questions unscored"


def _note(first: Entry, comparisons: int) -> str:
    """What the comparison can and can't show with this golden set."""
    fewest = fewest_changes(comparisons)
    questions = {metric.name: len(first.values.get(metric.name, {})) for metric in SHOWN}
    blind = [name for name, count in questions.items() if count < fewest]
    too_few = f" Too few questions for that: {', '.join(blind)}." if blind else ""
    return (
        f"Differences: paired sign-flip test over questions, p < {SIGNIFICANT} after Holm's correction for "
        f"{comparisons} comparisons; «perhaps» is below it only before the correction. The clearest needs {fewest} "
        f"questions that change, all one way.{too_few} nDCG@10 is per chunk and not compared between runs that cut "
        "documents differently."
    )


def _shown(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
