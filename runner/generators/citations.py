"""Which chunks an answer cites, and which of its citations name none."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from eval.records import Context

_CITATION = regex.compile(r"[\[【](\d{1,9}(?:\s*[,;–-]\s*\d{1,9})*)[\]】]")
_NUMBERS = regex.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")


@dataclass(frozen=True, slots=True)
class Citations:
    """``chunk_ids``: the chunks cited, in context order. ``unknown``: numbers cited that no chunk has, rising."""

    chunk_ids: tuple[str, ...]
    unknown: tuple[int, ...]


def citations_in(answer: str, context: Context) -> Citations:
    """The citations of an answer by numbers, 1 for the first chunk of ``context``: [1], [1, 3], [1-3], 【2】.

    A number in brackets that the answer copied from a document, as in a scientific text, can't be told apart.
    """
    last = len(context.chunks)
    known: set[int] = set()
    unknown: set[int] = set()
    for low, high in _ranges(answer):
        known.update(range(max(low, 1), min(high, last) + 1))
        unknown.update(number for number in (low, high) if not 1 <= number <= last)
    ids = tuple(context.chunks[number - 1].chunk.id for number in sorted(known))
    return Citations(ids, tuple(sorted(unknown)))


def _ranges(answer: str) -> Iterator[tuple[int, int]]:
    for citation in _CITATION.finditer(unicodedata.normalize("NFKC", answer)):
        for low, high in _NUMBERS.findall(citation[1]):
            yield int(low), int(high or low)
