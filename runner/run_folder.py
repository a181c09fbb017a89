"""A run as files: written whole before the tracking database is asked, and all that is needed to log it later."""

import json
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eval.metrics.measures import METRICS
from eval.records import RunRecord
from eval.report.build import Report
from eval.report.markdown import render_markdown
from runner.config import as_yaml
from runner.fingerprints import MEASURED
from runner.places import mlruns, write_whole

# Versions that a measured value or its record can depend on.
PACKAGES = ("evalfirst", "hydra-core", "mlflow", "numpy", "PyStemmer", "quicktok-v1", "rank-bm25", "regex")

UNREADABLE = "failed"  # the experiment of a single run that failed: it may not have got as far as its dataset


@dataclass(frozen=True)
class Job:
    """What Hydra knows of a run: its folder, the option chosen in each group, its sweep, and when it began.

    ``experiment`` is that of its sweep, whose runs are kept together; ``None`` for the dataset's own.
    """

    folder: Path
    choices: Mapping[str, str]
    overrides: tuple[str, ...]
    sweep: str | None
    started: int
    experiment: str | None = None

    @property
    def run_id(self) -> str:
        """What the record calls the run: its folder's name, within its sweep's."""
        return self.folder.name if self.sweep is None else f"{self.sweep}/{self.folder.name}"


def to_json(value: Any) -> str:
    """Readable JSON with sorted keys; refuses NaN, which is not JSON."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n"


def write_run(job: Job, run: RunRecord, report: Report, ended: int) -> str:
    """Write a finished run into its folder, and its report as the latest one. Returns the Markdown report."""
    markdown = render_markdown(run, report)
    as_json = to_json(report.data)
    write_whole(job.folder / "report.json", as_json)
    write_whole(job.folder / "report.md", markdown)
    write_whole(job.folder / "config.yaml", as_yaml(run.config))
    write_whole(job.folder / "records.jsonl", _lines(report.data["questions"]))
    write_whole(job.folder / "per_question.json", _per_question(report.data["questions"]))
    write_whole(mlruns() / "reports" / "latest.json", as_json)
    write_whole(mlruns() / "reports" / "latest.md", markdown)
    write_whole(job.folder / "run.json", to_json(_summary(job, run, report, ended)))
    return markdown


def write_failure(job: Job, name: str, config: Mapping[str, Any], error: str, ended: int) -> None:
    """Write what is known of a run that failed, so that it is not lost among those that did not."""
    summary = {
        **_common(job, name, UNREADABLE, ended),
        "tracking": _destination(config),
        "status": "FAILED",
        "complete": False,
        "error": error,
        "params": _params(config, job.choices),
        "metrics": {},
        "tags": {**_versions(), "evalfirst.error": error},
        "dataset": None,
    }
    write_whole(job.folder / "run.json", to_json(summary))


def _summary(job: Job, run: RunRecord, report: Report, ended: int) -> dict[str, Any]:
    tags = {f"evalfirst.fingerprint.{name}": value for name, value in run.fingerprints.items()}
    return {
        **_common(job, run.name, run.dataset.name, ended),
        "tracking": _destination(run.config),
        "status": "FINISHED",
        "complete": report.incomplete is None,
        "error": report.incomplete,
        "params": _params(run.config, job.choices),
        "metrics": _metrics(run, report),
        "tags": {**_versions(), **tags, "evalfirst.tier": run.tier, "mlflow.note.content": _note(report)},
        "dataset": {
            "name": run.dataset.name,
            "digest": f"{run.fingerprints['corpus']}-{run.fingerprints['golden_set']}",
            "source": {key: value for key, value in run.config["dataset"].items() if key != "_target_"},
            "profile": {"documents": run.counts["documents"], "questions": len(run.dataset.questions)},
        },
    }


def _common(job: Job, name: str, dataset: str, ended: int) -> dict[str, Any]:
    return {
        "id": job.run_id,
        "name": name,
        "experiment": job.experiment or dataset,
        "started": job.started,
        "ended": ended,
        "sweep": job.sweep,
        "overrides": list(job.overrides),
    }


def _destination(config: Mapping[str, Any]) -> dict[str, Any]:
    tracking = config.get("tracking") or {}
    return {key: tracking.get(key) for key in ("uri", "experiment")}


def _note(report: Report) -> str:
    values = [(name, mean.value) for name, mean in report.means.items() if mean.value is not None]
    return ", ".join(f"{name} {value:.3f}" for name, value in values)


def _metrics(run: RunRecord, report: Report) -> dict[str, float]:
    """Metrics under the names that the UI sections its charts by, the measures first in its alphabetical columns.

    What has no value is left out.
    """
    groups = {metric.name: metric.group for metric in METRICS}
    measured = {f"{groups[name]}/{name}": mean.value for name, mean in report.means.items() if mean.value is not None}
    questions = max(len(run.records), 1)
    stages = report.data["bills"]["latency_ms"]
    return {
        **measured,
        "run/cost_usd": report.data["bills"]["usd"]["paid"],
        "run/context_tokens_per_question": run.counts["context_tokens"] / questions,
        "run/chunks": run.counts["chunks"],
        **{f"run/latency_{stage}_{part}_ms": times[part] for stage, times in stages.items() for part in ("p50", "p95")},
    }


def _params(config: Mapping[str, Any], choices: Mapping[str, str]) -> dict[str, Any]:
    """The chosen option of each group, and every plain setting below it under its dotted key."""
    params: dict[str, Any] = {}
    for group in ("dataset", *MEASURED):
        params[group] = choices.get(group)
        params.update(_flat(group, config.get(group) or {}))
    return params


def _flat(prefix: str, node: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.items():
        if isinstance(value, Mapping):
            found.update(_flat(f"{prefix}.{key}", value))
        elif key != "_target_" and not isinstance(value, list):
            found[f"{prefix}.{key}"] = value
    return found


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n" for row in rows)


def _per_question(rows: list[dict[str, Any]]) -> str:
    """The table that the UI lines up by question: pandas' split orientation."""
    plain = (
        "id",
        "type",
        "question",
        "hit",
        "first_hit_rank",
        "reciprocal_rank",
        "ndcg_at_10",
        "tokens",
        "tokens_to_hit",
    )
    columns = [*plain, "missing", "faithfulness", "refused", "answer"]
    data = [
        [
            *(row[column] for column in plain),
            ", ".join(row["missing_doc_ids"]),
            row["values"]["faithfulness"],
            row["refused"],
            row["answer"],
        ]
        for row in rows
    ]
    return json.dumps({"columns": columns, "data": data}, ensure_ascii=False, allow_nan=False)


@cache
def _versions() -> dict[str, str]:
    tags = {f"evalfirst.version.{package}": version(package) for package in PACKAGES}
    return {**tags, "evalfirst.version.python": platform.python_version(), **_git()}


def _git() -> dict[str, str]:
    """Commit of the folder that the command runs in, marked where files differ from it; nothing outside of git."""

    def git(*arguments: str) -> str:
        # a fixed program name with fixed arguments
        return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603, S607

    try:
        commit, changed = git("rev-parse", "HEAD"), git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return {}
    return {"mlflow.source.git.commit": commit, "evalfirst.git.dirty": str(bool(changed)).lower()}
