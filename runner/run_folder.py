"""A run as files: written whole before the tracking database is asked, and all that is needed to log it later."""

import json
import platform
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eval.metrics.measures import METRICS
from eval.records import RunRecord
from eval.report.build import Report
from eval.report.junit import junit_xml
from eval.report.tables import shown, table
from eval.report.verdict_markdown import in_one_line, job_summary
from runner.config.values import as_yaml
from runner.fingerprints import MEASURED
from runner.places import write_whole

# Versions that a measured value or its record can depend on.
PACKAGES = ("evalfirst", "hydra-core", "mlflow", "numpy", "PyStemmer", "quicktok-v1", "regex")
# The latest verdict, as a page and as JUnit XML.
VERDICT = ("gate.md", "gate.xml")


@dataclass(frozen=True)
class Job:
    """What Hydra knows of a run: its folder, the option chosen in each group, its sweep, and when it began.

    ``experiment`` is that of its sweep, whose runs are kept together, or else the dataset's own; ``reports`` is the
    folder of the latest report.
    """

    folder: Path
    choices: Mapping[str, str]
    overrides: tuple[str, ...]
    sweep: str | None
    reports: Path
    experiment: str | None = None
    started: int = 0

    @property
    def run_id(self) -> str:
        """What the record calls the run: its folder's name, within its sweep's."""
        return self.folder.name if self.sweep is None else f"{self.sweep}/{self.folder.name}"


def to_json(value: Any) -> str:
    """Readable JSON: sorted keys, an entry of its lists and objects on each line; refuses NaN, which is not JSON."""
    return "".join(_json(value))


def _json(value: Any) -> Iterator[str]:
    """As ``to_json``, piece by piece: a report of thousands of questions is large."""
    if not isinstance(value, Mapping):
        yield from _rows(value, "")
    else:
        for number, key in enumerate(sorted(value)):
            yield f"{',' if number else '{'}\n  {_line(key)}: "
            yield from _rows(value[key], "  ")
        yield "\n}" if value else "{\n\n}"
    yield "\n"


def _rows(value: Any, indent: str) -> Iterator[str]:
    """A list or an object with each of its entries on a line; library code in C writes those, deep as they may be."""
    if isinstance(value, Mapping) and value:
        rows = (f"{_line(key)}: {_line(value[key])}" for key in sorted(value))
    elif isinstance(value, list) and value:
        rows = (_line(each) for each in value)
    else:
        yield _line(value)
        return
    first, last = "{}" if isinstance(value, Mapping) else "[]"
    for number, row in enumerate(rows):
        yield f"{',' if number else first}\n{indent}  {row}"
    yield f"\n{indent}{last}"


def write_run(job: Job, run: RunRecord, report: Report, markdown: str, exit_code: int, ended: int) -> None:
    """Write a finished run into its folder, and its report as the latest one.

    ``run.json`` comes last in the folder: where it stands, everything else does.
    """
    files: dict[str, str | Iterable[str]] = {
        "report.json": _json(report.data),
        "report.md": markdown,
        "config.yaml": as_yaml(run.config),
        "records.jsonl": _lines(report.data["questions"]),
        "per_question.json": _per_question(report.data["questions"]),
    }
    for name, text in files.items():
        write_whole(job.folder / name, text)
    summary = {**_summary(job, run, report, exit_code, ended), "files": sorted(files)}
    write_whole(job.folder / "run.json", to_json(summary))
    with (job.folder / "report.json").open(encoding="utf-8") as written:
        write_whole(job.reports / "latest.json", written)
    write_whole(job.reports / "latest.md", markdown)
    if job.sweep is None:  # of the runs of a sweep none is the one that counts
        write_whole(job.reports / VERDICT[0], job_summary(report.verdict, run.name))
        write_whole(job.reports / VERDICT[1], junit_xml(report.verdict, run.name))


def forget_verdict(reports: Path) -> None:
    """Take away the latest verdict before another run begins, lest an old one be read as that of a run that failed."""
    for name in VERDICT:
        with suppress(OSError):  # where nothing can be removed nothing can be written, and that is told
            (reports / name).unlink()


def write_failure(
    job: Job, name: str, config: Mapping[str, Any], status: str, error: str, exit_code: int, ended: int
) -> None:
    """Write what is known of a run that failed, so that it is not lost among those that did not."""
    summary = {
        **_common(job, name, exit_code, ended),
        "tracking": destination(config),
        "status": status,
        "complete": False,
        "error": error,
        "params": _params(config, job.choices),
        "metrics": {},
        "tags": {**_versions(), "evalfirst.error": error},
        "dataset": None,
    }
    write_whole(job.folder / "run.json", to_json(summary))


def _summary(job: Job, run: RunRecord, report: Report, exit_code: int, ended: int) -> dict[str, Any]:
    tags = {f"evalfirst.fingerprint.{name}": value for name, value in run.fingerprints.items()}
    tags |= {"evalfirst.dataset": run.dataset.name}
    tags |= {"evalfirst.gate": report.verdict.verdict, "evalfirst.gate.because": report.verdict.because}
    return {
        **_common(job, run.name, exit_code, ended),
        "tracking": destination(run.config),
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


def _common(job: Job, name: str, exit_code: int, ended: int) -> dict[str, Any]:
    return {
        "id": job.run_id,
        "name": name,
        "experiment": job.experiment,
        "exit_code": exit_code,
        "started": job.started,
        "ended": ended,
        "sweep": job.sweep,
        "overrides": list(job.overrides),
    }


def destination(config: Mapping[str, Any]) -> dict[str, Any]:
    """Where a run is to be logged, as its record says it."""
    tracking = config.get("tracking") or {}
    switched_off = tracking.get("_target_", "").endswith(".NoTracking")
    return {"uri": tracking.get("uri"), "experiment": tracking.get("experiment"), "wanted": not switched_off}


def _note(report: Report) -> str:
    """The run's description in the UI, of which a page shows the first few lines: the verdict, then the measures."""
    measured = [(metric, report.means.get(metric.name)) for metric in METRICS]
    shown_values = [(metric.name, mean) for metric, mean in measured if mean is not None and mean.value is not None]
    gated = [(name, shown(mean)) for name, mean in shown_values if name in report.gated]
    beside = [f"{name} {shown(mean)}" for name, mean in shown_values if name not in report.gated]
    row = table([name for name, _ in gated], [[value for _, value in gated]]) if gated else ""
    return "\n\n".join(filter(None, [f"**Gate: {in_one_line(report.verdict)}**", row, ", ".join(beside)]))


def _metrics(run: RunRecord, report: Report) -> dict[str, float]:
    """Metrics under the names that the UI sections its charts by, the gated first in its alphabetical columns.

    What has no value is left out.
    """
    groups = {metric.name: "gated" if metric.gated else "measures" for metric in METRICS}
    measured = {f"{groups[name]}/{name}": mean.value for name, mean in report.means.items() if mean.value is not None}
    questions = max(len(run.records), 1)
    stages = report.data["bills"]["latency_ms"]
    return {
        **measured,
        "run/cost_usd": report.data["bills"]["usd"]["paid"],
        "run/context_tokens_per_question": run.counts["context_tokens"] / questions,
        "run/chunks": run.counts["chunks"],
        "run/unscored": max((mean.attempted - mean.scored for mean in report.means.values()), default=0),
        **{f"run/latency_{stage}_{part}_ms": times[part] for stage, times in stages.items() for part in ("p50", "p95")},
    }


def _params(config: Mapping[str, Any], choices: Mapping[str, str]) -> dict[str, Any]:
    """The chosen option of each group, and every plain setting below it under its dotted key."""
    params: dict[str, Any] = {}
    for group in ("dataset", *MEASURED):
        if group in config:  # a part that took no part is not named
            params[group] = choices.get(group)
            params.update(_flat(group, config[group]))
    return params


def _flat(prefix: str, node: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.items():
        if isinstance(value, Mapping):
            found.update(_flat(f"{prefix}.{key}", value))
        elif key != "_target_" and not isinstance(value, list):
            # blanks and line ends would not show
            invisible = isinstance(value, str) and (value != value.strip() or not value.isprintable())
            found[f"{prefix}.{key}"] = json.dumps(value, ensure_ascii=False) if invisible else value
    return found


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    return (f"{_line(row)}\n" for row in rows)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _per_question(rows: list[dict[str, Any]]) -> str:
    """The table that the UI lines up by question: pandas' split orientation."""
    shown = ("id", "hit", "type", "first_hit_rank", "tokens_to_hit", "question", "reciprocal_rank", "ndcg_at_10")
    plain = (*shown, "tokens")
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
    versions = {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}}
    told = ", ".join(f"{name} {number}" for name, number in versions.items())
    source = {"mlflow.source.name": "python -m runner", "mlflow.source.type": "LOCAL"}
    return {"evalfirst.versions": told, **source, **_git()}


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
