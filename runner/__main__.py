"""``python -m runner``: measure one configuration, or sweep several."""

import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path
from types import FrameType

import hydra
from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError

from eval.errors import EvalfirstError, InputError
from runner.command import console, job
from runner.command.complaints import complain_about, refuse_secrets
from runner.command.session import SESSION
from runner.command.set_apart import set_apart
from runner.experiment import INTERRUPTED
from runner.places import START, mlruns
from runner.run_folder import forget_verdict
from runner.shipped import shipped
from runner.sweep import read_result, write_result

NO_VERDICT = EvalfirstError.exit_code


# Hydra reads the command line itself; a launcher that starts processes is given the function behind it.
application = hydra.main(version_base="1.3", config_path=str(shipped("conf")), config_name="config")(job.run)


def main() -> int:
    """Run the command and say how it ended: 0 well, 2 wrong input, 3 no verdict, 130 interrupted."""
    # A sweep holds millions of small things until its end, through which Python would look again and again.
    gc.set_threshold(20_000, 20, 50)
    # Hydra then raises what it finds instead of printing it and ending with 1, which means «regressed» here.
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")
    if str(START) not in sys.path:  # parts of one's own are found by the installed command as by python -m
        sys.path.insert(0, str(START))
    _on_signals(_interrupt)
    sys.unraisablehook = _interrupt_again
    try:
        code = _apply(sys.argv[1:])
    except (KeyboardInterrupt, Exception):  # noqa: BLE001 – of the signal, or what a library made of it
        SESSION.interrupted = True
    _on_signals(signal.SIG_IGN)  # what was finished is now written down, whoever is impatient
    if SESSION.interrupted:
        kept = SESSION.outcomes or SESSION.sweep is not None  # jobs in other processes leave their outcomes there
        console.warn("interrupted; finished runs stay recorded" if kept else "interrupted")
        code = INTERRUPTED
    if SESSION.sweep is not None:
        return max(code, _end_sweep(SESSION.sweep, interrupted=SESSION.interrupted))
    console.show_estimates(SESSION.outcomes)
    if code and not SESSION.outcomes:
        forget_verdict(mlruns() / "reports")
    return max([code, *(outcome.exit_code for outcome in SESSION.outcomes)])


def _apply(given: Sequence[str]) -> int:
    """Let Hydra run the job or the jobs. Returns the exit code of what went wrong around them."""
    try:
        refuse_secrets(given)
        sys.argv[1:], SESSION.apart = set_apart(given)  # Hydra reads them there
        application()
    except EvalfirstError as error:
        return console.complain(str(error), error.exit_code)
    except (HydraException, OmegaConfBaseException, YAMLError) as error:
        if SESSION.interrupted:
            raise
        return console.complain(complain_about(error, given), InputError.exit_code)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
        return console.complain("\n".join(SESSION.refused), code) if SESSION.refused else code
    except OSError as error:
        return console.complain(console.storage_problem(error), NO_VERDICT)
    except BrokenExecutor as error:  # of a launcher's pool, which ends with the first of its processes that dies
        told = "a process that ran jobs died, and those that were left with it; too little memory is a common cause"
        return console.complain(f"{told} ({type(error).__name__})", NO_VERDICT)
    except Exception as error:  # Python would end with 1, which means «regressed» here
        if SESSION.interrupted:
            raise
        if not SESSION.outcomes and SESSION.sweep is None:  # Hydra's own, for overrides that no grammar rule refuses
            told = f"the configuration can't be composed: {complain_about(error, given)}"
            return console.complain(told, InputError.exit_code)
        traceback.print_exc()
        return NO_VERDICT
    return 0


def _on_signals(do: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, do)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    SESSION.interrupted = True
    raise KeyboardInterrupt


def _interrupt_again(ignored: "sys.UnraisableHookArgs") -> None:
    """Where Python must ignore an exception, in a destructor say, an interrupt would be lost: it is sent again."""
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGINT]).start()  # wakes a main thread that waits, too
    else:
        sys.__unraisablehook__(ignored)


def _end_sweep(folder: Path, *, interrupted: bool) -> int:
    """Show and log what the sweep's folder holds, however it ended. Returns its exit code."""
    logged = None
    try:
        result = write_result(folder, interrupted=interrupted)
        if SESSION.tracking is not None:
            logged = SESSION.tracking.log_sweep(folder)
    except OSError as error:
        console.complain(console.storage_problem(error), NO_VERDICT)
        result = replace(read_result(folder, interrupted=interrupted), exit_code=NO_VERDICT)
    except EvalfirstError as error:
        console.warn(str(error))
    console.show_sweep(result, logged, folder)
    return INTERRUPTED if interrupted else result.exit_code


if __name__ == "__main__":
    sys.exit(main())
