"""Why no further call is made, if so; and waits that end when that is decided."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from runner.chat.endpoint import CallFailedError


class Stopped(CallFailedError):  # noqa: N818  # it names a state, as its siblings do
    """No call was made, as none is made any more."""


class Halt:
    """One for a desk. ``deadline`` is a time of ``time.monotonic``, which is the event loop's clock, too."""

    def __init__(self, deadline_s: float | None, call_soon: Callable[[Callable[[], object]], None]) -> None:
        self.reason: str | None = None
        self.deadline_s = deadline_s
        self.deadline = None if deadline_s is None else time.monotonic() + deadline_s
        self._call_soon = call_soon
        self._halted = asyncio.Event()

    def stop(self, reason: str) -> None:
        """Make no further call, for this reason; the first reason stays. From any thread."""
        self.reason = self.reason or reason
        self._call_soon(self._halted.set)

    def check(self) -> None:
        """Raise ``Stopped`` where no further call is made."""
        if self.reason is None and self.deadline is not None and time.monotonic() >= self.deadline:
            self.stop(self.too_late)
        if self.reason is not None:
            raise Stopped(self.reason)

    @property
    def too_late(self) -> str:
        """The reason when the time of the run is over."""
        return f"the run's deadline of {self.deadline_s:g} s is over"

    def leaves(self, seconds: float) -> bool:
        """Whether so much time is left."""
        return self.deadline is None or time.monotonic() + seconds < self.deadline

    async def sleep(self, seconds: float) -> None:
        """Wait; ``Stopped`` as soon as no further call is made."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._halted.wait()
        self.check()
