"""From a composed configuration to checked, built parts. Everything is looked at before anything is computed."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from omegaconf import DictConfig
from pydantic import Field

from eval.errors import InputError
from eval.gate.rules import Gate
from eval.judges.protocol import Judge
from eval.records import Use
from runner.chat.accounts import Accounts
from runner.chat.cache import CallCache
from runner.chat.desk import Desk
from runner.config.models import KEYS, Terms, kinship, refuse_own_judge, terms_of, use_of
from runner.config.parts import checked, construct, part_named
from runner.config.values import resolve, secrets
from runner.embedders.remembered import RememberedEmbedder
from runner.packing.budget import TokenBudget
from runner.places import mlruns
from runner.progress import Progress, unwatched
from runner.protocols import (
    Chunker,
    DatasetLoader,
    Embedder,
    ForeignSystem,
    Generator,
    QueryMaker,
    Reranker,
    Retriever,
    Tracking,
)
from runner.systems.pipeline import Pipeline
from runner.vector_store import VectorStore
from runner.work_cache.store import WorkCache

# What each part must be able to do.
PARTS = {
    "dataset": "load",
    "budget": "pack",
    "chunker": "chunk",
    "retriever": "build",
    "query": "make",
    "reranker": "score",
    "system": "respond",
    "generator": "generate",
    "judge": "judge",
    "gate": "tolerance_of",
    "tracking": "log_run",
}
# The parts of our own pipeline that somebody else's system takes the place of.
OURS = ("chunker", "retriever", "query", "reranker")
_KEYS = (*PARTS, "tier", "name", "max_unscored", *KEYS)
Tier = Literal["retrieval", "full"]
_NAME = re.compile(r"[\w.:-]{1,60}")


@dataclass(frozen=True)
class Setup:
    """One configuration and the parts built from it.

    ``config`` is for the record: resolved, but what comes from the environment stays the name of its variable.
    ``resolved`` holds those values too and must not be written anywhere; what was computed follows from it. Every
    call of a model goes through ``desk``.
    """

    name: str
    config: Mapping[str, Any]
    resolved: Mapping[str, Any]
    dataset: DatasetLoader
    chunker: Chunker
    retriever: Retriever
    query: QueryMaker
    reranker: Reranker
    system: ForeignSystem | Pipeline
    budget: TokenBudget
    generator: Generator
    judge: Judge
    gate: Gate
    tracking: Tracking
    tier: Tier
    max_unscored: float
    terms: Terms
    use: Use
    desk: Desk
    work: WorkCache | None
    vectors: VectorStore
    warnings: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of what is kept on disk, and of requests that were refused."""
        return (*self.desk.notes, *(() if self.work is None else self.work.notes), *self.vectors.notes)


@dataclass(frozen=True)
class Resources:
    """What the setups of one start share: money, work and vectors that are kept on disk, whoever watches.

    ``None``: nothing is kept.
    """

    accounts: Accounts = field(default_factory=Accounts)
    work: WorkCache | None = None
    vectors: VectorStore | None = None
    progress: Progress = unwatched


def prepare(composed: DictConfig, default_name: str, suffix: str = "", resources: Resources | None = None) -> Setup:
    """Resolve, check and build a configuration.

    Args:
        composed: as Hydra composed it.
        default_name: the run's name where the configuration gives none.
        suffix: what is put behind a name that is given, as the runs of a sweep share it.
        resources: what it shares with other runs of the same start.

    Raises:
        InputError: one line for each thing that is wrong, with its full key.
    """
    config, recorded = resolve(composed)
    problems: list[str] = [*secrets("", recorded), *_unknown(config)]
    parts: dict[str, Any] = {}
    terms, use = Terms(), Use()
    tier: Tier = "full"
    try:
        tier = checked("tier.name", Tier, (config.get("tier") or {}).get("name"))
        terms, use = terms_of(config), use_of(config)
    except InputError as error:
        problems.extend(error.problems)
    shared = resources or Resources()
    desk = _desk(terms, shared.accounts)
    kept = terms.cache != "off"
    vectors = shared.vectors if kept and shared.vectors is not None else VectorStore(None)
    connected = {group: _connecting(_makes_model(desk, group, tier), vectors, shared.progress) for group in PARTS}
    for group in PARTS:
        try:
            parts[group] = _build(group, config.get(group), connected[group])
        except InputError as error:
            problems.extend(_new(error.problems, problems))
    try:
        refuse_own_judge(parts.get("generator"), parts.get("judge"))
        max_unscored = checked("max_unscored", Annotated[float, Field(ge=0, le=1)], config.get("max_unscored"))
        name = _name(config.get("name"), default_name, suffix)
    except InputError as error:
        problems.extend(error.problems)
    if problems:
        desk.close()
        raise InputError(*problems)
    given = {"tier": tier, "max_unscored": max_unscored, "terms": terms, "use": use, "desk": desk}
    given["warnings"] = tuple(kinship(parts["generator"], parts["judge"]))
    given["work"] = shared.work if kept and not terms.estimate else None
    given["vectors"] = vectors
    idle = _idle(parts["system"])
    config, recorded = ({key: node for key, node in all_.items() if key not in idle} for all_ in (config, recorded))
    return Setup(name=name, config=recorded, resolved=config, **given, **parts)


def _idle(system: ForeignSystem | Pipeline) -> tuple[str, ...]:
    """The groups that take no part where somebody else's system is measured: no record should name them."""
    if isinstance(system, Pipeline):
        return ()
    return (*OURS, "generator") if system.answers else OURS


def _makes_model(desk: Desk, group: str, tier: Tier) -> Callable[[object], object]:
    """What makes a model of its settings; one that a tier leaves out needs no key."""
    return desk.unasked if tier == "retrieval" and group in ("generator", "judge") else desk.connected


def _connecting(
    model_of: Callable[[object], object], vectors: VectorStore, progress: Progress
) -> Callable[[object], object]:
    """What makes of built parts those that work: models that can be asked, embedders that remember their vectors."""

    def connected(part: object) -> object:
        part = model_of(part)
        return RememberedEmbedder(part, vectors, progress) if isinstance(part, Embedder) else part

    return connected


def _desk(terms: Terms, accounts: Accounts) -> Desk:
    """Where models are asked on these terms; an estimate asks nobody and needs no key."""
    accounts.purse.max_usd = terms.max_usd
    cache = CallCache(mlruns() / "cache", terms.cache)
    return Desk(cache, accounts.purse, terms.deadline_s, accounts.foreseen if terms.estimate else None)


def _new(found: Iterable[str], known: Iterable[str]) -> list[str]:
    """Problems that are not known from another part: one wrong value may be several parts' through interpolation."""
    rules = {problem.partition(": ")[2] for problem in known}
    return [problem for problem in found if problem.partition(": ")[2] not in rules or ": " not in problem]


def _unknown(config: Mapping[str, Any]) -> list[str]:
    """A line for each key that no run reads: a misspelt one, added with a plus."""
    known = ", ".join(_KEYS)
    return [f"{key} is not a key of the configuration; there are: {known}" for key in config if key not in _KEYS]


def _name(given: Any, default: str, suffix: str) -> str:
    if given is None:
        return default
    if not isinstance(given, str) or not _NAME.fullmatch(given):
        quoted = "; quote a number twice, as in 'name=\"5\"'" if isinstance(given, (int, float)) else ""
        raise InputError(f"name must be 1 to 60 letters, digits or any of _ . : - (got {given!r}){quoted}")
    return given + suffix


def _build(group: str, node: Any, connected: Callable[[object], object]) -> Any:
    """Build one part; all that is wrong with its values is told at once."""
    if not isinstance(node, Mapping) or not node.get("_target_"):
        raise InputError(f"{group} names no part (got {node!r}): choose an option with {group}=NAME")
    target = part_named(group, node)
    if not callable(getattr(target, PARTS[group], None)) and target is not Pipeline:
        raise InputError(f"{group}: {node['_target_']} is no {group}, it has no method {PARTS[group]}")
    if group == "gate" and target is not Gate:  # another could loosen the rules without a word in the report
        raise InputError(f"gate: {node['_target_']} must be eval.gate.rules.Gate; choose its rules by its options")
    return construct(group, node, connected)
