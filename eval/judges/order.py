"""Sentences alike but for one thing: two parts that changed places, or one word or two in the place of another."""

from collections.abc import Sequence
from difflib import SequenceMatcher

import regex

from eval.text.analyzer import normalise

_TOKEN = regex.compile(r"\p{Han}|[\p{L}\p{M}\p{N}_]+")
# What is said of two alike, and words between which order says nothing.
_ALIKE = regex.compile(
    r"\b(?:and|or|nor|by|with|meets?|met|marr(?:y|ies|ied)|borders?|equals?|resembles?|adjoins?|same|is|are|was|were)\b"
    r"|[和与跟同及或被]|相[邻同似等]|接壤|会[见谈晤]|结婚|见面|是"
)
_LIMITS = ("only", "仅", "只")  # "only 40" says no more than "40"
_LONGEST_PART = 8  # tokens that may have changed places
_LONGEST_CHANGE = 3  # tokens that stand for others
_LONGEST_SENTENCE = 200  # tokens; bounds the work
_LEAST_ALIKE = 3  # tokens that both have


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
    return "".join(part if regex.fullmatch(r"\p{Han}", part) else f" {part} " for part in parts).replace("  ", " ")


def changed(one: Sequence[str], other: Sequence[str]) -> tuple[str, str] | None:
    """What ``one`` says instead of ``other``, of which it may be a part; ``None`` if they differ in more or not at all.

    Either is empty where the other has words more: "Only members …" beside "Members …" is ("", "only").
    """
    if max(len(one), len(other)) > _LONGEST_SENTENCE:
        return None
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    found = [step for step in steps if step[0] != "equal" and not _stands_around(step, one, other)]
    alike = sum(step[2] - step[1] for step in steps if step[0] == "equal")
    if len(found) != 1 or alike < _LEAST_ALIKE:
        return None
    _, start, end, begin, stop = found[0]
    if limits(one[start:end]) or (limits(other[begin:stop]) and "".join(other[stop : stop + 1]).isdigit()):
        return None
    if max(end - start, stop - begin) > _LONGEST_CHANGE:
        return None
    return _joined(one[start:end]).strip(), _joined(other[begin:stop]).strip()


def _stands_around(step: tuple[str, int, int, int, int], one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a step is what ``other`` goes on with behind or before ``one``, and does not limit it."""
    kind, start, _, begin, stop = step
    return kind == "insert" and (start == len(one) or (start == 0 and not limits(other[begin:stop])))


def limits(words: Sequence[str]) -> bool:
    """Whether ``words`` end in one that shuts out all others: only."""
    return any(word in _LIMITS for word in words[-1:])


def holds(other: Sequence[str], one: Sequence[str]) -> bool:
    """Whether ``one`` stands in ``other`` as it is."""
    return f"\n{chr(10).join(one)}\n" in f"\n{chr(10).join(other)}\n"
