"""What calls would cost, told before any is made."""

import threading
from dataclasses import dataclass
from operator import itemgetter

from eval.chat.messages import ChatRequest
from runner.chat.prices import Price
from runner.chat.sizes import input_tokens


@dataclass(frozen=True, slots=True)
class Estimated:
    """One call that a run would make; ``usd`` is for the expected, ``most_usd`` for the longest reply.

    Both are ``None`` where no price is known.
    """

    model: str
    input_tokens: int
    output_tokens: int
    most_output_tokens: int
    usd: float | None
    most_usd: float | None


def estimated(model: str, price: Price | None, request: ChatRequest, *, opaque: bool = False) -> Estimated:
    """What a request would cost; ``opaque``: nobody can tell its tokens, so that it counts as a call without any."""
    if opaque:
        usd = None if price is None else price.usd(0, 0)
        return Estimated(model, 0, 0, 0, usd, usd)
    given, got = input_tokens(request), min(request.expected_tokens, request.max_tokens)
    prices = (None, None) if price is None else (price.usd(given, got), price.usd(given, request.max_tokens))
    return Estimated(model, given, got, request.max_tokens, *prices)


class Estimates:
    """Estimated calls, with the key of the request that each is for.

    ``foreseen`` holds the keys of what is asked anyway, by earlier runs of the same start: those of this one are added.
    """

    def __init__(self, foreseen: set[str]) -> None:
        self._calls: list[tuple[str, Estimated]] = []
        self._keys = foreseen
        self._lock = threading.Lock()

    def add(self, key: str, call: Estimated, *, repeats_are_cached: bool) -> bool:
        """Add a call, unless it is an equal request's that would be taken from the cache; whether it was added."""
        with self._lock:
            new = key not in self._keys or not repeats_are_cached
            self._keys.add(key)
            if new:
                self._calls.append((key, call))
            return new

    def __call__(self) -> tuple[Estimated, ...]:
        """All of them, in an order that doesn't depend on who asked first."""
        with self._lock:
            return tuple(call for _, call in sorted(self._calls, key=itemgetter(0)))
