"""Threads for code of others, which may never come back."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

_Jobs = SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]


class Threads:
    """Threads that never keep the process from ending.

    One that comes back is taken again, so that what was opened in it, such as a connection to SQLite, is at home in the
    next call. One that does not is left behind, and another takes its place.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal may interrupt the thread that holds it, and cancel
        self._free: list[_Jobs] = []
        self._waiting: set[Future[Any]] = set()
        self._ended = False

    def call(self, work: Callable[[], T], timeout_s: float | None = None) -> T:
        """Do ``work`` in one of the threads and wait for it; what it raises is raised here.

        Raises:
            TimeoutError: it took longer than ``timeout_s``.
            CancelledError: everything was cancelled, before or meanwhile.
        """
        future: Future[T] = Future()
        jobs = self._take(future)
        jobs.put((future, work))
        try:
            return future.result(timeout_s)
        finally:
            self._give_back(jobs, future)

    def cancel(self) -> None:
        """Let every waiting thread go at once, and take no further calls."""
        with self._lock:
            self._ended, waiting, free = True, list(self._waiting), self._free
            self._free = []
        for future in waiting:
            future.cancel()
        for jobs in free:
            jobs.put(None)

    def _take(self, future: Future[Any]) -> _Jobs:
        with self._lock:
            if self._ended:
                raise CancelledError
            self._waiting.add(future)
            if self._free:
                return self._free.pop()
        jobs: _Jobs = SimpleQueue()
        threading.Thread(target=_serve, args=(jobs,), name="system", daemon=True).start()
        return jobs

    def _give_back(self, jobs: _Jobs, future: Future[Any]) -> None:
        with self._lock:
            self._waiting.discard(future)
            if future.cancel() or self._ended:  # it is not done: its thread ends when it comes back
                jobs.put(None)
            else:
                self._free.append(jobs)


def _serve(jobs: _Jobs) -> None:
    while (job := jobs.get()) is not None:
        future, work = job
        if future.cancelled():
            continue
        with suppress(InvalidStateError):  # nobody waits for it any more
            try:
                value = work()
            except BaseException as error:  # noqa: BLE001  # whoever waits is told
                future.set_exception(error)
            else:
                future.set_result(value)
