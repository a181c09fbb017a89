"""Token counters: named, offline, and exact for the encodings that they are named after."""

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
        return len(self._encoding.encode_ordinary(text))

    @cached_property
    def _byte_lengths(self) -> NDArray[np.int64]:
        """Bytes of each token by its number; a few numbers name no token."""

        def length(number: int) -> int:
            try:
                return len(self._encoding.decode_single_token_bytes(number))
            except KeyError:
                return 0

        return np.array([length(number) for number in range(self._encoding.n_vocab)], dtype=np.int64)

    def boundaries(self, text: str) -> NDArray[np.int64]:
        tokens = np.asarray(self._encoding.encode_ordinary(text), dtype=np.int64)
        token_ends = np.cumsum(self._byte_lengths[tokens])
        # A byte that is no UTF-8 continuation (10xxxxxx) starts a character: its ordinal is the character's place.
        starts = (np.frombuffer(text.encode(), dtype=np.uint8) & 0xC0) != 0x80
        character_of_byte = np.cumsum(starts) - 1
        inner = token_ends[:-1][starts[token_ends[:-1]]] if len(token_ends) else token_ends
        return np.append(character_of_byte[inner], len(text)).astype(np.int64) if text else inner
