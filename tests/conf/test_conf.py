"""Every configuration file says on top which command runs it, and that command names it."""

import re
from pathlib import Path

import pytest
from omegaconf import OmegaConf

CONF = Path(__file__).parents[2] / "conf"
FILES = sorted(path for path in CONF.rglob("*.yaml") if path.parent != CONF)


def first_command(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines[:2] if not line.startswith("# @package")]
    assert comments[0].startswith("# python -m runner"), path
    return comments[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_configuration_states_the_command_that_runs_it(path: Path):
    group, option = path.parent.name, path.stem  # the settings of a model belong to a part: chat@judge.model=openai
    assert re.search(rf"\b{group}(?:@[\w.]+)?={option}\b", first_command(path))


@pytest.mark.parametrize("path", sorted((CONF / "experiment").glob("*.yaml")), ids=lambda path: path.stem)
def test_an_experiment_holds_only_what_differs_and_sweeps_by_itself(path: Path):
    assert path.read_text(encoding="utf-8").startswith("# @package _global_\n")
    config = OmegaConf.load(path)
    assert config.hydra.mode == "MULTIRUN"
    assert all(isinstance(values, str) for values in config.hydra.sweeper.params.values())
    assert len(config) == 1


def test_every_group_of_the_readme_is_there_and_every_option_is_in_the_readme():
    readme = (CONF.parent / "README.md").read_text(encoding="utf-8")
    for path in FILES:
        assert re.search(rf"`(?:{path.parent.name}=)?{path.stem}`", readme), path
