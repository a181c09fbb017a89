"""``python -m runner``: measure one configuration, or sweep several."""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import FrameType

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from eval.errors import EvalfirstError
from runner.clock import now_ms
from runner.command import console
from runner.command.complaints import complain_about, refuse_secrets
from runner.command.naming import run_name, task_overrides
from runner.command.session import SESSION
from runner.config import prepare
from runner.experiment import Outcome, run_job
from runner.run_folder import Job
from runner.shipped import shipped
from runner.sweep import Sweep, close_sweep

INTERRUPTED = 130  # as shells give it


@hydra.main(version_base="1.3", config_path=str(shipped("conf")), config_name="config")
def application(composed: DictConfig) -> None:
    """One job, called by Hydra."""
    started = now_ms()
    context = HydraConfig.get()
    sweep = Sweep.read(Path(context.sweep.dir)) if context.mode == RunMode.MULTIRUN else None
    choices = {str(group): str(choice) for group, choice in context.runtime.choices.items() if "/" not in str(group)}
    overrides = task_overrides(context)
    job = Job(
        Path(context.runtime.output_dir),
        choices,
        overrides,
        sweep.name if sweep else None,
        started,
        sweep.experiment if sweep else None,
    )
    plain = OmegaConf.to_container(composed, resolve=False)
    config = {str(key): value for key, value in plain.items()} if isinstance(plain, dict) else {}
    name = run_name(config, choices, overrides, sweep.swept if sweep else ())
    outcome = run_job(partial(prepare, composed, name), config, job, name, SESSION.memo, SESSION.logbook)
    SESSION.outcomes.append(outcome)
    console.show_outcome(outcome, in_sweep=sweep is not None)


def main() -> int:
    """Run the command and say how it ended: 0 well, 2 wrong input, 3 no verdict, 130 interrupted."""
    try:
        return _run(sys.argv[1:])
    except Exception:  # noqa: BLE001 – Python would end with 1, which means «regressed» here
        traceback.print_exc()
        return EvalfirstError.exit_code


def _run(given: Sequence[str]) -> int:
    # Hydra then raises what it finds instead of printing it and ending with 1, which means «regressed» here.
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")
    signal.signal(signal.SIGTERM, _interrupt)
    status = "FINISHED"
    try:
        refuse_secrets(given)
        application()
    except EvalfirstError as error:
        return console.complain(str(error), error.exit_code)
    except (HydraException, OmegaConfBaseException) as error:
        return console.complain(complain_about(error, given), 2)
    except SystemExit as leaving:
        if SESSION.refused:
            return console.complain("\n".join(SESSION.refused), 2)
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        status = "KILLED"
    finally:
        if SESSION.sweep is not None:
            _end_sweep(status)
    return INTERRUPTED if status == "KILLED" else _exit_code(SESSION.outcomes)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _end_sweep(status: str) -> None:
    """Show the leaderboard of what finished, however the sweep ended."""
    if SESSION.sweep is None or SESSION.tracking is None:
        return
    failed = any(outcome.error is not None for outcome in SESSION.outcomes)
    ending = "FAILED" if failed and status == "FINISHED" else status
    try:
        leaderboard, logged = close_sweep(SESSION.sweep, SESSION.tracking, ending)
    except EvalfirstError as error:
        console.warn(str(error))
        leaderboard, logged = (SESSION.sweep / "leaderboard.md").read_text(encoding="utf-8"), None
    console.show_sweep(SESSION.outcomes, leaderboard, logged, SESSION.sweep)


def _exit_code(outcomes: Sequence[Outcome]) -> int:
    return max((outcome.exit_code for outcome in outcomes), default=0)


if __name__ == "__main__":
    sys.exit(main())
