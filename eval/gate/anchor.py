"""The portable baseline: a run's results without texts, small, sorted, one question a line, with a checksum."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.errors import InputError
from eval.fingerprints import fingerprint
from eval.gate.results import Results, read_object
from eval.gate.rules import RULES

FORMAT = 1
MOST_DOCUMENTS = 5000  # a larger corpus is known by its answer documents, lest the file grow past what people review
_RUN = ("id", "name", "dataset", "tier", "status", "complete", "incomplete_because")
_QUESTION = ("id", "type", "fingerprint", "answer_doc_ids", "first_hit_rank", "hit")
_CONFIG = ("chunker", "retriever", "budget", "generator", "judge", "tier", "max_unscored")
_TAKE_BACK = "take it back from version control, or write it anew with: python -m runner.promote --repair"
_BY_LINE = ("config", "documents", "questions")


@dataclass(frozen=True)
class Anchor:
    """A portable baseline as it was read; ``promotion`` says who made it the baseline, when and why."""

    results: Results
    promotion: Mapping[str, Any]
    checksum: str


def make_anchor(report: Mapping[str, Any], promotion: Mapping[str, str]) -> dict[str, Any]:
    """The portable form of a report; the same report and promotion give the same object.

    Args:
        report: the object of ``report.json``.
        promotion: who, when, why, and the run's id in the tracking database.
    """
    anchor = {
        "format": FORMAT,
        "run": {key: report["run"].get(key) for key in _RUN},
        "config": _config(report["config"]),
        "fingerprints": report["fingerprints"],
        "metrics": report["metrics"],
        "questions": sorted(map(_question, report["questions"]), key=lambda question: str(question["id"])),
        "documents": _documents(report),
        "documents_total": report["documents_total"],
        "probes": [{"name": probe["name"], "passed": probe["passed"]} for probe in report["probes"]],
        "agreement": report["agreement"],
        "promotion": dict(promotion),
    }
    return {**anchor, "checksum": fingerprint(anchor)}


def _config(config: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured, and the rules that it was judged by; nothing of places and of who runs it."""
    kept = {key: config[key] for key in _CONFIG if key in config}
    rules = config.get("gate") or {}
    return {**kept, "gate": {key: rules[key] for key in RULES if key in rules}}


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: value for name, value in question["values"].items() if value is not None}
    unscored = {"unscored": question["unscored"]} if question.get("unscored") else {}
    return {**{key: question.get(key) for key in _QUESTION}, **unscored, "values": values}


def _documents(report: Mapping[str, Any]) -> dict[str, str]:
    documents: dict[str, str] = report["documents"]
    if len(documents) <= MOST_DOCUMENTS:
        return documents
    answers = {name for question in report["questions"] for name in question["answer_doc_ids"]}
    return {name: documents[name] for name in sorted(answers & documents.keys())}


def anchor_text(anchor: Mapping[str, Any]) -> str:
    """The file: keys sorted, a line for each part, document and question, so that a review shows what changed."""
    body = ",\n".join(f"{json.dumps(key)}: {_laid_out(key, anchor[key])}" for key in sorted(anchor))
    return f"{{\n{body}\n}}\n"


def _laid_out(key: str, value: Any) -> str:
    if key not in _BY_LINE or not value:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False)
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{_line(name)}: {_line(value[name])}" for name in sorted(value)) + "\n}"
    return "[\n" + ",\n".join(map(_line, value)) + "\n]"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


def read_anchor(path: Path) -> Anchor:
    """Read a portable baseline.

    Raises:
        InputError: there is none, it can't be read, or it is not as it was written.
    """
    try:
        data = read_object(path)
    except InputError as error:
        raise InputError(f"{error}; {_TAKE_BACK}") from error
    return check_anchor(data, str(path))


def check_anchor(data: Mapping[str, Any], where: str) -> Anchor:
    """Read a portable baseline that was parsed already; errors as for ``read_anchor``."""
    content = {key: value for key, value in data.items() if key != "checksum"}
    if data.get("format") != FORMAT:
        raise InputError(
            f"{where} is no portable baseline of format {FORMAT} (got {data.get('format')!r}); "
            "write a new one with: python -m runner.promote RUN"
        )
    if not is_intact(data):
        raise InputError(f"{where} was changed after it was written (checksum {data.get('checksum')!r}); {_TAKE_BACK}")
    promotion = content.get("promotion")
    return Anchor(Results.of(content, where), promotion if isinstance(promotion, dict) else {}, str(data["checksum"]))


def is_intact(data: Mapping[str, Any]) -> bool:
    """Whether a portable baseline still has the content that its checksum was made of."""
    content = {key: value for key, value in data.items() if key != "checksum"}
    try:
        return bool(data.get("checksum") == fingerprint(content))
    except ValueError:  # a NaN was put in, which is never written
        return False
