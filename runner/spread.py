"""Work on several items at a time; which of them is done first changes nothing."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def concurrency(part: object) -> int:
    """How many questions a part takes at a time: those that say nothing about it may not expect another thread."""
    return int(getattr(part, "concurrency", 1))


def spread(
    make: Callable[[R], T], inputs: Sequence[R], at_once: int, done: Callable[[], None]
) -> tuple[list[T], list[float]]:
    """What ``make`` makes of each input, and the milliseconds that each took, both in the order of the inputs.

    Args:
        make: called from up to ``at_once`` threads; from this one where that is 1.
        inputs: the items.
        at_once: how many are worked on at a time.
        done: called whenever another one is ready, from any thread.

    Raises:
        Exception: what ``make`` raised for the first of the inputs that failed; what has not begun then never does.
    """

    def timed(item: R) -> tuple[T, float]:
        start = perf_counter()
        value = make(item)
        took = (perf_counter() - start) * 1000
        done()
        return value, took

    made = [timed(item) for item in inputs] if at_once == 1 else _in_threads(timed, inputs, at_once)
    return [value for value, _ in made], [took for _, took in made]


def _in_threads(make: Callable[[R], T], inputs: Sequence[R], at_once: int) -> list[T]:
    pool = ThreadPoolExecutor(at_once)
    try:
        return [future.result() for future in [pool.submit(make, item) for item in inputs]]
    finally:  # also after Ctrl-C: whoever raises that ends the calls that are under way
        pool.shutdown(wait=False, cancel_futures=True)
