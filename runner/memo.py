"""Keeps what the stages computed, so that a sweep computes each thing once, in whatever order its jobs come."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from eval.fingerprints import fingerprint
from eval.records import StageTimes, Unscored
from runner.progress import Progress, unwatched
from runner.spread import spread

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

    def __init__(self, progress: Progress = unwatched) -> None:
        self._kept: dict[str, Made[Any]] = {}
        self._progress = progress

    def once(self, stage: str, follows_from: list[Any], make: Callable[[], T]) -> Made[T]:
        """The kept result for these settings, or a new one. ``follows_from`` is JSON: settings and upstream keys."""
        made = self.each(stage, follows_from, lambda _: make(), [None])
        return Made(made.value[0], made.key, made.times)

    def each(
        self, stage: str, follows_from: list[Any], make: Callable[[R], T], inputs: list[R], at_once: int = 1
    ) -> Made[list[T]]:
        """As ``once``, for a stage that works item by item, ``at_once`` at a time, and is timed so.

        A result with an item that stayed unscored is not kept: what failed may succeed in the next run.
        """
        key = fingerprint([stage, follows_from])
        if (kept := self._kept.get(key)) is not None:
            return cast("Made[list[T]]", replace(kept, times=replace(kept.times, reused=True)))
        with self._progress(stage, len(inputs)) as done:
            value, milliseconds = spread(make, inputs, at_once, done)
        made = Made(value, key, StageTimes(stage, tuple(milliseconds)))
        if not any(isinstance(item, Unscored) for item in value):
            self._kept[key] = made
        return made
