"""Which texts hold a passage: found by sampled windows, so that a long corpus is not read once for each passage."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_DOUBLINGS = 4
_WINDOW = 2**_DOUBLINGS  # characters
_SAMPLED = np.uint64(0xF << 60)  # a window is sampled where these bits of its hash are 0: one of sixteen
_BASE = 0x9E3779B97F4A7C15  # odd, without a pattern in its bits


class Holders:
    """Finds the texts that hold a passage, exactly as ``passage in text`` for each of them would.

    Whether a window of characters is sampled depends on its characters alone, so a text that holds the passage holds
    its sampled windows, too; the rarest of them says which texts are to be looked at (winnowing, Schleimer et al.
    2003). A passage too short for a sampled window is looked for in all texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        sampled = [_sampled(text) for text in texts]
        numbers = [np.full(len(hashes), number, np.int32) for number, hashes in enumerate(sampled)]
        hashes = np.concatenate([np.empty(0, np.uint64), *sampled])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._numbers = hashes[order], np.concatenate([np.empty(0, np.int32), *numbers])[order]

    def find(self, passage: str) -> list[int]:
        """The numbers of the texts that hold ``passage``, in their order."""
        return [number for number in self._candidates(passage) if passage in self._texts[number]]

    def _candidates(self, passage: str) -> Sequence[int]:
        hashes = _sampled(passage)
        if not len(hashes):
            return range(len(self._texts))
        first, last = (np.searchsorted(self._hashes, hashes, side) for side in ("left", "right"))
        rarest = int(np.argmin(last - first))
        found: list[int] = np.unique(self._numbers[first[rarest] : last[rarest]]).tolist()
        return found


def _sampled(text: str) -> NDArray[np.uint64]:
    """The hashes of the sampled windows, each once."""
    hashes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    if len(hashes) < _WINDOW:
        return np.empty(0, np.uint64)
    for doubling in range(_DOUBLINGS):
        width = 2**doubling
        hashes = hashes[:-width] * np.uint64(pow(_BASE, width, 2**64)) + hashes[width:]
    mixed = hashes * np.uint64(_BASE)  # the highest bits depend on all characters
    return np.unique(mixed[(mixed & _SAMPLED) == 0])
