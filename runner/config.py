"""From a composed configuration to checked, built parts. Everything is looked at before anything is computed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, cast

from hydra.utils import get_object
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from eval.errors import InputError
from eval.gate.rules import Gate
from eval.judges.protocol import Judge
from runner.packing.budget import TokenBudget
from runner.protocols import Chunker, DatasetLoader, Generator, Retriever, Tracking

# What each part must be able to do.
PARTS = {
    "dataset": "load",
    "budget": "pack",
    "chunker": "chunk",
    "retriever": "build",
    "generator": "generate",
    "judge": "judge",
    "gate": "tolerance_of",
    "tracking": "log_run",
}
_KEYS = (*PARTS, "tier", "name", "max_unscored")
Tier = Literal["retrieval", "full"]
_SECRET = re.compile(r"(?:^|[._+~])(?:api_?key|key|token|secret|password|passwd|credentials?)$", re.IGNORECASE)
_NAME = re.compile(r"[\w.:-]{1,60}")


@dataclass(frozen=True)
class Setup:
    """One configuration and the parts built from it.

    ``config`` is for the record: resolved, but what comes from the environment stays the name of its variable.
    ``resolved`` holds those values too and must not be written anywhere; what was computed follows from it.
    """

    name: str
    config: Mapping[str, Any]
    resolved: Mapping[str, Any]
    dataset: DatasetLoader
    chunker: Chunker
    retriever: Retriever
    budget: TokenBudget
    generator: Generator
    judge: Judge
    gate: Gate
    tracking: Tracking
    tier: Tier
    max_unscored: float


def prepare(composed: DictConfig, default_name: str, suffix: str = "") -> Setup:
    """Resolve, check and build a configuration.

    Args:
        composed: as Hydra composed it.
        default_name: the run's name where the configuration gives none.
        suffix: what is put behind a name that is given, as the runs of a sweep share it.

    Raises:
        InputError: one line for each thing that is wrong, with its full key.
    """
    config, recorded = _resolve(composed)
    problems: list[str] = [*_secrets("", recorded), *_unknown(config)]
    parts: dict[str, Any] = {}
    for group in PARTS:
        try:
            parts[group] = _build(group, config.get(group))
        except InputError as error:
            problems.extend(_new(error.problems, problems))
    try:
        tier = _checked("tier.name", Tier, (config.get("tier") or {}).get("name"))
        max_unscored = _checked("max_unscored", Annotated[float, Field(ge=0, le=1)], config.get("max_unscored"))
        name = _name(config.get("name"), default_name, suffix)
    except InputError as error:
        problems.extend(error.problems)
    if problems:
        raise InputError(*problems)
    return Setup(name=name, config=recorded, resolved=config, tier=tier, max_unscored=max_unscored, **parts)


def _new(found: Iterable[str], known: Iterable[str]) -> list[str]:
    """Problems that are not known from another part: one wrong value may be several parts' through interpolation."""
    rules = {problem.partition(": ")[2] for problem in known}
    return [problem for problem in found if problem.partition(": ")[2] not in rules or ": " not in problem]


def as_yaml(config: Mapping[str, Any]) -> str:
    """A resolved configuration as YAML."""
    return OmegaConf.to_yaml(OmegaConf.create(dict(config)))


def _unknown(config: Mapping[str, Any]) -> list[str]:
    """A line for each key that no run reads: a misspelt one, added with a plus."""
    known = ", ".join(_KEYS)
    return [f"{key} is not a key of the configuration; there are: {known}" for key in config if key not in _KEYS]


def _resolve(composed: DictConfig) -> tuple[dict[str, Any], dict[str, Any]]:
    """Plain values with every interpolation followed, and the same with the environment's values left out."""
    missing = _missing("", OmegaConf.to_container(composed, resolve=False))
    if missing:
        raise InputError(*(f"{key} is not set and has no default: add {key}=…" for key in missing))
    try:
        resolved = OmegaConf.to_container(composed, resolve=True, throw_on_missing=True)
        recorded = _without_environment(resolved, OmegaConf.to_container(composed, resolve=False))
        return cast("dict[str, Any]", resolved), cast("dict[str, Any]", recorded)
    except OmegaConfBaseException as error:
        reason = str(error.msg or error).splitlines()[0]
        raise InputError(
            f"{error.full_key or 'configuration'}: {reason}; write \\${{…}} for a literal ${{…}}"
        ) from error


def _without_environment(resolved: Any, unresolved: Any) -> Any:
    """``resolved``, but each text that asks the environment stays as it was written."""
    if isinstance(resolved, Mapping) and isinstance(unresolved, Mapping):
        return {key: _without_environment(value, unresolved.get(key)) for key, value in resolved.items()}
    if isinstance(resolved, list) and isinstance(unresolved, list):
        return [_without_environment(value, written) for value, written in zip(resolved, unresolved, strict=True)]
    return unresolved if isinstance(unresolved, str) and "oc.env:" in unresolved else resolved


def _secrets(key: str, node: Any) -> list[str]:
    """A line for each secret that stands in the configuration itself; its value is not shown."""
    if isinstance(node, Mapping):
        return [line for name, value in node.items() for line in _secrets(f"{key}.{name}".lstrip("."), value)]
    if not isinstance(node, str) or not names_a_secret(key) or "oc.env:" in node:
        return []
    return [f"{key} holds a secret in plain text: write ${{oc.env:NAME}} and put it into the environment variable NAME"]


def names_a_secret(key: str) -> bool:
    """Whether the last part of a dotted key says that its value is a secret; max_tokens and api_key_env do not."""
    return _SECRET.search(key) is not None


def _missing(key: str, node: Any) -> list[str]:
    """Full keys of the values that a person must give."""
    if isinstance(node, Mapping):
        return [found for name, value in node.items() for found in _missing(f"{key}.{name}".lstrip("."), value)]
    return [key] if node == "???" else []


def _name(given: Any, default: str, suffix: str) -> str:
    if given is None:
        return default
    if not isinstance(given, str) or not _NAME.fullmatch(given):
        quoted = "; quote a number twice, as in 'name=\"5\"'" if isinstance(given, (int, float)) else ""
        raise InputError(f"name must be 1 to 60 letters, digits or any of _ . : - (got {given!r}){quoted}")
    return given + suffix


def _checked(key: str, kind: Any, value: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        raise InputError(*_explain(key, error, value)) from error


def _build(group: str, node: Any) -> Any:
    """Build one part; all that is wrong with its values is told at once."""
    if not isinstance(node, Mapping) or not node.get("_target_"):
        raise InputError(f"{group} names no part (got {node!r}): choose an option with {group}=NAME")
    target = part_named(group, node)
    if not callable(getattr(target, PARTS[group], None)):
        raise InputError(f"{group}: {node['_target_']} is no {group}, it has no method {PARTS[group]}")
    if group == "gate" and target is not Gate:  # another could loosen the rules without a word in the report
        raise InputError(f"gate: {node['_target_']} must be eval.gate.rules.Gate; choose its rules by its options")
    return _construct(group, node)


def part_named(key: str, node: Mapping[str, Any]) -> type:
    """The class that a node names; anything else is not called, as a configuration is no program."""
    try:
        target = get_object(str(node["_target_"]))
    except Exception as error:  # what importing somebody's own module raises is theirs to say
        raise InputError(f"{key}: {type(error).__name__}: {_one_line(error)}") from error
    if not isinstance(target, type):
        raise InputError(f"{key}: {node['_target_']} is no class; name one with _target_")
    return target


def _construct(key: str, node: Any) -> Any:
    """Call what ``_target_`` names with the other values, nested parts first.

    Hydra's own ``instantiate`` does the same and reads every text as a possible interpolation once more, although
    all are resolved by now: a literal ``${…}`` in a separator or a prompt would not survive it.
    """
    if isinstance(node, list):
        return [_construct(f"{key}.{place}", value) for place, value in enumerate(node)]
    if not isinstance(node, Mapping):
        return node
    values = {str(name): _construct(f"{key}.{name}", value) for name, value in node.items() if name != "_target_"}
    if "_target_" not in node:
        return values
    target = part_named(key, node)
    try:
        return target(**values)
    except ValidationError as error:
        raise InputError(*_explain(key, error, node)) from error
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # what a part of somebody's own raises when it is built is theirs to say
        raise InputError(f"{key}: {type(error).__name__}: {_one_line(error)}") from error


def _options(node: Any) -> list[str]:
    """The settings of the part that ``node`` names."""
    part = get_object(str(node["_target_"]))
    return [field.name for field in fields(part)] if is_dataclass(part) else []


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _explain(key: str, error: ValidationError, given: Any) -> list[str]:
    """Pydantic's findings as lines of ours: full key, rule, value."""
    lines = []
    for finding in error.errors():
        place = ".".join([key, *(str(part) for part in finding["loc"])])
        rule = rule_of(finding)
        if finding["type"] == "value_error":
            lines.append(f"{place}: {rule}" if finding["loc"] else f"{key}.{rule}")
        elif finding["type"] in {"unexpected_keyword_argument", "extra_forbidden"}:
            lines.append(f"{place} is not an option here; {key} has: {', '.join(_options(given))}")
        elif finding["type"] in {"missing", "missing_argument"}:
            lines.append(f"{place} is not set and has no default: add {place}=…")
        else:
            lines.append(f"{place}: {rule}")
    return lines


def rule_of(finding: ErrorDetails) -> str:
    """What one of pydantic's findings asks for, as we say it; with the value, unless it names that itself."""
    if finding["type"] == "value_error":
        return finding["msg"].removeprefix("Value error, ")
    said = finding["msg"].replace("Input should", "must", 1)
    return f"{said[0].lower()}{said[1:]} (got {finding['input']!r})"
