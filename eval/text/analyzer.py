"""Text to terms: the same analysis for documents and for questions, so that what is written alike is found alike."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import Literal

import regex
import Stemmer

from eval.component import component
from eval.errors import MissingExtraError
from eval.text.function_words import CHINESE, ENGLISH
from eval.text.scripts import UNSPACED

_WORD_PART = rf"[[\p{{L}}\p{{M}}\p{{N}}_]--[{UNSPACED}]]"
# A run of an unspaced script, or parts of words joined by the marks that codes and versions use: X-900, v2.3.1.
_RUNS = regex.compile(rf"([{UNSPACED}]+)|({_WORD_PART}+(?:[-./'+:@]{_WORD_PART}+)*)", regex.VERSION1)
# The same for text that is all ASCII, several times faster.
_ASCII_RUNS = re.compile(r"()(\w+(?:[-./'+:@]\w+)*)", re.ASCII)
_JOINTS = regex.compile(r"[-./+:@]")
_GROUPED_DIGITS = regex.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DIGIT = regex.compile(r"\d")
_CHINESE_FUNCTION = regex.compile("|".join(CHINESE))


def normalise(text: str) -> str:
    """The form that matching compares: Unicode NFKC, case folded, one kind of apostrophe, 1,000 as 1000."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return _GROUPED_DIGITS.sub("", folded)


def _runs(text: str) -> list[tuple[str, str]]:
    """Pairs of which one is empty: a run of an unspaced script, or a word."""
    normal = normalise(text)
    runs: list[tuple[str, str]] = (_ASCII_RUNS if normal.isascii() else _RUNS).findall(normal)
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
        found: list[str] = []
        unspaced = _character_terms if self.chinese == "bigrams" else _segmented_terms
        for characters, word in _runs(text):
            if word.isalnum():  # nearly every word: nothing to take apart
                found.append(word)
            else:
                found.extend(unspaced(characters) if characters else _code_terms(word))
        return self._stemmed(found)

    def content_terms(self, text: str) -> list[str]:
        """Terms that carry content, in reading order: no function words, and Chinese as pairs of neighbours only.

        A single Chinese character between function words stands alone.
        """
        found: list[str] = []
        for characters, word in _runs(text):
            if characters:
                for piece in _CHINESE_FUNCTION.split(characters):
                    found.extend(_pairs(piece))
            else:
                found.extend(part for part in _code_terms(word) if part not in ENGLISH)
        return self._stemmed(found)

    def _stemmed(self, terms: list[str]) -> list[str]:
        if self.stemmer is None:
            return terms
        stemmed: list[str] = _stemmer(self.stemmer).stemWords(terms)
        return stemmed


def _pairs(piece: str) -> list[str]:
    return [piece] if len(piece) == 1 else [piece[i : i + 2] for i in range(len(piece) - 1)]


@cache
def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(algorithm, 0)  # its own cache costs more than stemming anew
