"""Where passages occur in documents: one pass over the corpus counts the runs of words that each document shares.

The passages are indexed, not the documents: memory grows with the passages alone, time with the text of both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from eval.records import Document
from eval.text.scripts import UNSPACED

RUN = 4  # words in a run; a character of an unspaced script is a word
_WORD = re.compile(r"[^\W_]+")
_PART = regex.compile(rf"[{UNSPACED}]|[^{UNSPACED}]+")
# An odd number of 64 bits: runs of other words get other numbers but for one in about 10^19.
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A document, by its place in the corpus, that holds a passage or much of it.

    ``share`` of the passage's distinct runs of words, which are ``runs``, occur in the document; ``verbatim`` says that
    the whole passage does, blanks aside.
    """

    document: int
    share: float
    runs: int
    verbatim: bool


def occurrences(texts: Sequence[str], documents: Sequence[Document], least: float) -> list[list[Occurrence]]:
    """For each text the documents, in corpus order, that hold at least the share ``least`` of its runs of words.

    A text's first and last word are left out, as they may be cut in two, unless it is shorter than a run and two words:
    then all of it is a single run. A text without a word occurs nowhere.
    """
    index = _Index.of(texts)
    plain = [_plain(text) for text in texts]
    found: list[list[Occurrence]] = [[] for _ in texts]
    for number, document in enumerate(documents):
        shown: str | None = None
        for text, share in index.shares(document.text, least):
            if share == 1.0 and shown is None:
                shown = _plain(document.text)
            whole = shown is not None and share == 1.0 and plain[text] in shown
            found[text].append(Occurrence(number, share, int(index.runs[text]), whole))
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())


def _words(text: str) -> list[str]:
    """Words without case, marks and blanks."""
    found = _WORD.findall(text.casefold())
    return [part for word in found for part in ((word,) if word.isascii() else _PART.findall(word))]


@dataclass(frozen=True, eq=False)
class _Table:
    """Runs of one length: rising numbers of shape (runs,); run ``r`` is in ``texts[starts[r]:starts[r + 1]]``."""

    numbers: NDArray[np.uint64]
    starts: NDArray[np.intp]
    texts: NDArray[np.intp]

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, NDArray[np.uint64]]]) -> "_Table":
        runs = np.concatenate([own for _, own in pairs])
        texts = np.repeat([text for text, _ in pairs], [len(own) for _, own in pairs])
        order = np.argsort(runs, kind="stable")
        numbers, starts = np.unique(runs[order], return_index=True)
        return cls(numbers, np.append(starts, len(runs)), texts[order])

    def owners(self, runs: NDArray[np.uint64]) -> NDArray[np.intp]:
        """The texts that hold these runs, once for each run of theirs."""
        places = np.minimum(np.searchsorted(self.numbers, runs), len(self.numbers) - 1)
        hit = np.unique(places[self.numbers[places] == runs])
        counts = self.starts[hit + 1] - self.starts[hit]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        owners: NDArray[np.intp] = self.texts[np.repeat(self.starts[hit], counts) + within]
        return owners


@dataclass(frozen=True, eq=False)
class _Index:
    """The texts' runs of words. ``runs`` has shape (texts,)."""

    vocabulary: dict[str, int]
    tables: dict[int, _Table]
    runs: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "_Index":
        vocabulary: dict[str, int] = {}
        by_length: dict[int, list[tuple[int, NDArray[np.uint64]]]] = {}
        runs = np.zeros(len(texts), dtype=np.int64)
        for text, content in enumerate(texts):
            numbers = [vocabulary.setdefault(word, len(vocabulary) + 1) for word in _words(content)]
            inner = numbers[1:-1] if len(numbers) >= RUN + 2 else numbers
            length = min(RUN, len(inner))
            if length:
                own = np.unique(_runs(np.array(inner, dtype=np.uint64), length))
                by_length.setdefault(length, []).append((text, own))
                runs[text] = len(own)
        return cls(vocabulary, {length: _Table.of(pairs) for length, pairs in sorted(by_length.items())}, runs)

    def shares(self, text: str, least: float) -> Iterator[tuple[int, float]]:
        """The texts of which ``text`` holds at least ``least``, with the share that it holds."""
        known = self.vocabulary
        numbers = np.array([known.get(word, 0) for word in _words(text)], dtype=np.uint64)
        for length, table in self.tables.items():
            if length <= len(numbers):
                owners, counts = np.unique(table.owners(_runs(numbers, length)), return_counts=True)
                shares = counts / self.runs[owners]
                enough = shares >= least
                yield from zip(owners[enough].tolist(), shares[enough].tolist(), strict=True)


def _runs(numbers: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """One number for each run of that length, shape (words - length + 1,)."""
    runs = np.zeros(len(numbers) - length + 1, dtype=np.uint64)
    for place in range(length):
        runs = runs * _FACTOR + numbers[place : len(numbers) - length + 1 + place]
    return runs
