"""Data set apart from instructions: marked blocks whose marks nobody who writes the data can foresee."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from eval.fingerprints import canonical_json
from eval.text.analyzer import normalise

# Hexadecimal digits. A text that holds its own tag can't be computed, only searched for: 2**48 trials, and only by
# somebody who knows every other text of the request.
_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Frame:
    """The marks of one request: each carries ``tag``, which occurs in none of the request's data."""

    tag: str

    def block(self, name: str, text: str) -> str:
        """``text``, unaltered, on lines of its own between the marks of the block ``name``."""
        return f"<{name}-{self.tag}>\n{text}\n</{name}-{self.tag}>"


def frame_for(data: Sequence[str]) -> Frame:
    """The frame for all ``data`` of a request: alike for like data, so that a request can be found in a cache.

    Marks can't be forged: the tag follows from every text together. Whether a model heeds marks is the model's matter.
    """
    return Frame(absent((_tag(data, attempt) for attempt in count()), data))


def absent(tags: Iterable[str], data: Sequence[str]) -> str:
    """The first of ``tags`` that occurs in none of ``data``, whatever its case or width."""
    everything = normalise("\n".join(data))
    return next(tag for tag in tags if tag not in everything)


def _tag(data: Sequence[str], attempt: int) -> str:
    # a lone surrogate, which an answer of somebody's own system may hold, has no other encoding
    content = canonical_json([attempt, *data]).encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()[:_LENGTH]
