"""Keeps what the stages computed, so that each thing is computed once: in a sweep, and across processes on disk."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import RLock
from time import perf_counter
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


@dataclass(frozen=True, slots=True)
class Prepared(Generic[R, T]):
    """What makes an item, once something was got ready for all of them.

    ``before`` gets ready what no item should pay for, as a library that is loaded; ``make`` what all pay for alike, as
    vectors that are made together: its time is shared among them. Neither is called where the result is known.
    """

    make: Callable[[], Callable[[R], T]]
    before: Callable[[], object] = lambda: None


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

    def once(
        self,
        stage: str,
        follows_from: list[Any],
        make: Callable[[], T],
        keeping: Keeping | None = None,
        before: Callable[[], object] = lambda: None,
    ) -> Made[T]:
        """The kept result for these settings, or a new one. ``follows_from`` is JSON: settings and upstream keys."""
        form = None if keeping is None else _alone(keeping)
        made = self.each(stage, follows_from, Prepared(lambda: lambda _: make(), before), [None], keeping=form)
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
        make: Callable[[R], T] | Prepared[R, T],
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
            ready, shared = _ready(make)
            with self._progress(stage, len(inputs)) as done:
                value, milliseconds = spread(ready, inputs, at_once, done)
            each = shared / max(len(inputs), 1)
            return Made(value, key, StageTimes(stage, tuple(took + each for took in milliseconds)))

        made = work() if keeping is None else _read_or_work(keeping, stage, key, len(inputs), work)
        if not _failed(made):
            self._kept[key] = made
        return made


def _ready(make: Callable[[R], T] | Prepared[R, T]) -> tuple[Callable[[R], T], float]:
    """What makes an item, and the milliseconds that all items have in common."""
    if not isinstance(make, Prepared):
        return make, 0.0
    make.before()
    start = perf_counter()
    ready = make.make()
    return ready, (perf_counter() - start) * 1000


def _read_or_work(
    keeping: Keeping, stage: str, key: str, items: int, work: Callable[[], Made[list[T]]]
) -> Made[list[T]]:
    """The result as it is kept on disk, or a new one, which is then kept there; one process at a time does it."""
    if (kept := _read(keeping, stage, key, items)) is not None:
        return kept
    name = _on_disk(keeping, key)
    with keeping.cache.working(stage, name):
        if (kept := _read(keeping, stage, key, items)) is not None:  # meanwhile by another process
            return kept
        made = work()
        if not _failed(made):
            keeping.cache.save(stage, name, keeping.form.arrays(made.value) or {}, made.times.milliseconds)
    return made


def _read(keeping: Keeping, stage: str, key: str, items: int) -> Made[list[Any]] | None:
    """The result as it is kept on disk; ``None`` where it is not, or is none."""
    name = _on_disk(keeping, key)
    entry = keeping.cache.load(stage, name)
    if entry is None or not entry.arrays:
        return None
    try:
        value = _of_length(items, keeping.form.value(entry.arrays))
    except Exception as error:  # noqa: BLE001 – whatever arrays that are none make of themselves
        keeping.cache.forget(stage, name, error)
        return None
    return Made(value, key, StageTimes(stage, entry.milliseconds, reused=True))


def _of_length(items: int, value: list[Any]) -> list[Any]:
    if len(value) != items:
        raise ValueError(f"it holds {len(value)} results for {items} items")
    return value


def _on_disk(keeping: Keeping, key: str) -> str:
    return fingerprint([keeping.code, key])


def _failed(made: Made[Any]) -> bool:
    return isinstance(made.value, list) and any(isinstance(item, Unscored) for item in made.value)


def _alone(keeping: Keeping) -> Keeping:
    """The form of a list that holds a single value."""
    form = keeping.form
    return replace(keeping, form=Form(lambda made: form.arrays(made[0]), lambda arrays: [form.value(arrays)]))
