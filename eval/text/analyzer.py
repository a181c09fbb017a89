"""Text to terms: the same analysis for documents and for questions, so that what is written alike is found alike."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Literal

import regex
import Stemmer

from eval.component import component
from eval.errors import MissingExtraError
from eval.text.function_words import CHINESE, ENGLISH
from eval.text.scripts import UNSPACED

_WORD_PART = rf"[[\p{{L}}\p{{M}}\p{{N}}_]--[{UNSPACED}]]"
# A run of an unspaced script, or parts of words joined by the marks that codes and versions use: X-900, v2.3.1.
# The first alternative says nothing new: it is a quick way past plain words.
_RUNS = regex.compile(
    r"[a-z0-9]++(?![-./'+:@]?[\p{L}\p{M}\p{N}_])"
    rf"|[{UNSPACED}]++|{_WORD_PART}++(?:[-./'+:@]{_WORD_PART}++)*+",
    regex.VERSION1,
)
# The same for text that is all ASCII, several times faster.
_ASCII_RUNS = re.compile(r"\w+(?:[-./'+:@]\w+)*", re.ASCII)
_UNSPACED = regex.compile(rf"[{UNSPACED}]", regex.VERSION1)
_JOINTS = regex.compile(r"[-./+:@]")
_GROUPED_DIGITS = regex.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DIGIT = regex.compile(r"\d")
_CHINESE_FUNCTION = regex.compile("|".join(CHINESE))


def normalise(text: str) -> str:
    """The form that matching compares: Unicode NFKC, case folded, one kind of apostrophe, 1,000 as 1000."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return _GROUPED_DIGITS.sub("", folded)


def _runs(text: str) -> list[str]:
    """Runs of an unspaced script, and words, in reading order."""
    normal = normalise(text)
    runs: list[str] = (_ASCII_RUNS if normal.isascii() else _RUNS).findall(normal)
    return runs


def _code_terms(run: str) -> list[str]:
    """The parts of a joined word; with digits in it (X-900, 4.55) the whole comes first, as a term of its own."""
    if not _JOINTS.search(run):
        return [run]
    parts = _JOINTS.split(run)
    return [run, *parts] if _DIGIT.search(run) else parts


def _character_terms(run: str) -> list[str]:
    """Every character and every pair of neighbours."""
    return [*run, *(run[i : i + 2] for i in range(len(run) - 1))]


def _segmented_terms(run: str) -> list[str]:
    return list(_segmenter()(run))


_UNSPACED_TERMS = {"bigrams": _character_terms, "words": _segmented_terms}


@cache
def _segmenter() -> Callable[[str], Iterable[str]]:
    try:
        import rjieba  # optional: an extra
    except ImportError as error:
        raise MissingExtraError("analyzer.chinese=words", "rjieba", "zh-words") from error
    cut: Callable[[str], Iterable[str]] = rjieba.cut
    return cut


@component
class Analyzer:
    """Terms of a text.

    Latin and other spaced scripts give words, stemmed by the Snowball algorithm named in ``stemmer`` (Porter 2001;
    ``None`` leaves words as they are). Chinese and other unspaced scripts give ``bigrams`` (each character and each
    pair of neighbours) or ``words`` (segmented; needs the extra ``zh-words``).
    """

    stemmer: str | None = "english"
    chinese: Literal["bigrams", "words"] = "bigrams"

    def __post_init__(self) -> None:
        """Check the stemmer's name."""
        if self.stemmer is not None and self.stemmer not in Stemmer.algorithms():
            known = ", ".join(Stemmer.algorithms())
            raise ValueError(f"stemmer must be null or one of {known} (got {self.stemmer})")

    def terms(self, text: str) -> list[str]:
        """All terms in reading order, repeats included."""
        known = _known_terms(self.stemmer, _UNSPACED_TERMS[self.chinese])
        return list(chain.from_iterable(map(known.__getitem__, _runs(text))))

    def content_terms(self, text: str) -> list[str]:
        """Terms that carry content, in reading order: no function words, and Chinese as pairs of neighbours only.

        A single Chinese character between function words stands alone.
        """
        found: list[str] = []
        for run in _runs(text):
            if _UNSPACED.match(run):
                for piece in _CHINESE_FUNCTION.split(run):
                    found.extend(_pairs(piece))
            else:
                found.extend(part for part in _code_terms(run) if part not in ENGLISH)
        return _stemmed(self.stemmer, found)


def _pairs(piece: str) -> list[str]:
    return [piece] if len(piece) == 1 else [piece[i : i + 2] for i in range(len(piece) - 1)]


class _Terms(dict[str, Sequence[str]]):
    """Terms by run. Words met before are remembered: a corpus repeats them, and looking up is the quicker way.

    What comes when it is full is taken apart each time; by then the common words are in.
    """

    _MOST = 200_000

    def __init__(self, stemmer: str | None, unspaced: Callable[[str], Sequence[str]]) -> None:
        super().__init__()
        self._stemmer, self._unspaced = stemmer, unspaced

    def __missing__(self, run: str) -> Sequence[str]:
        if _UNSPACED.match(run):  # seldom met again; no stemmer has rules for these scripts
            return self._unspaced(run)
        terms = tuple(_stemmed(self._stemmer, _code_terms(run)))
        if len(self) < self._MOST:
            self[run] = terms
        return terms


@cache
def _known_terms(stemmer: str | None, unspaced: Callable[[str], Sequence[str]]) -> _Terms:
    return _Terms(stemmer, unspaced)


def _stemmed(stemmer: str | None, terms: list[str]) -> list[str]:
    if stemmer is None:
        return terms
    stemmed: list[str] = _stemmer(stemmer).stemWords(terms)
    return stemmed


@cache
def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(algorithm, 0)  # its own cache costs more than stemming anew
