"""Token counters: named, offline, and exact for the encodings that they are named after."""

from contextlib import suppress
from functools import cache, cached_property
from typing import Annotated, Protocol

import numpy as np
import quicktok
from numpy.typing import NDArray
from pydantic import AfterValidator

ENCODINGS = ("o200k_base", "cl100k_base")


class TokenCounter(Protocol):
    """Counts and places tokens. Text that looks like a special token counts as ordinary text."""

    def count(self, text: str) -> int:
        """Number of tokens of the whole text."""
        ...

    def boundaries(self, text: str) -> NDArray[np.int64]:
        """Places in ``text``, rising, where a token ends and a character ends too; the last is ``len(text)``."""
        ...

    def numbered_boundaries(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """The boundaries, and how many tokens end up to each; ``None`` where that is simply 1, 2, 3 and so on."""
        ...


def _known(name: str) -> str:
    if name not in ENCODINGS:
        raise ValueError(f"must be one of {', '.join(ENCODINGS)} (got {name!r})")
    return name


CounterName = Annotated[str, AfterValidator(_known)]
"""A name that ``token_counter`` knows, checked when a part with it is built."""


@cache
def token_counter(name: str) -> TokenCounter:
    """The counter of that name; ``ValueError`` if no encoding has it."""
    return _Encoding(_known(name))


class _Encoding:
    """One of OpenAI's byte-pair encodings; its tables travel in the package quicktok-v1."""

    def __init__(self, name: str) -> None:
        self._encoding = quicktok.get_encoding(name)

    def count(self, text: str) -> int:
        return int(self._encoding.count(text))

    @cached_property
    def _characters(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """By a token's number: how many characters start in it, and whether its first byte starts one.

        A byte that is no UTF-8 continuation (10xxxxxx) starts a character.
        """
        values: list[bytes] = []
        with suppress(
            KeyError
        ):  # behind a gap in the numbers there are special tokens, which ordinary text never gives
            for number in range(self._encoding.n_vocab):
                values.append(self._encoding.decode_single_token_bytes(number))  # noqa: PERF401 – it ends by raising
        starts = (np.frombuffer(b"".join(values), dtype=np.uint8) & 0xC0) != 0x80
        lengths = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
        ends = np.cumsum(lengths)
        started = np.concatenate([[0], np.cumsum(starts)])
        return started[ends] - started[ends - lengths], starts[ends - lengths]

    def boundaries(self, text: str) -> NDArray[np.int64]:
        return self.numbered_boundaries(text)[0]

    def numbered_boundaries(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        found = self._encoding.encode_ordinary(text)
        tokens = np.fromiter(found, dtype=np.int64, count=len(found))
        counts, whole = self._characters
        ends = counts[tokens].cumsum()
        starting = whole[tokens]
        if starting.all():
            return ends, None
        # A token ends where a character does if the next one starts a character; the last one always does.
        clean = np.ones(len(found), dtype=np.bool_)
        clean[:-1] = starting[1:]
        return ends[clean], clean.nonzero()[0] + 1
