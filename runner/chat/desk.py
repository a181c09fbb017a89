"""The desk that every call of a run goes through: one cache, one cap on money, one deadline, one way to stop."""

import asyncio
from dataclasses import replace
from types import TracebackType
from typing import Self

from eval.chat.messages import Call, ChatFailedError, ChatRequest, Completion
from eval.errors import InputError
from runner.chat.cache import CallCache
from runner.chat.caller import Caller
from runner.chat.endpoint import Endpoint
from runner.chat.estimates import Estimated, Estimates, estimated
from runner.chat.flights import CANCELLED
from runner.chat.halt import Halt
from runner.chat.line import Line, kept_reply
from runner.chat.loop import LoopThread
from runner.chat.prices import Price, price_of
from runner.chat.purse import Purse

CLOSED = "the desk is closed"
ONLY_ESTIMATED = "nobody was asked (estimate=true)"


class Desk:
    """Makes chat models of endpoints and answers for what they spend.

    Args:
        cache: where replies are kept.
        purse: the cap on money.
        deadline_s: seconds from now after which no call is out any more; ``None`` for no limit.
        foreseen: make no calls; what is neither cached nor foreseen is added to ``estimates`` and foreseen from then
            on. ``None`` to make calls.
    """

    def __init__(
        self, cache: CallCache, purse: Purse, deadline_s: float | None = None, foreseen: set[str] | None = None
    ) -> None:
        self._cache, self._purse = cache, purse
        self._loop = LoopThread()
        self._halt = Halt(deadline_s, self._loop.call_soon)
        self._estimates = None if foreseen is None else Estimates(foreseen)
        self._notes: list[str] = []
        self._lines: list[Line] = []
        self._callers: list[Caller] = []

    def line(self, endpoint: Endpoint) -> Line:
        """The endpoint as a chat model; equal endpoints share one.

        Raises:
            InputError: calls will be needed and can't be made, or their cost can't be capped.
            EvalfirstError: the cache is damaged, or can't be written.
        """
        for line in self._lines:
            if line.endpoint == endpoint:
                return line
        self._cache.open()
        price = price_of(endpoint.name, endpoint.vendor, endpoint.address, endpoint.usd_per_million)
        if self._estimates is None and self._cache.mode != "only":
            endpoint.check()
            self._check_price(endpoint, price)
        line = (
            self._calling(endpoint, price)
            if self._estimates is None
            else self._estimating(endpoint, price, self._estimates)
        )
        self._lines.append(line)
        return line

    def connected(self, part: object) -> object:
        """What a configuration built, and for the settings of a model the model itself."""
        return self.line(part) if isinstance(part, Endpoint) else part

    def warm(self) -> None:
        """Load the libraries that calls need and open the clients, while other work goes on."""
        for caller in self._callers:
            self._loop.start(caller.warm)

    @property
    def stopped(self) -> str | None:
        """Why no further call was made before the desk was closed; ``None`` if nothing kept it from that."""
        return None if self._halt.reason == CLOSED else self._halt.reason

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of the cache and of requests that were refused, one line each."""
        return (*self._notes, *self._cache.notes)

    @property
    def spent_usd(self) -> float:
        """US dollars that were billed to its purse, by other desks that share it, too."""
        return self._purse.spent

    @property
    def estimates(self) -> tuple[Estimated, ...]:
        """The calls that a run would make, in an order that is always the same."""
        return () if self._estimates is None else self._estimates()

    def cancel(self) -> None:
        """Give up all calls that are out: every waiting thread returns at once."""
        self._halt.stop(CANCELLED)
        self._loop.cancel()

    def close(self) -> None:
        """Cancel what is out, close connections and the cache; may be called twice."""
        self._halt.stop(CLOSED)
        self._loop.close(self._close_callers)
        self._cache.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _calling(self, endpoint: Endpoint, price: Price | None) -> Line:
        caller = Caller(endpoint, price, self._purse, self._halt, self._notes)
        self._callers.append(caller)

        def ask(key: str, request: ChatRequest) -> Completion:
            completion = self._loop.run(lambda: caller.complete(request))
            return completion if completion.finish != "stop" else self._kept(key, completion)

        return Line(endpoint, self._cache, self._halt, ask)

    def _kept(self, key: str, completion: Completion) -> Completion:
        """Keep a reply; where another process was first its reply stands, as a repeat would give that one."""
        standing = self._cache.put(key, kept_reply(completion))
        return replace(completion, text=standing.text)

    def _estimating(self, endpoint: Endpoint, price: Price | None, estimates: Estimates) -> Line:
        """A line that asks nobody. Its replies are placeholders; one that a schema describes can't be made up."""

        def ask(key: str, request: ChatRequest) -> Completion:
            call = estimated(endpoint.name, price, request)
            new = estimates.add(key, call, repeats_are_cached=self._cache.mode != "off")
            bill = Call(call.model, call.input_tokens, call.output_tokens, call.usd, 0.0, cached=not new)
            if request.schema is not None:
                raise ChatFailedError(ONLY_ESTIMATED, calls=(bill,))
            return Completion("word " * call.output_tokens, "stop", (bill,))

        return Line(endpoint, self._cache, self._halt, ask)

    def _check_price(self, endpoint: Endpoint, price: Price | None) -> None:
        if price is None and self._purse.max_usd is not None:
            raise InputError(
                f"max_usd can't be kept: no price of the model {endpoint.name!r} at {endpoint.address} is known; "
                "say what it costs (usd_per_million), or leave the cap out"
            )

    async def _close_callers(self) -> None:
        await asyncio.gather(*(caller.close() for caller in self._callers), return_exceptions=True)
