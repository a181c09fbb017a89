"""Keeps what the stages computed, so that a sweep computes each thing once, in whatever order its jobs come."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any, Generic, TypeVar, cast

from eval.fingerprints import fingerprint
from eval.records import StageTimes

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Made(Generic[T]):
    """A stage's result, the key of everything that it follows from, and the time it took."""

    value: T
    key: str
    times: StageTimes


class Memo:
    """Results by stage and by all settings upstream of it. Lives as long as a process, holds whatever it made."""

    def __init__(self) -> None:
        self._kept: dict[str, Made[Any]] = {}

    def once(self, stage: str, follows_from: list[Any], make: Callable[[], T]) -> Made[T]:
        """The kept result for these settings, or a new one. ``follows_from`` is JSON: settings and upstream keys."""
        return self._once(stage, follows_from, lambda: _timed(make))

    def each(self, stage: str, follows_from: list[Any], make: Callable[[R], T], inputs: list[R]) -> Made[list[T]]:
        """As ``once``, for a stage that works question by question and is timed so."""

        def make_all() -> tuple[list[T], list[float]]:
            made = [_timed(partial(make, item)) for item in inputs]
            return [value for value, _ in made], [times[0] for _, times in made]

        return self._once(stage, follows_from, make_all)

    def _once(self, stage: str, follows_from: list[Any], make: Callable[[], tuple[T, list[float]]]) -> Made[T]:
        key = fingerprint([stage, follows_from])
        if (kept := self._kept.get(key)) is not None:
            return cast("Made[T]", replace(kept, times=replace(kept.times, reused=True)))
        value, milliseconds = make()
        made = Made(value, key, StageTimes(stage, tuple(milliseconds)))
        self._kept[key] = made
        return made


def _timed(make: Callable[[], T]) -> tuple[T, list[float]]:
    start = perf_counter()
    value = make()
    return value, [(perf_counter() - start) * 1000]
