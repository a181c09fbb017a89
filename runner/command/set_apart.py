"""What is typed for the parts of a sweep is kept from Hydra's first configuration, which has none of these parts."""

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError

from runner.shipped import shipped

_UNREADABLE = (ArgumentError, HydraException, OmegaConfBaseException, YAMLError, OSError)  # Hydra tells what it is


def set_apart(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments that Hydra can take at once, and the options of swept parts, for which only runs have a place.

    In ``-m query=none,rewrite query.model.name=NAME`` that is the last. Where nothing is swept, or something can't be
    read, all are of the first kind.
    """
    try:
        flags, rest = _flags().parse_known_args(list(arguments))
        if any(each.startswith("-") for each in rest):  # that show something and run nothing
            return list(arguments), []
        given = OverridesParser.create().parse_overrides([each for each in rest if "=" in each or each[0] == "~"])
        swept = _swept(flags, given) if any(map(_plain_option, given)) else []
    except _UNREADABLE:
        return list(arguments), []
    apart = [each.input_line for each in given if _plain_option(each) and belongs(each, swept)]
    return [each for each in arguments if each not in apart], [each for each in apart if each is not None]


def place(override: Override) -> str:
    """Where in the configuration an override has its effect, as a dotted key."""
    return override.package or override.key_or_group.replace("/", ".")


def belongs(override: Override, places: Iterable[str]) -> bool:
    """Whether an override sets something below one of these places."""
    return any(place(override).startswith(f"{each}.") for each in places)


def _flags() -> ArgumentParser:
    """Those of Hydra's own under which runs are made."""
    parser = ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--multirun", "-m", action="store_true")
    parser.add_argument("--run", "-r", action="store_true")
    parser.add_argument("--config-dir", "-cd")
    return parser


def _plain_option(override: Override) -> bool:
    """Whether an override changes what must be there, and to one value."""
    adds = override.is_add() or override.is_force_add()
    return "." in place(override) and not (adds or override.is_sweep_override() or override.is_hydra_override())


def _swept(flags: Namespace, given: Sequence[Override]) -> list[str]:
    """The places of what is swept; none where a single run is made."""
    typed = [place(each) for each in given if each.is_sweep_override()]
    settings = [each for each in given if each.key_or_group in {"experiment", "hydra.mode"}]
    if not settings:
        return typed if flags.multirun else []
    folder = [f"hydra.searchpath=[file://{Path(flags.config_dir).absolute()}]"] if flags.config_dir else []
    with initialize_config_dir(str(shipped("conf")), version_base="1.3"):
        chosen = [each.input_line or "" for each in settings]
        hydra = compose("config", [*folder, *chosen], return_hydra_config=True).hydra
    if hydra.mode != RunMode.MULTIRUN and not flags.multirun:
        return []
    params = [f"{key}={value}" for key, value in (hydra.sweeper.get("params") or {}).items()]
    found = OverridesParser.create().parse_overrides(params)
    return [*typed, *(place(each) for each in found if each.is_sweep_override())]
