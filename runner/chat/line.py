"""A chat model as the stages see it: replies come from the cache, from an equal request that is out, or from a call."""

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from functools import partial
from typing import Any

from eval.chat.messages import Call, ChatFailedError, ChatRequest, Completion
from runner.chat.cache import CallCache, Kept, call_key
from runner.chat.endpoint import CallFailedError, Endpoint
from runner.chat.flights import CANCELLED, Flights
from runner.chat.halt import Halt
from runner.chat.ledger import Ledger

Ask = Callable[[str, ChatRequest], Completion]

NOT_CACHED = "not in the cache (cache=only)"


class Line:
    """A ``ChatModel``. ``ask`` gets a reply that is not cached, given the request's key.

    ``only_estimates``: nobody is asked, replies are made up or fail, and the calls that would be made are counted.
    """

    def __init__(
        self, endpoint: Endpoint, cache: CallCache, halt: Halt, ask: Ask, *, only_estimates: bool = False
    ) -> None:
        self._endpoint, self._cache, self._halt, self._ask = endpoint, cache, halt, ask
        self.only_estimates = only_estimates
        self._identity = endpoint.identity()
        self._flights = Flights()
        self._ledger = Ledger()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.name

    @property
    def vendor(self) -> str:
        """Who made the model."""
        return self._endpoint.vendor

    @property
    def concurrency(self) -> int:
        """Most calls at a time."""
        return self._endpoint.concurrency

    @property
    def endpoint(self) -> Endpoint:
        """The settings, for a record of the run."""
        return self._endpoint

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything besides the request that a reply follows from, as JSON."""
        return self._identity

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls so far, cached ones too, in an order that doesn't depend on who asked first."""
        return self._ledger()

    def complete(self, request: ChatRequest) -> Completion:
        """A reply, from the cache where it has one; see ``eval.chat.messages.ChatModel``."""
        key = call_key(self._identity, request)
        try:
            completion = self._shared(key, request)
        except ChatFailedError as failed:
            self._ledger.add(key, failed.calls)
            raise
        self._ledger.add(key, completion.calls)
        return completion

    def forget(self, request: ChatRequest) -> None:
        """Keep the reply to this no longer."""
        self._cache.forget(call_key(self._identity, request))

    def _shared(self, key: str, request: ChatRequest) -> Completion:
        if self._cache.mode == "off" or self._endpoint.opaque:  # then equal requests are meant to be asked each
            return self._asked(key, request)
        return self._flights.share(key, partial(self._kept_or_asked, key, request))

    def _kept_or_asked(self, key: str, request: ChatRequest) -> Completion:
        if (kept := self._cache.get(key)) is not None:
            bill = (kept.input_tokens, kept.output_tokens, kept.usd, kept.milliseconds)
            return Completion(kept.text, "stop", (Call(self.name, *bill, cached=True),))
        if self._cache.mode == "only":
            raise ChatFailedError(NOT_CACHED)
        return self._asked(key, request)

    def _asked(self, key: str, request: ChatRequest) -> Completion:
        try:
            self._halt.check()
            return self._ask(key, request)
        except CallFailedError as stopped:
            raise ChatFailedError(stopped.reason) from None
        except CancelledError:
            raise ChatFailedError(self._halt.reason or CANCELLED) from None


def kept_reply(completion: Completion) -> Kept:
    """What the cache keeps of a completion: its text, and the bill of the call that gave it."""
    call = completion.calls[-1]
    return Kept(call.model, completion.text, call.input_tokens, call.output_tokens, call.milliseconds, call.usd)
