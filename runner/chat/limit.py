"""How many calls may be out at a time: fewer when a server says that it is too many, slowly more again."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Slot:
    """A call's place. ``started`` is the loop's time at which it began."""

    started: float


class AdaptiveLimit:
    """At most ``most`` calls at a time, in the order of asking; lives on one event loop.

    Additive increase and multiplicative decrease, as TCP does it (Chiu and Jain, 1989): an overload halves the number
    once for all calls that were out at the time, and as many successes in a row as the number is add one to it.
    """

    def __init__(self, most: int, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self.allowed = self._most = most
        self._sleep = sleep
        self._out = self._successes = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._halved_at = self._paused_until = float("-inf")

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Slot]:
        """Wait for a place, and for the end of any pause; the place is free again at the end."""
        await self._enter()
        try:
            while (left := self._paused_until - _now()) > 0:
                await self._sleep(left)
            yield Slot(_now())
        finally:
            self._out -= 1
            self._admit()

    def succeeded(self) -> None:
        """A call came back well."""
        self._successes += 1
        if self._successes >= self.allowed and self.allowed < self._most:
            self.allowed, self._successes = self.allowed + 1, 0
            self._admit()

    def overloaded(self, slot: Slot, pause_s: float | None) -> None:
        """A call came back because there are too many; nobody starts for ``pause_s`` seconds."""
        self._successes = 0
        if slot.started > self._halved_at:
            self.allowed, self._halved_at = max(1, self.allowed // 2), _now()
        self.pause(pause_s)

    def pause(self, pause_s: float | None) -> None:
        """Nobody starts for ``pause_s`` seconds."""
        self._paused_until = max(self._paused_until, _now() + (pause_s or 0.0))

    async def _enter(self) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had come: the place goes to the next
                self._out -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._queue and self._out < self.allowed:
            turn = self._queue.popleft()
            if not turn.done():
                self._out += 1
                turn.set_result(None)


def _now() -> float:
    return asyncio.get_running_loop().time()
