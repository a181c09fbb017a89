"""The calls that one model was asked, for a bill that is the same whoever asked first."""

import threading

from eval.chat.messages import Call


class Ledger:
    """Calls with the key of the request that each was made for; several threads may add some."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, Call]] = []
        self._lock = threading.Lock()

    def add(self, key: str, calls: tuple[Call, ...]) -> None:
        """Add the calls of one request."""
        with self._lock:
            self._entries.extend((key, call) for call in calls)

    def __call__(self) -> tuple[Call, ...]:
        """All of them by their request, and of equal requests the one that was paid for first."""
        with self._lock:
            return tuple(call for _, call in sorted(self._entries, key=_place))


def _place(entry: tuple[str, Call]) -> tuple[str, bool]:
    key, call = entry
    return key, call.cached
