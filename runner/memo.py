"""Keeps what the stages computed, so that each thing is computed once: in a sweep, and across processes on disk."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any, Generic, TypeVar, cast

from eval.fingerprints import fingerprint
from eval.records import StageTimes, Unscored
from runner.progress import Progress, unwatched
from runner.spread import spread
from runner.work_cache.forms import Form
from runner.work_cache.store import WorkCache

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Made(Generic[T]):
    """A stage's result, the key of everything that it follows from, and the time it took."""

    value: T
    key: str
    times: StageTimes


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where and how a result is kept on disk; ``code`` names everything that it follows from besides its key."""

    cache: WorkCache
    code: str
    form: Form[Any]


class Later(Generic[T]):
    """A result that is made, or read, when somebody asks for it: of what is kept further on nobody does."""

    def __init__(self, key: str, make: Callable[[], Made[T]], kept: Callable[[], StageTimes | None]) -> None:
        self.key, self._make, self._kept = key, make, kept
        self._made: Made[T] | None = None
        self._lock = RLock()

    def get(self) -> T:
        """The result."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made.value

    @property
    def times(self) -> StageTimes | None:
        """The time it took, also when that was earlier; ``None`` where it was not needed and is not known."""
        return self._kept() if self._made is None else self._made.times


class Memo:
    """Results by stage and by all settings upstream of it. Lives as long as a process, holds whatever it made."""

    def __init__(self, progress: Progress = unwatched) -> None:
        self._kept: dict[str, Made[Any]] = {}
        self._progress = progress

    @property
    def progress(self) -> Progress:
        """Who watches long work."""
        return self._progress

    def once(
        self, stage: str, follows_from: list[Any], make: Callable[[], T], keeping: Keeping | None = None
    ) -> Made[T]:
        """The kept result for these settings, or a new one. ``follows_from`` is JSON: settings and upstream keys."""
        form = None if keeping is None else _alone(keeping)
        made = self.each(stage, follows_from, lambda _: make(), [None], keeping=form)
        return Made(made.value[0], made.key, made.times)

    def later(
        self, stage: str, follows_from: list[Any], make: Callable[[], T], keeping: Keeping | None = None
    ) -> Later[T]:
        """As ``once``, when it is asked for."""
        key = fingerprint([stage, follows_from])

        def kept() -> StageTimes | None:
            if (made := self._kept.get(key)) is not None:
                return replace(made.times, reused=True)
            took = None if keeping is None else keeping.cache.times(stage, _on_disk(keeping, key))
            return None if took is None else StageTimes(stage, took, reused=True)

        return Later(key, lambda: self.once(stage, follows_from, make, keeping), kept)

    def each(
        self,
        stage: str,
        follows_from: list[Any],
        make: Callable[[R], T] | Later[Callable[[R], T]],
        inputs: list[R],
        at_once: int = 1,
        keeping: Keeping | None = None,
    ) -> Made[list[T]]:
        """As ``once``, for a stage that works item by item, ``at_once`` at a time, and is timed so.

        A result with an item that stayed unscored is not kept: what failed may succeed in the next run.
        """
        key = fingerprint([stage, follows_from])
        if (kept := self._kept.get(key)) is not None:
            return cast("Made[list[T]]", replace(kept, times=replace(kept.times, reused=True)))

        def work() -> Made[list[T]]:
            ready = make.get() if isinstance(make, Later) else make
            with self._progress(stage, len(inputs)) as done:
                value, milliseconds = spread(ready, inputs, at_once, done)
            return Made(value, key, StageTimes(stage, tuple(milliseconds)))

        made = work() if keeping is None else _read_or_work(keeping, stage, key, work)
        if not _failed(made):
            self._kept[key] = made
        return made


def _read_or_work(keeping: Keeping, stage: str, key: str, work: Callable[[], Made[T]]) -> Made[T]:
    """The result as it is kept on disk, or a new one, which is then kept there."""
    name = _on_disk(keeping, key)
    with keeping.cache.working(stage, name):
        entry = keeping.cache.load(stage, name)
        if entry is not None and entry.arrays:
            return Made(keeping.form.value(entry.arrays), key, StageTimes(stage, entry.milliseconds, reused=True))
        made = work()
        if not _failed(made):
            keeping.cache.save(stage, name, keeping.form.arrays(made.value) or {}, made.times.milliseconds)
    return made


def _on_disk(keeping: Keeping, key: str) -> str:
    return fingerprint([keeping.code, key])


def _failed(made: Made[Any]) -> bool:
    return isinstance(made.value, list) and any(isinstance(item, Unscored) for item in made.value)


def _alone(keeping: Keeping) -> Keeping:
    """The form of a list that holds a single value."""
    form = keeping.form
    return replace(keeping, form=Form(lambda made: form.arrays(made[0]), lambda arrays: [form.value(arrays)]))
