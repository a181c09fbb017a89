"""Two parts of a sentence that changed places: the museum lends it to the university, the university to the museum."""

from collections.abc import Sequence

import regex

from eval.text.analyzer import normalise

_TOKEN = regex.compile(r"\p{Han}|[\p{L}\p{M}\p{N}_]+")
# What is said of two alike, and words between which order says nothing.
_ALIKE = regex.compile(
    r"\b(?:and|or|nor|by|with|meets?|met|marr(?:y|ies|ied)|borders?|equals?|resembles?|adjoins?|same|is|are|was|were)\b"
    r"|[和与跟同及或被]|相[邻同似等]|接壤|会[见谈晤]|结婚|见面|是"
)
_LONGEST_PART = 8  # tokens that may have changed places


def tokens(text: str) -> tuple[str, ...]:
    """Words, and Chinese characters one by one, without punctuation."""
    return tuple(_TOKEN.findall(normalise(text)))


def swapped(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether both are the same but for two parts that changed places around something that is not alike both ways."""
    if len(one) != len(other) or one == other or sorted(one) != sorted(other):
        return False
    start = next(place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
    end = next(place for place in range(len(one), 0, -1) if one[place - 1] != other[place - 1])
    return _exchanged(one[start:end], other[start:end])


def _exchanged(one: Sequence[str], other: Sequence[str]) -> bool:
    reach = range(1, min(_LONGEST_PART, len(one) - 1) + 1)
    for first in reach:
        for last in reach:
            middle = one[first : len(one) - last]
            rebuilt = (*one[len(one) - last :], *middle, *one[:first])
            if middle and rebuilt == tuple(other):
                return not _ALIKE.search(_joined(middle))
    return False


def _joined(parts: Sequence[str]) -> str:
    return "".join(part if regex.fullmatch(r"\p{Han}", part) else f" {part} " for part in parts)
