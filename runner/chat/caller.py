"""Calls of one endpoint on the event loop: in turn, within the cap, tried again where that helps, and billed."""

import asyncio
import random
from contextlib import suppress
from time import perf_counter

from eval.chat.messages import Call, ChatFailedError, ChatRequest, Completion
from runner.chat.endpoint import (
    CallFailedError,
    Connection,
    Endpoint,
    Exhausted,
    Overloaded,
    Refused,
    Reply,
    Unreachable,
)
from runner.chat.failures import FILTERED
from runner.chat.halt import Halt, Stopped
from runner.chat.limit import AdaptiveLimit, Slot
from runner.chat.prices import Price
from runner.chat.purse import Purse
from runner.chat.sizes import input_tokens, most_input_tokens, output_tokens

LONGEST_WAIT_S = 120.0  # that a server may ask for; whoever asks for more is as good as gone
_FIRST_WAIT_S, _MOST_WAIT_S = 0.5, 20.0
_LONGEST_WORDS = 300  # of a server that are told
BLANK = "the model gave no text"


class _TimedOut(Overloaded):
    """No reply in time, however often that was tried."""


class Caller:
    """Makes calls for many threads; everything but its making happens on the loop's thread."""

    def __init__(self, endpoint: Endpoint, price: Price | None, purse: Purse, halt: Halt, notes: list[str]) -> None:
        self._endpoint, self._price, self._purse, self._halt = endpoint, price, purse, halt
        self._notes = notes
        self._given_up: str | None = None  # why this endpoint is asked no more; others are
        self._limit = AdaptiveLimit(endpoint.concurrency, halt.sleep)
        self._connection: Connection | None = None

    async def complete(self, request: ChatRequest) -> Completion:
        """A reply that may be used, with all that was billed for it.

        Raises:
            ChatFailedError: there is none.
        """
        bills: list[Call] = []
        try:
            async with asyncio.timeout_at(self._halt.deadline):
                reply = await self._tried(request, bills)
        except CallFailedError as failed:
            raw = failed.raw if isinstance(failed, Refused) else ""
            raise ChatFailedError(failed.reason, raw, tuple(bills)) from None
        except TimeoutError:
            self._halt.stop(self._halt.too_late)
            raise ChatFailedError(self._halt.too_late, calls=tuple(bills)) from None
        return Completion(reply.text, reply.finish, tuple(bills))

    async def warm(self) -> None:
        """Make the connection before it is needed; what is wrong with it is told when it is."""
        with suppress(Exception):
            self._connected()

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            await self._connection.close()

    async def _tried(self, request: ChatRequest, bills: list[Call]) -> Reply:
        """Call until there is a reply, as often as the endpoint allows; a blank one is given one more chance."""
        blank = False
        for number in range(1, self._endpoint.tries + 1):
            try:
                reply = await self._once(request, bills)
            except Overloaded as failed:
                await self._wait(failed, number)
                continue
            # One that was cut off before its text began is its asker's to judge: more room may help.
            if reply.text.strip() or reply.finish == "length":
                return reply
            if blank:
                break
            blank = True
        raise Refused(BLANK)

    async def _once(self, request: ChatRequest, bills: list[Call]) -> Reply:
        """One call in its turn, and its bill."""
        self._check()
        async with self._limit.slot() as slot:
            self._check()
            connection = self._connected()
            reserved = self._reserve(request)
            start = perf_counter()
            try:
                reply = await self._in_time(connection, request)
            except CallFailedError as failed:
                self._failed(failed, slot, reserved)
                raise
            self._limit.succeeded()
            call = self._bill(request, reply, (perf_counter() - start) * 1000)
            self._purse.settle(reserved, call.usd or 0.0)
            bills.append(call)
        if reply.finish == "content_filter":
            raise Refused(FILTERED, reply.text)
        return reply

    def _check(self) -> None:
        """Raise ``Stopped`` where nobody is asked any more, or not this endpoint."""
        self._halt.check()
        if self._given_up is not None:
            raise Stopped(self._given_up)

    def _note(self, failed: Refused) -> None:
        """Keep a server's own words once for each kind of refusal, as they say what to mend."""
        beginning = f"{self._endpoint.name}: {failed.reason}"
        if not any(note.startswith(beginning) for note in self._notes):
            self._notes.append(f"{beginning}: {' '.join(failed.raw.split())[:_LONGEST_WORDS]}")

    def _connected(self) -> Connection:
        """The connection, made when it is first needed."""
        if self._connection is None:
            self._connection = self._endpoint.connect()
        return self._connection

    async def _in_time(self, connection: Connection, request: ChatRequest) -> Reply:
        try:
            async with asyncio.timeout(self._endpoint.timeout_s):
                return await connection.send(request)
        except TimeoutError:
            raise _TimedOut(f"no reply within {self._endpoint.timeout_s:g} s", maybe_billed=True) from None

    def _failed(self, failed: CallFailedError, slot: Slot, reserved: float) -> None:
        """Draw the consequences for other calls."""
        if isinstance(failed, Exhausted):
            self._given_up = failed.reason
        if isinstance(failed, Refused) and failed.raw:
            self._note(failed)
        if not isinstance(failed, Overloaded):
            self._purse.settle(reserved, 0.0)
            return
        if not failed.maybe_billed:
            self._purse.settle(reserved, 0.0)
        bearable = failed.retry_after_s if (failed.retry_after_s or 0.0) <= LONGEST_WAIT_S else None
        if failed.slow_down:
            self._limit.overloaded(slot, bearable)
        else:
            self._limit.pause(bearable)

    async def _wait(self, failed: Overloaded, number: int) -> None:
        """Wait before the next try: exponential with full jitter, no shorter than the server asks.

        Raises:
            Refused: there is no next try, or none in time.
        """
        least = failed.retry_after_s or 0.0
        if number == self._endpoint.tries:
            tries = f" after {number} {'try' if number == 1 else 'tries'}"
            reason = failed.reason if isinstance(failed, _TimedOut) else failed.reason + tries
            if isinstance(failed, Unreachable):
                self._given_up = reason
            raise Refused(reason)
        if least > LONGEST_WAIT_S:
            raise Refused(f"{failed.reason} for longer than {LONGEST_WAIT_S:g} s")
        if not self._halt.leaves(least):
            raise Refused(f"{failed.reason} beyond the run's deadline")
        most = min(_MOST_WAIT_S, _FIRST_WAIT_S * 2 ** (number - 1))
        await self._halt.sleep(least + random.uniform(0, most))  # noqa: S311  # no secret hangs on it

    def _reserve(self, request: ChatRequest) -> float:
        """Set aside the most that a call can cost; without room for it nothing is asked any more."""
        if self._price is None or self._price.is_free:
            return 0.0
        most = self._price.usd(most_input_tokens(request), request.max_tokens)
        if not self._purse.reserve(most):
            reason = f"max_usd of {self._purse.max_usd:g} reached"
            self._halt.stop(reason)
            raise Stopped(reason)
        return most

    def _bill(self, request: ChatRequest, reply: Reply, milliseconds: float) -> Call:
        """What a call cost; tokens that the server did not count are estimated."""
        given = input_tokens(request) if reply.input_tokens is None else reply.input_tokens
        got = output_tokens(reply.text) if reply.output_tokens is None else reply.output_tokens
        usd = None if self._price is None else self._price.usd(given, got)
        return Call(self._endpoint.name, given, got, usd, milliseconds)
