"""The values of a composed configuration: resolved, complete, and without secrets in what is written down."""

import re
from collections.abc import Mapping
from typing import Any, cast

from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from eval.errors import InputError

# What a value is looked up by is no secret.
_LOOKED_UP = re.compile(
    r"(?:^|[._+~])(?:answer|cache|column|contexts?|dict|doc|group|id|index|json|partition|primary|question|row|score|sort"
    r"|text|title)_key$",
    re.IGNORECASE,
)
_SECRET = re.compile(r"(?:^|[._+~])(?:api_?key|key|token|secret|password|passwd|credentials?)$", re.IGNORECASE)


def as_yaml(config: Mapping[str, Any]) -> str:
    """A resolved configuration as YAML."""
    return OmegaConf.to_yaml(OmegaConf.create(dict(config)))


def resolve(composed: DictConfig) -> tuple[dict[str, Any], dict[str, Any]]:
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


def secrets(key: str, node: Any) -> list[str]:
    """A line for each secret that stands in the configuration itself; its value is not shown."""
    if isinstance(node, Mapping):
        return [line for name, value in node.items() for line in secrets(f"{key}.{name}".lstrip("."), value)]
    if not isinstance(node, str) or not names_a_secret(key) or "oc.env:" in node:
        return []
    return [f"{key} holds a secret in plain text: write ${{oc.env:NAME}} and put it into the environment variable NAME"]


def names_a_secret(key: str) -> bool:
    """Whether the last part of a dotted key says that its value is a secret; max_tokens, api_key_env, id_key do not."""
    return _SECRET.search(key) is not None and _LOOKED_UP.search(key) is None


def _missing(key: str, node: Any) -> list[str]:
    """Full keys of the values that a person must give."""
    if isinstance(node, Mapping):
        return [found for name, value in node.items() for found in _missing(f"{key}.{name}".lstrip("."), value)]
    return [key] if node == "???" else []
