"""Calls somebody's Python code: built once, each question in a thread that may hang, all coroutines on one loop."""

import asyncio
import inspect
from collections.abc import AsyncIterable, Callable
from concurrent.futures import CancelledError
from threading import Lock
from typing import Any, TypeVar

from eval.errors import EvalfirstError
from eval.records import Unscored
from eval.sources.finding import WrongValueError
from runner.foreign_text import shown, told
from runner.loop_thread import LoopThread
from runner.systems.shapes import MOST_PASSAGES
from runner.systems.threads import Threads

T = TypeVar("T")
Called = Callable[[Any], Any]

_PATIENCE_S = 1.0  # for coroutines to end, when nothing is asked any more


class Caller:
    """Somebody's function or object, as ``build`` makes it.

    Args:
        name: what errors call it.
        build: makes it, in the thread that calls it first; raises ``InputError`` where that fails.
        timeout_s: seconds that a call may take; ``None`` for no limit.
    """

    def __init__(self, name: str, build: Callable[[], Called], timeout_s: float | None) -> None:
        self._name, self._build, self._timeout_s = name, build, timeout_s
        self._threads, self._loop = Threads(), LoopThread("system's loop")
        self._building = Lock()  # questions may be asked from several threads; the system is built once
        self._built: Called | None = None
        self._stopped: str | None = None

    def built(self) -> Called:
        """It, built if need be.

        Raises:
            InputError: it can't be built.
            EvalfirstError: it was stopped before it was.
        """
        with self._building:
            if self._built is None:
                try:
                    self._built = self._threads.call(self._build)
                except CancelledError:
                    raise EvalfirstError(f"{self._name}: {self._stopped} before it was built") from None
            return self._built

    def ask(self, asked: Any, read: Callable[[Any], T]) -> T | Unscored:
        """What ``read`` makes of the result; unscored where it raises, takes too long or is not understood."""
        called = self.built()
        try:
            return self._threads.call(lambda: self._answered(called, asked, read), self._timeout_s)
        except TimeoutError:
            return Unscored(self._too_late)
        except CancelledError:
            return Unscored(self._stopped or "cancelled")

    def stop(self, reason: str) -> None:
        """Give up what is asked, and ask nothing more, for this reason; the first reason stays."""
        self._stopped = self._stopped or reason
        self._threads.cancel()
        self._loop.close(patience_s=_PATIENCE_S)

    @property
    def _too_late(self) -> str:
        return f"no response within {self._timeout_s:g} s"

    def _answered(self, called: Called, asked: Any, read: Callable[[Any], T]) -> T | Unscored:
        result = None
        try:
            result = called(asked)
            if inspect.isawaitable(result) or isinstance(result, AsyncIterable):
                result = self._awaited(result)
            return read(result)
        except _TooLateError:
            return Unscored(self._too_late)
        except WrongValueError as error:
            return Unscored(f"the result {error}", shown(result))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  # whatever somebody's code raises is the answer to one question
            return Unscored(told(error))

    def _awaited(self, result: Any) -> Any:
        value, error = self._loop.run(lambda: _caught(result, self._timeout_s))
        if error is not None:
            raise error
        return value


class _TooLateError(Exception):
    """A coroutine took longer than it may."""


async def _caught(result: Any, timeout_s: float | None) -> tuple[Any, BaseException | None]:
    """Its value, or what it raised: an exit would end the loop that all others share."""
    limit = asyncio.timeout(timeout_s)
    try:
        async with limit:
            return await _settled(result), None
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001  # raised again by the thread that waits
        return None, _TooLateError() if isinstance(error, TimeoutError) and limit.expired() else error


async def _settled(result: Any) -> Any:
    """What an awaitable gives, and of what comes piece by piece a list: one more than there may be says too many."""
    if inspect.isawaitable(result):
        result = await result
    if not isinstance(result, AsyncIterable):
        return result
    collected: list[Any] = []
    async for each in result:
        collected.append(each)
        if len(collected) > MOST_PASSAGES:
            break
    return collected
