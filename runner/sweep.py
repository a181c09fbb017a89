"""A sweep: its configurations are all checked before the first one runs, and its end is a leaderboard."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.experimental.callback import Callback
from omegaconf import DictConfig, OmegaConf, open_dict, read_write
from omegaconf.errors import OmegaConfBaseException

from eval.errors import EvalfirstError, InputError
from runner.config import Setup, prepare
from runner.experiment import now_ms
from runner.leaderboard import Entry, leaderboard_markdown, rank_entries
from runner.naming import task_overrides
from runner.places import write_whole
from runner.protocols import Logged, Tracking
from runner.run_folder import to_json
from runner.session import SESSION
from runner.tracking.folders import PROCESS_TAG
from runner.tracking.process import this_process

FILE = "sweep.json"


class CheckFirst(Callback):
    """Hydra callback: composes and builds every job's parts before the first job starts."""

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Refuse the whole sweep if any job is wrong; Hydra swallows all exceptions of a callback but an exit."""
        folder = Path(config.hydra.sweep.dir).absolute()
        try:
            jobs = _jobs(config)
            setups = _check(config, jobs)
        except EvalfirstError as error:
            SESSION.refused = (str(error),)
            raise SystemExit(error.exit_code) from error
        SESSION.sweep, SESSION.tracking = folder, setups[0].tracking
        write_whole(folder / FILE, to_json(_opened(config, jobs, setups)))


def _jobs(config: DictConfig) -> list[list[Override]]:
    """Overrides of each job: the sweeper's parameters, where the command line does not replace them."""
    given = [f"{key}={value}" for key, value in (config.hydra.sweeper.get("params") or {}).items()]
    parser = OverridesParser.create(config_loader=GlobalHydra.instance().config_loader())
    overrides = parser.parse_overrides([*given, *task_overrides(config.hydra)])
    return [parser.parse_overrides(job) for job in BasicSweeper.split_arguments(overrides, None)[0]]


def _check(config: DictConfig, jobs: Sequence[Sequence[Override]]) -> list[Setup]:
    """Build every job's parts. Composing is slow, so it is done once for each set of chosen options."""
    loader = GlobalHydra.instance().config_loader()
    composed: dict[tuple[str, ...], DictConfig] = {}
    setups, problems = [], dict[str, None]()
    for job in jobs:
        structural = tuple(item.input_line or "" for item in job if _structural(item))
        if structural not in composed:
            composed[structural] = loader.load_sweep_config(config, list(structural))
        try:
            setups.append(prepare(_with_values(composed[structural], job), "job"))
        except InputError as error:
            problems.update(dict.fromkeys(error.problems))
    if problems:
        raise InputError(*problems)
    return setups


def _structural(override: Override) -> bool:
    """Whether an override changes which files are composed or which keys there are, and not only a value."""
    groups = GlobalHydra.instance().config_loader().list_groups("")
    plain_change = not (override.is_add() or override.is_force_add() or override.is_delete())
    return override.key_or_group.split("/")[0] in groups or not plain_change


def _with_values(composed: DictConfig, job: Sequence[Override]) -> DictConfig:
    config = composed.copy()
    with read_write(config), open_dict(config):
        del config["hydra"]
    for override in job:
        if not _structural(override):
            try:
                OmegaConf.update(config, override.key_or_group, override.value())
            except OmegaConfBaseException as error:
                raise InputError(f"{override.key_or_group}: {str(error.msg).splitlines()[0]}") from error
    return config


def _opened(config: DictConfig, jobs: Sequence[Sequence[Override]], setups: Sequence[Setup]) -> dict[str, Any]:
    values: dict[str, set[str]] = {}
    for job in jobs:
        for override in job:
            values.setdefault(override.get_key_element(), set()).add(override.get_value_element_as_str())
    experiment = config.hydra.runtime.choices.get("experiment")
    names = sorted({setup.dataset.dataset_name() for setup in setups})
    name = str(experiment or "sweep")
    return {
        "name": name,
        # Runs of several datasets are kept together too: only runs of one experiment are shown side by side.
        "experiment": names[0] if len(names) == 1 else name,
        "tracking": {key: (setups[0].config["tracking"] or {}).get(key) for key in ("uri", "experiment")},
        "overrides": list(task_overrides(config.hydra)),
        "swept": sorted(key for key, found in values.items() if len(found) > 1),
        "jobs": len(jobs),
        "started": now_ms(),
        "ended": None,
        "status": "RUNNING",
        "tags": {PROCESS_TAG: str(this_process())},
        "metrics": {},
    }


@dataclass(frozen=True)
class Sweep:
    """What a job needs to know of its sweep: the experiment that keeps its runs, and the keys that differ."""

    name: str
    experiment: str
    swept: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> "Sweep":
        """From the sweep's own folder, so that a job in another process can read it too."""
        record = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return cls(folder.name, record["experiment"], tuple(record["swept"]))


def close_sweep(folder: Path, tracking: Tracking, status: str) -> tuple[str, Logged | None]:
    """Write the leaderboard of what finished, close the sweep's record and log it. Returns the leaderboard."""
    entries = [
        Entry.read(path.parent) for path in sorted(folder.glob("*/run.json"), key=lambda path: int(path.parent.name))
    ]
    ranked = rank_entries(entries)
    markdown = leaderboard_markdown(ranked)
    write_whole(folder / "leaderboard.md", markdown)
    write_whole(folder / "leaderboard.json", to_json([entry.plain() for entry in ranked]))
    record: Mapping[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    finished = sum(entry.error is None for entry in entries)
    metrics = {"sweep/jobs": record["jobs"], "sweep/finished": finished}
    write_whole(folder / FILE, to_json({**record, "status": status, "ended": now_ms(), "metrics": metrics}))
    return markdown, tracking.log_sweep(folder)
