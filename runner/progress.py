"""How far long work has come, for whoever watches."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

# Opened with what is being done and how many steps that takes; gives what to call after each step.
Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]


def unwatched(_what: str, _steps: int) -> AbstractContextManager[Callable[[], None]]:
    """Nobody watches."""
    return nullcontext(lambda: None)
