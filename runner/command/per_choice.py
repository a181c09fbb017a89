"""In a sweep over parts each run gets the options that its own parts have: ``query=none`` has no model to name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.config_loader import ConfigLoader
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf

from runner.command.set_apart import belongs, place
from runner.config.parts import takes

Compose = Callable[[tuple[str, ...]], DictConfig]
"""The configuration, with Hydra's own, that overrides give."""


@dataclass(frozen=True)
class PerChoice:
    """``jobs`` are the overrides of each run, without those that its parts have no place for; ``notes`` tell of these,
    in a line for each choice.

    An override that has a place in none of the runs is a mistake, and stays.
    """

    jobs: list[list[Override]]
    notes: tuple[str, ...]


class PerChoiceLoader(ConfigLoaderImpl):
    """Hydra's loader, by which each run of a sweep is composed; ``own`` maps all of a run's overrides to its own.

    Hydra's sweeper composes every run to see whether that can be done, and throws the result away; its launcher
    composes them all again. That is most of what a run costs beside its work, so the launcher gets the sweeper's.
    """

    def __init__(self, path: ConfigSearchPath, own: Mapping[tuple[str, ...], Sequence[str]]) -> None:
        super().__init__(path)
        self._own = own
        self._composed: dict[tuple[str, ...], DictConfig] = {}

    def load_sweep_config(self, master_config: DictConfig, sweep_overrides: list[str]) -> DictConfig:
        """One run's configuration; what was composed for the sweeper is handed out once, as its owner changes it."""
        run = tuple(sweep_overrides)
        if (composed := self._composed.pop(run, None)) is not None:
            return composed
        composed = super().load_sweep_config(master_config, list(self._own.get(run, run)))
        self._composed[run] = composed
        return composed

    def __getstate__(self) -> dict[str, Any]:
        """For another process, which composes its runs itself."""
        return {**self.__dict__, "_composed": {}}


def per_choice(jobs: Sequence[Sequence[Override]], compose: Compose) -> PerChoice:
    """Give each run the overrides that its parts have a place for.

    Raises:
        HydraException: a part that is not there.
    """
    swept = _swept_places(jobs)
    placed = [_placed(job, swept, compose) for job in jobs]
    somewhere = {each.get_key_element() for own in placed for each in own}
    kept, without = [], dict[str, dict[str, None]]()
    for job, own in zip(jobs, placed, strict=True):
        out = [each for each in job if each not in own and each.get_key_element() in somewhere]
        kept.append([each for each in job if each not in out])
        for each in out:
            without.setdefault(_chosen(each, job, swept), {})[each.get_key_element().lstrip("+~")] = None
    return PerChoice(kept, tuple(f"{choice} goes without {', '.join(keys)}" for choice, keys in without.items()))


def lines(job: Sequence[Override]) -> tuple[str, ...]:
    """The overrides as they are written."""
    return tuple(each.input_line or "" for each in job)


def _swept_places(jobs: Sequence[Sequence[Override]]) -> list[str]:
    """Where the runs have different choices."""
    values: dict[str, set[str]] = {}
    for job in jobs:
        for each in job:
            values.setdefault(place(each), set()).add(each.get_value_element_as_str())
    return [where for where, found in values.items() if len(found) > 1]


def _placed(job: Sequence[Override], swept: Sequence[str], compose: Compose) -> list[Override]:
    """Those of a run's overrides that its parts have a place for."""
    own = [each for each in job if not belongs(each, swept)]
    left = [each for each in job if each not in own]
    while left:
        config = compose(lines([each for each in job if each in own and structural(each)]))
        choices = config.hydra.runtime.choices
        chosen = [each for each in left if each.package and each.get_key_element().lstrip("+") in choices]
        if not chosen:
            tree = OmegaConf.to_container(config, resolve=False)
            return [*own, *(each for each in left if not each.package and _has(tree, each))]
        own += chosen  # which may bring places for others
        left = [each for each in left if each not in chosen]
    return own


def structural(override: Override) -> bool:
    """Whether an override changes which files are composed or which keys there are, and not only a value."""
    groups = _groups(GlobalHydra.instance().config_loader())
    return override.key_or_group.split("/")[0] in groups or _adds(override) or override.is_delete()


@cache
def _groups(loader: ConfigLoader) -> frozenset[str]:
    """The groups of parts; Hydra looks through the folders each time that it is asked."""
    return frozenset(loader.list_groups(""))


def _adds(override: Override) -> bool:
    return override.is_add() or override.is_force_add()


def _has(tree: Any, override: Override) -> bool:
    """Whether the configuration has such a key, or a part that takes one that is added."""
    node = tree
    for name in place(override).split("."):
        if not isinstance(node, Mapping):
            return _adds(override) or isinstance(node, str)  # an interpolation may lead to where it is
        if name not in node:
            return _adds(override) and takes(node, name)
        node = node[name]
    return True


def _chosen(left_out: Override, job: Sequence[Override], swept: Sequence[str]) -> str:
    """The choice that has no place for it."""
    where = max((each for each in swept if belongs(left_out, [each])), key=len)
    return next(each.input_line or where for each in job if place(each) == where)
