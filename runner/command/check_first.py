"""All configurations of a sweep are checked before the first one runs."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from hydra.experimental.callback import Callback
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException

from eval.errors import EvalfirstError, InputError
from runner.command.complaints import complain_about, unknown_key
from runner.command.console import storage_problem, warn
from runner.command.launcher import refuse_split_cap, stay_here
from runner.command.naming import sweep_name, task_overrides
from runner.command.per_choice import PerChoiceLoader, lines, per_choice, structural
from runner.command.session import SESSION
from runner.config.setup import Setup, prepare
from runner.sweep import experiment_of, open_sweep


class CheckFirst(Callback):
    """Hydra callback: composes and builds every job's parts before the first job starts."""

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Refuse the whole sweep if any job is wrong; Hydra swallows all exceptions of a callback but an exit."""
        try:
            config.hydra.overrides.task.extend(SESSION.apart)  # the sweeper, too, reads them there
            _open(config)
        except EvalfirstError as error:
            _refuse(str(error), error.exit_code, error)
        except (HydraException, OmegaConfBaseException) as error:
            _refuse(complain_about(error, task_overrides(config.hydra)), InputError.exit_code, error)
        except OSError as error:
            _refuse(
                storage_problem(error),
                EvalfirstError.exit_code,
                error,
            )
        except Exception as error:  # noqa: BLE001 – Hydra would only warn and start the jobs unchecked
            told = f"the sweep can't be checked: {type(error).__name__}: {error}"
            _refuse(" ".join(told.split()), EvalfirstError.exit_code, error)


def _refuse(told: str, exit_code: int, error: Exception) -> NoReturn:
    SESSION.refused = (told,)
    raise SystemExit(exit_code) from error


def _open(config: DictConfig) -> None:
    """Check every job, and write the sweep's record."""
    jobs = _jobs(config)
    setups = _check(_own(config, jobs))
    swept = _swept(jobs)
    SESSION.swept = tuple(swept)
    if any(setup.terms.estimate for setup in setups):
        stay_here(config)  # work that jobs share is counted once, and the totals are added up in this process
        return
    refuse_split_cap(config, setups)
    name = sweep_name(config.hydra.runtime.choices.get("experiment"), swept)
    experiment = experiment_of({setup.dataset.dataset_name() for setup in setups}, name)
    SESSION.shared.logbook.open(setups[0].tracking, experiment)
    folder = Path(config.hydra.sweep.dir).absolute()
    open_sweep(
        folder,
        name=name,
        experiment=experiment,
        config=setups[0].config,
        overrides=task_overrides(config.hydra),
        swept=swept,
        jobs=len(jobs),
    )
    SESSION.sweep, SESSION.tracking = folder, setups[0].tracking
    if any(setup.gate.mode == "enforce" for setup in setups):
        warn("in a sweep gate=enforce changes no exit code: the verdict is told, and a tag of each run")


def _jobs(config: DictConfig) -> list[list[Override]]:
    """Overrides of each job: the sweeper's parameters, where the command line does not replace them."""
    given = [f"{key}={value}" for key, value in (config.hydra.sweeper.get("params") or {}).items()]
    parser = OverridesParser.create(config_loader=GlobalHydra.instance().config_loader())
    overrides = parser.parse_overrides([*given, *task_overrides(config.hydra)])
    return [parser.parse_overrides(job) for job in BasicSweeper.split_arguments(overrides, None)[0]]


def _own(config: DictConfig, jobs: Sequence[Sequence[Override]]) -> list[tuple[DictConfig, list[Override]]]:
    """Each job's own overrides and what its structure is composed to, which is slow and done once for equal ones.

    Hydra is made to compose the jobs from the same, in whatever process a launcher does it.
    """
    loader = GlobalHydra.instance().config_loader()
    composed = cache(lambda overrides: loader.load_sweep_config(config, list(overrides)))
    parts = cache(lambda overrides: _without_hydra(composed(overrides)))
    own = per_choice(jobs, composed)
    for note in own.notes:
        warn(note)
    hydra = GlobalHydra.instance().hydra
    if hydra is not None:
        by_all = dict(zip(map(lines, jobs), map(lines, own.jobs), strict=True))
        hydra.config_loader = PerChoiceLoader(loader.get_search_path(), by_all)
    return [(parts(lines([item for item in job if structural(item)])), job) for job in own.jobs]


def _without_hydra(composed: DictConfig) -> DictConfig:
    """The configuration of the parts alone, of which there will be copies."""
    parts = OmegaConf.masked_copy(composed, [str(key) for key in composed if key != "hydra"])
    OmegaConf.set_struct(parts, value=True)  # as Hydra's own: a key that is not there is a mistake
    return parts


def _check(jobs: Sequence[tuple[DictConfig, list[Override]]]) -> list[Setup]:
    """Build every job's parts."""
    setups, problems = [], dict[str, None]()
    for composed, job in jobs:
        try:
            setups.append(prepare(_with_values(composed, job), "job"))
        except InputError as error:
            problems.update(dict.fromkeys(error.problems))
    if problems:
        raise InputError(*problems)
    return setups


def _with_values(composed: DictConfig, job: Sequence[Override]) -> DictConfig:
    config = composed.copy()
    for override in job:
        if not structural(override):
            try:
                OmegaConf.update(config, override.key_or_group, override.value())
            except OmegaConfBaseException as error:
                if isinstance(error, ConfigAttributeError | ConfigKeyError):
                    raise InputError(unknown_key(override.key_or_group, config)) from error
                raise InputError(f"{override.key_or_group}: {str(error.msg).splitlines()[0]}") from error
    return config


def _swept(jobs: Sequence[Sequence[Override]]) -> list[str]:
    """The keys that differ between the jobs."""
    values: dict[str, set[str]] = {}
    for job in jobs:
        for override in job:
            values.setdefault(override.get_key_element(), set()).add(override.get_value_element_as_str())
    return [key for key, found in values.items() if len(found) > 1]
