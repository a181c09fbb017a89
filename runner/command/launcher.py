"""Hydra's launchers that run the jobs of a sweep in other processes, which share no money with each other."""

from collections.abc import Iterable

from hydra._internal.core_plugins.basic_launcher import BasicLauncher
from omegaconf import DictConfig, open_dict, read_write

from eval.errors import InputError
from runner.config.setup import Setup

GROUP = "hydra/launcher"
HERE = f"{BasicLauncher.__module__}.{BasicLauncher.__name__}"


def elsewhere(config: DictConfig) -> bool:
    """Whether jobs may run in other processes than this one."""
    return bool(config.hydra.launcher.get("_target_") != HERE)


def refuse_split_cap(config: DictConfig, setups: Iterable[Setup]) -> None:
    """Refuse a cap on the money of all jobs together where each process would know only what it spends itself.

    Raises:
        InputError: names the cap and the launcher.
    """
    caps = [setup.terms.max_usd for setup in setups if setup.terms.max_usd is not None]
    if caps and elsewhere(config):
        raise InputError(
            f"max_usd={caps[0]:g} caps all jobs of a sweep together, which jobs in several processes can't keep to: "
            f"leave out {GROUP}={config.hydra.runtime.choices[GROUP]}, or max_usd"
        )


def stay_here(config: DictConfig) -> None:
    """Run the jobs in this process after all, whatever launcher was chosen."""
    with read_write(config), open_dict(config):
        config.hydra.launcher = {"_target_": HERE}
