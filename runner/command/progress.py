"""Progress bars on a terminal; into a file or pipe nothing is written."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

DOING = {
    "query": "making queries",
    "embed": "making vectors",
    "rank": "ranking",
    "rerank": "reranking",
    "respond": "asking the system",
    "answer": "answering",
    "judge": "judging",
    "probe": "probing the judge",
}


@contextmanager
def bar(what: str, steps: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error for a stage of several steps, gone when it is done."""
    if steps < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console  # only a terminal needs them, and they take a while to load
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(DOING.get(what, what), total=steps)
        yield lambda: shown.advance(task)
