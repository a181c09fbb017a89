"""An event loop in a thread of its own, which other threads hand their calls to and wait."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

_PATIENCE_S = 5.0  # for what is left over to end, when the loop is closed


class LoopThread:
    """The loop runs from the first call until it is closed. Its thread ends with the interpreter, whatever it does."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.RLock()  # a signal may interrupt the thread that holds it, and cancel
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._waiting: set[Future[Any]] = set()
        self._ended = False

    def run(self, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run what ``start`` makes on the loop and wait for it, in any thread but the loop's.

        Raises:
            CancelledError: everything was cancelled, before or meanwhile.
        """
        future = self._submit(start)
        try:
            return future.result()
        finally:
            future.cancel()  # does nothing to one that is done; an interrupted wait takes its call with it
            self._forget(future)

    def call_soon(self, callback: Callable[[], object]) -> None:
        """Have the loop call this; nothing happens where no loop runs."""
        with self._lock:
            if self._loop is not None and not self._ended:
                self._loop.call_soon_threadsafe(callback)

    def cancel(self) -> None:
        """Let every waiting thread go at once, and take no further calls."""
        with self._lock:
            self._ended, waiting = True, list(self._waiting)
        for future in waiting:
            future.cancel()

    def close(
        self, last: Callable[[], Coroutine[Any, Any, object]] | None = None, patience_s: float = _PATIENCE_S
    ) -> None:
        """Cancel everything, run ``last`` on the loop, and end it; may be called twice.

        Waits for ``patience_s`` until what is cancelled has ended, and twice as long for a loop that is blocked.
        """
        self.cancel()
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(_end(loop, last, patience_s), loop)
            thread.join(2 * patience_s)

    def start(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Run what ``work`` makes on the loop without waiting for it; nothing, where everything is cancelled."""
        with suppress(CancelledError):
            self._submit(work).add_done_callback(self._forget)

    def _forget(self, future: Future[Any]) -> None:
        with self._lock:
            self._waiting.discard(future)

    def _submit(self, start: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        with self._lock:
            if self._ended:
                raise CancelledError
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            future = asyncio.run_coroutine_threadsafe(start(), self._loop)
            self._waiting.add(future)
        return future


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


async def _end(
    loop: asyncio.AbstractEventLoop, last: Callable[[], Coroutine[Any, Any, object]] | None, patience_s: float
) -> None:
    """End what still runs, then the loop; what will not end is left behind."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    with suppress(TimeoutError):
        async with asyncio.timeout(patience_s):
            await asyncio.gather(*others, return_exceptions=True)
            if last is not None:
                await last()
    loop.stop()
