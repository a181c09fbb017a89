"""What differs between two runs besides their results: settings, instruments, golden set, corpus."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eval.gate.pairing import Changes, Pairing
from eval.gate.results import Results
from eval.gate.rules import RULES

MOST_NAMES = 10
LONGEST = 60  # characters of a setting that is shown; a prompt is not
_SETTINGS = (
    "system",
    "chunker",
    "retriever",
    "query",
    "reranker",
    "budget",
    "generator",
    "judge",
    "tier",
    "max_unscored",
)


def differences(baseline: Results, current: Results, pairing: Pairing) -> Iterator[str]:
    """A line for each kind of difference, in the order of the data's way through a run."""
    if baseline.run.dataset != current.run.dataset:
        yield f"dataset: {baseline.run.dataset} → {current.run.dataset}"
    yield from _documents(pairing)
    yield from _questions(pairing)
    if settings := _settings(baseline.config, current.config):
        yield f"configuration: {', '.join(settings)}"
    for part in ("query", "generator"):
        before, now = (side.fingerprints.get(f"{part}_prompt", "none") for side in (baseline, current))
        if before != now:
            yield f"{part}'s prompt: {before} → {now}"
    if baseline.fingerprints.get("counter") != current.fingerprints.get("counter"):
        yield f"token counter: {baseline.fingerprints.get('counter')} → {current.fingerprints.get('counter')}"
    if baseline.fingerprints.get("code") != current.fingerprints.get("code"):
        yield "evalfirst itself: its code is not the same"


def _documents(pairing: Pairing) -> Iterator[str]:
    if pairing.documents:
        yield f"corpus: {_changes(pairing.documents)}"
    if pairing.corpus_unknown:
        yield "corpus: it changed, and only its answer documents are known one by one"
    marked = [pair.current.id for pair in pairing.pairs if pair.documents_changed]
    if marked:
        yield f"questions whose answer documents changed (marked *): {names(marked)}"


def _questions(pairing: Pairing) -> Iterator[str]:
    if pairing.questions:
        yield f"golden set: {_changes(pairing.questions)}; compared are the {len(pairing.pairs)} unchanged questions"
    if pairing.renamed:
        yield f"questions under another id: {names([f'{was} → {now}' for was, now in pairing.renamed.items()])}"


def _changes(changes: Changes) -> str:
    kinds = (("added", changes.added), ("removed", changes.removed), ("edited", changes.edited))
    return "; ".join(f"{len(ids)} {kind} ({names(ids)})" for kind, ids in kinds if ids)


def names(ids: Sequence[str]) -> str:
    """The first of many ids, and how many more there are."""
    more = f" and {len(ids) - MOST_NAMES} more" if len(ids) > MOST_NAMES else ""
    return ", ".join(ids[:MOST_NAMES]) + more


def _settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    old, new = (dict(_flat(side)) for side in (before, now))
    return [
        _setting(key, str(old.get(key, "none")), str(new.get(key, "none")))
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    ]


def _setting(key: str, before: str, now: str) -> str:
    short = all(len(value) <= LONGEST and value.isprintable() for value in (before, now))
    return f"{key} {before} → {now}" if short else f"{key} is another text"


def _flat(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for group in _SETTINGS:
        yield from _leaves(group, config.get(group))
    for rule in RULES:
        yield from _leaves(f"gate.{rule}", (config.get("gate") or {}).get(rule))


def _leaves(key: str, node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, Mapping):
        for name, value in node.items():
            if name == "_target_":
                yield key, str(value).rsplit(".", 1)[-1]
            else:
                yield from _leaves(f"{key}.{name}", value)
    elif node is not None:
        yield key, node
