"""Equal requests that are out at the same time share one call."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from eval.chat.messages import ChatFailedError, Completion

CANCELLED = "cancelled"


class Flights:
    """Completions that are on their way, by the key of their request."""

    def __init__(self) -> None:
        self._out: dict[str, Future[Completion]] = {}
        self._lock = threading.Lock()

    def share(self, key: str, make: Callable[[], Completion]) -> Completion:
        """``make``'s completion; whoever comes meanwhile gets the same as if it were cached, and pays nothing."""
        with self._lock:
            out = self._out.get(key)
            mine = self._out.setdefault(key, Future())
        return self._lead(key, mine, make) if out is None else _follow(out)

    def _lead(self, key: str, mine: Future[Completion], make: Callable[[], Completion]) -> Completion:
        try:
            completion = make()
        except BaseException as error:
            mine.set_exception(error if isinstance(error, Exception) else ChatFailedError(CANCELLED))
            raise
        else:
            mine.set_result(completion)
            return completion
        finally:
            with self._lock:
                del self._out[key]


def _follow(out: Future[Completion]) -> Completion:
    try:
        completion = out.result()
    except ChatFailedError as error:  # the calls that failed are billed to the one who made them
        raise ChatFailedError(error.reason, error.raw) from None
    return replace(completion, calls=(replace(completion.calls[-1], cached=True),))
