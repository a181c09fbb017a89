"""What MLflow would drop, cut or garble in silence is refused, cut or left out here, and said so."""

import json
import math
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.errors import InputError
from eval.fingerprints import canonical_json, fingerprint

PARAM_LENGTH = 6000  # MLflow's limits, in characters
TAG_LENGTH = 8000
KEY_LENGTH = 250

_RULE = "letters, digits, _ - . : / and blanks, no empty or dotted part between slashes"


@dataclass(frozen=True)
class Values:
    """What a run is logged with: names that MLflow takes, finite metrics, texts within its limits."""

    params: dict[str, str]
    metrics: dict[str, float]
    tags: dict[str, str]


def fit(params: Mapping[str, Any], metrics: Mapping[str, float | None], tags: Mapping[str, Any]) -> Values:
    """Make values fit.

    Texts that are too long are cut, end with the fingerprint of the whole so that two of them still differ,
    and are listed in the tag ``evalfirst.cut``; metrics without a finite value are left out and listed in the
    tag ``evalfirst.unlogged_metrics``.

    Raises:
        InputError: a name that MLflow refuses; all of them are listed.
    """
    _check_names(params, metrics, tags)
    finite = {name: float(value) for name, value in metrics.items() if value is not None and math.isfinite(value)}
    texts = {name: _text(value) for name, value in params.items()}
    notes = {name: _text(value) for name, value in tags.items()}
    if unlogged := sorted(metrics.keys() - finite.keys()):
        notes["evalfirst.unlogged_metrics"] = canonical_json(unlogged)
    long = {name: fingerprint(text) for name, text in texts.items() if len(text) > PARAM_LENGTH}
    long |= {name: fingerprint(text) for name, text in notes.items() if len(text) > TAG_LENGTH}
    if long:
        notes["evalfirst.cut"] = canonical_json(long)
    return Values(_cut(texts, PARAM_LENGTH), finite, _cut(notes, TAG_LENGTH))


def _check_names(params: Iterable[str], metrics: Iterable[str], tags: Iterable[str]) -> None:
    kinds = {"parameter": sorted(params), "metric": sorted(metrics), "tag": sorted(tags)}
    problems = [problem for kind, names in kinds.items() for name in names for problem in _problems(kind, name)]
    if problems:
        raise InputError(*problems)


def _problems(kind: str, name: str) -> list[str]:
    if len(name) > KEY_LENGTH:
        return [f"{kind} name {name[:40]!r}… has {len(name)} characters, MLflow takes {KEY_LENGTH}; shorten it"]
    norm = posixpath.normpath(name)
    if re.fullmatch(r"[/\w.\- :]+", name) and norm == name and norm != "." and not norm.startswith(("..", "/")):
        return []
    return [f"{kind} name {name!r} can't be logged; MLflow takes {_RULE}; rename it, for example recall_at_5"]


def _text(value: Any) -> str:
    """Text as it is; all else as JSON, in which None is ``null`` and numbers stay numbers for the UI."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _cut(texts: Mapping[str, str], length: int) -> dict[str, str]:
    return {name: text if len(text) <= length else _shortened(text, length) for name, text in texts.items()}


def _shortened(text: str, length: int) -> str:
    mark = f"… [cut; the whole is {fingerprint(text)}]"
    return text[: length - len(mark)] + mark
