"""The desk that every call of a run goes through: one cache, one cap on money, one deadline, one way to stop."""

import asyncio
from dataclasses import replace
from types import TracebackType
from typing import Self

from eval.chat.messages import Call, ChatFailedError, ChatRequest, Completion
from eval.errors import InputError
from eval.fingerprints import canonical_json
from runner.chat.cache import CallCache
from runner.chat.caller import Caller
from runner.chat.embeddings_endpoint import EmbeddingsEndpoint
from runner.chat.endpoint import Endpoint
from runner.chat.estimates import Estimated, Estimates, estimated
from runner.chat.flights import CANCELLED
from runner.chat.halt import Halt
from runner.chat.line import Line, kept_reply
from runner.chat.prices import Price
from runner.chat.purse import Purse
from runner.loop_thread import LoopThread

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
        self._loop = LoopThread("chat")
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
        line = self._calling(endpoint) if self._estimates is None else self._estimating(endpoint, self._estimates)
        self._lines.append(line)
        return line

    def unasked(self, part: object) -> object:
        """As ``connected``, for a part that this run leaves out: its model needs no key, no price and no server."""
        return self._estimating(part, Estimates(set())) if isinstance(part, Endpoint) else part

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
    def embedding_calls(self) -> tuple[Call, ...]:
        """All calls of models that turn texts into vectors, cached ones too, in an order that is always the same."""
        lines = [line for line in self._lines if isinstance(line.endpoint, EmbeddingsEndpoint)]
        lines.sort(key=lambda line: canonical_json(line.identity))
        return tuple(call for line in lines for call in line.calls)

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

    def _calling(self, endpoint: Endpoint) -> Line:
        price = endpoint.price()
        self._check(endpoint, price)
        caller = Caller(endpoint, price, self._purse, self._halt, self._notes)
        self._callers.append(caller)

        def ask(key: str, request: ChatRequest) -> Completion:
            completion = self._loop.run(lambda: caller.complete(request))
            keeps = completion.finish == "stop" and not endpoint.opaque
            return self._kept(key, completion) if keeps else completion

        return Line(endpoint, self._cache, self._halt, ask)

    def _kept(self, key: str, completion: Completion) -> Completion:
        """Keep a reply; where another process was first its reply stands, as a repeat would give that one."""
        standing = self._cache.put(key, kept_reply(completion))
        return replace(completion, text=standing.text)

    def _estimating(self, endpoint: Endpoint, estimates: Estimates) -> Line:
        """A line that asks nobody. Its replies are placeholders; one that a schema describes can't be made up."""
        price = endpoint.price()
        if endpoint.opaque:
            self._notes.append(f"{endpoint.name}: only its calls are estimated; nobody can tell what they will spend")

        def ask(key: str, request: ChatRequest) -> Completion:
            call = estimated(endpoint.name, price, request, opaque=endpoint.opaque)
            kept = self._cache.mode != "off" and not endpoint.opaque
            new = estimates.add(key, call, repeats_are_cached=kept)
            bill = Call(call.model, call.input_tokens, call.output_tokens, call.usd, 0.0, cached=not new)
            if request.schema is not None:
                raise ChatFailedError(ONLY_ESTIMATED, calls=(bill,))
            return Completion("word " * call.output_tokens, "stop", (bill,))

        return Line(endpoint, self._cache, self._halt, ask, only_estimates=True)

    def _check(self, endpoint: Endpoint, price: Price | None) -> None:
        """Raise ``InputError`` where the endpoint can't be asked on this desk's terms."""
        if self._cache.mode == "only":
            if endpoint.opaque:
                raise InputError(
                    f"{endpoint.name!r} can't be asked with cache=only: it may change from call to call, so its "
                    "replies are never kept; leave cache=only out"
                )
            return
        endpoint.check()
        if price is None and self._purse.max_usd is not None:
            option = "usd_per_call" if endpoint.opaque else "usd_per_million"
            raise InputError(
                f"max_usd can't be kept: no price of the model {endpoint.name!r} at {endpoint.address} is known; "
                f"say what it costs ({option}), or leave the cap out"
            )

    async def _close_callers(self) -> None:
        await asyncio.gather(*(caller.close() for caller in self._callers), return_exceptions=True)
