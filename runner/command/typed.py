"""The commands beside ``python -m runner``: how they are run, and how their options become parts."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import typer
from pydantic import ValidationError
from typer.main import get_command

from eval.errors import EvalfirstError, InputError
from runner.command.console import complain, warn
from runner.config.parts import rule_of
from runner.experiment import INTERRUPTED
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import TrackingUnavailable

T = TypeVar("T")
# What typer raises for a wrong command line: of click, or in newer versions of a click of its own with a private name.
_Misuse = cast("type[Exception]", typer.BadParameter.__mro__[1])


def run_command(main: Callable[..., None]) -> int:
    """Run a command; what goes wrong is one line each. Returns the exit code, which is 1 only if ``main`` says so."""
    try:
        _call(main)
    except typer.Exit as leaving:
        return leaving.exit_code
    except TrackingUnavailable as error:
        return complain(error.reason, error.exit_code)
    except EvalfirstError as error:
        return complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        warn("interrupted")
        return INTERRUPTED
    except OSError as error:
        return complain(_told(error), EvalfirstError.exit_code)
    except _Misuse as error:
        return complain(_misused(error), InputError.exit_code)
    except Exception as error:  # noqa: BLE001 – Python would end with 1, which means «regressed» here
        return complain(f"{type(error).__name__}: {_in_one_line(error)}".removesuffix(": "), EvalfirstError.exit_code)
    return 0


def _call(main: Callable[..., None]) -> None:
    """Read the command line and call ``main``; what it raises arrives as it is.

    Typer's own way to run a command makes 1 of a broken pipe and of an end of input, whoever raised it.
    """
    app = typer.Typer(add_completion=False)
    app.command()(main)
    command: Any = get_command(app)
    with command.make_context(f"python -m runner.{Path(sys.argv[0]).stem}", sys.argv[1:]) as context:
        command.invoke(context)


def _told(error: OSError) -> str:
    what = error.strerror or _in_one_line(error) or type(error).__name__
    return what if error.filename is None else f"{error.filename}: {what}; make room or give access"


def _misused(error: Exception) -> str:
    told = " ".join(cast("Any", error).format_message().split())
    return f"{told.replace('Input should', 'must')} (--help lists the options)"


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def tracking_at(uri: str | None) -> MlflowTracking:
    """The tracking database or server that ``--uri`` names, or the default."""
    return checked(lambda: MlflowTracking(uri=uri))


def checked(build: Callable[[], T]) -> T:
    """A part built from options.

    Raises:
        InputError: one line for each option that is wrong.
    """
    try:
        return build()
    except ValidationError as error:
        told = [(".".join(map(str, finding["loc"])), rule_of(finding)) for finding in error.errors()]
        raise InputError(
            *(f"--{place}: {rule.removeprefix(f'{place} ')}" if place else f"--{rule}" for place, rule in told)
        ) from None
