"""Progress bars on a terminal; into a file or pipe nothing is written."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

DOING = {"rank": "ranking", "answer": "answering", "judge": "judging", "probe": "probing the judge"}


@contextmanager
def bar(what: str, steps: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error for a stage of several steps, gone when it is done."""
    if steps < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(DOING.get(what, what), total=steps)
        yield lambda: shown.advance(task)
