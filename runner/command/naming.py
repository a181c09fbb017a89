"""Short names for runs, values first, so that they tell apart in a narrow column."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hydra.conf import HydraConf
from omegaconf import DictConfig, OmegaConf

LONGEST = 40
_UNSAFE = re.compile(r"[^\w.:×-]+")


def task_overrides(hydra: DictConfig | HydraConf) -> tuple[str, ...]:
    """A job's overrides as they were typed: one that is an interpolation is not followed here."""
    return tuple(str(override) for override in OmegaConf.to_container(hydra.overrides.task, resolve=False) or ())


def run_name(
    config: Mapping[str, Any], choices: Mapping[str, str], overrides: Sequence[str], swept: Sequence[str]
) -> str:
    """Name of a run: in a sweep its swept values, else chunker, retriever, budget, and the model that answers if any.

    Somebody else's system stands in the place of all but the budget.

    Args:
        config: the configuration as composed.
        choices: option by group.
        overrides: the job's overrides, ``key=value``.
        swept: the keys that differ between the jobs of a sweep; empty outside of one.
    """
    values = [
        _part(*override.split("=", 1)) for override in overrides if override.split("=", 1)[0].lstrip("+~") in swept
    ]
    if not values and choices.get("system", "pipeline") != "pipeline":
        values = [choices["system"], f"b{_setting(config, 'budget', 'tokens')}"]
    if not values:
        values = [
            f"{choices.get('chunker', 'chunks')}{_setting(config, 'chunker', 'size')}",
            choices.get("retriever", "retriever"),
            f"b{_setting(config, 'budget', 'tokens')}",
            *_model(config),
        ]
    return shorten("-".join(values))


def _model(config: Mapping[str, Any]) -> list[str]:
    generator = config.get("generator")
    model = generator.get("model") if isinstance(generator, Mapping) else None
    return [str(model["name"]).rsplit("/", 1)[-1]] if isinstance(model, Mapping) and model.get("name") else []


def _setting(config: Mapping[str, Any], group: str, key: str) -> Any:
    """A setting as it was written, which may not have been checked yet; empty if there is none."""
    node = config.get(group)
    return node.get(key, "") if isinstance(node, Mapping) else ""


def _part(key: str, value: str) -> str:
    """``chunker.size=200`` as ``200size``, a chosen option as its own name."""
    last = key.lstrip("+~").rsplit(".", 1)
    return f"{value}{last[1]}" if len(last) == 2 else value


def sweep_name(experiment: str | None, swept: Sequence[str]) -> str:
    """Name of a sweep: its experiment's, else the last parts of the keys that differ."""
    return shorten(experiment or "×".join(key.rsplit(".", 1)[-1] for key in swept) or "sweep")


def shorten(name: str) -> str:
    """A name of safe characters; a long one keeps its beginning and a hash of the whole."""
    safe = _UNSAFE.sub("_", name).strip("_") or "run"
    if len(safe) <= LONGEST:
        return safe
    return f"{safe[: LONGEST - 7]}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
