"""The commands beside ``python -m runner``: how they are run, and how their options become parts."""

from collections.abc import Callable
from typing import TypeVar

import typer
from pydantic import ValidationError

from eval.errors import EvalfirstError, InputError
from runner.command.console import complain
from runner.tracking.mlflow_store import MlflowTracking
from runner.tracking.tracker import TrackingUnavailable

T = TypeVar("T")


def run_command(main: Callable[..., None]) -> int:
    """Run a command; what goes wrong is one line each. Returns the exit code."""
    try:
        typer.run(main)
    except TrackingUnavailable as error:
        return complain(error.reason, error.exit_code)
    except EvalfirstError as error:
        return complain(str(error), error.exit_code)
    except OSError as error:
        return complain(f"{error.filename}: {error.strerror}; make room or give access", EvalfirstError.exit_code)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    return 0


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
        told = (each["msg"].removeprefix("Value error, ") for each in error.errors())
        places = ("".join(f"{part} " for part in each["loc"]) for each in error.errors())
        raise InputError(*(f"--{place}{line}" for place, line in zip(places, told, strict=True))) from None
