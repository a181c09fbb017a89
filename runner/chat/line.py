"""A chat model as the stages see it: replies come from the cache, from an equal request that is out, or from a call."""

from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial

from eval.chat.messages import Call, ChatFailedError, ChatRequest, Completion
from runner.chat.cache import CallCache, Kept, call_key
from runner.chat.endpoint import CallFailedError, Endpoint
from runner.chat.flights import CANCELLED, Flights
from runner.chat.halt import Halt

Ask = Callable[[str, ChatRequest], Completion]

NOT_CACHED = "not in the cache (cache=only)"


class Line:
    """A ``ChatModel``. ``ask`` gets a reply that is not cached, given the request's key."""

    def __init__(self, endpoint: Endpoint, cache: CallCache, halt: Halt, ask: Ask) -> None:
        self._endpoint, self._cache, self._halt, self._ask = endpoint, cache, halt, ask
        self._identity = endpoint.identity()
        self._flights = Flights()

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

    def complete(self, request: ChatRequest) -> Completion:
        """A reply, from the cache where it has one; see ``eval.chat.messages.ChatModel``."""
        key = call_key(self._identity, request)
        if self._cache.mode == "off":  # then equal requests are meant to be asked each
            return self._asked(key, request)
        return self._flights.share(key, partial(self._kept_or_asked, key, request))

    def forget(self, request: ChatRequest) -> None:
        """Keep the reply to this no longer."""
        self._cache.forget(call_key(self._identity, request))

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
