"""One job, as Hydra calls it: in the command's own process, or in another one that a launcher starts.

A module that any process can import, as a launcher hands on only this function's name.
"""

from functools import partial
from pathlib import Path

from hydra.conf import HydraConf
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from runner.command import console
from runner.command.naming import run_name, task_overrides
from runner.command.session import SESSION
from runner.config.setup import prepare
from runner.experiment import run_job
from runner.places import mlruns
from runner.run_folder import Job
from runner.sweep import Sweep


def run(composed: DictConfig) -> None:
    """Measure one configuration, or estimate it, and say how it went."""
    context = HydraConfig.get()
    recorded = context.mode == RunMode.MULTIRUN and composed.get("estimate") is not True  # an estimate leaves no record
    sweep = Sweep.read(Path(context.sweep.dir)) if recorded else None
    job = _job(context, sweep)
    plain = OmegaConf.to_container(composed, resolve=False)
    config = {str(key): value for key, value in plain.items()} if isinstance(plain, dict) else {}
    name = run_name(config, job.choices, job.overrides, sweep.swept if sweep else SESSION.swept)
    build = partial(prepare, composed, name, suffix=f"-{name}" if sweep else "", resources=SESSION.shared.resources)
    outcome = run_job(build, job, name, SESSION.shared)
    SESSION.outcomes.append(outcome)
    console.show_outcome(outcome, in_sweep=context.mode == RunMode.MULTIRUN)
    if SESSION.interrupted:
        raise KeyboardInterrupt


def _job(context: HydraConf, sweep: Sweep | None) -> Job:
    return Job(
        folder=Path(context.runtime.output_dir),
        choices={str(key): str(choice) for key, choice in context.runtime.choices.items() if "/" not in str(key)},
        overrides=task_overrides(context),
        sweep=sweep.name if sweep else None,
        reports=mlruns() / "reports",
        experiment=sweep.experiment if sweep else None,
    )
