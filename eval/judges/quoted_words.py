"""What a text says, token by token, without the layout that copying changes: blanks, marks of Markdown, punctuation.

A token is a word, a number, a character of a script without blanks, or a sign that bears meaning: a minus, a per cent,
a currency, a comparison, a tick.
"""

import html
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import regex

from eval.judges.leaps import leaps
from eval.text.analyzer import normalise
from eval.text.scripts import UNSPACED

_ENTITY = regex.compile(r"&(?:[a-zA-Z]{2,8}|#\d{1,7}|#x[\da-fA-F]{1,6});")
_UNSEEN = regex.compile(r"[\p{Cf}\ufe0e\ufe0f]")  # no width: a soft hyphen, the style of an emoji
_RAISED = regex.compile("([⁺⁻]?[⁰¹²³⁴-⁹]+)")
_OTHER_NUMBER = regex.compile(r"[\p{No}--[₀-₉]]", regex.VERSION1)  # ½ ① would melt into digits beside them
_DEGREE = regex.compile(r"[º˚](?=\s?[CF])")

_TAG = regex.compile(r"</?(?:br|b|i|em|strong|p|sub|u|small|mark|code|kbd|span|div|li|ul|ol|t[dhr]|h[1-6]|sup)\s*/?>")
_ARROW = regex.compile(r"[→⇒⟶➔➜]|-+>|=+>")
_DASHES = regex.compile(r"[\p{Pd}−]+")
_BETWEEN_LETTERS = regex.compile(r"(?<=\p{L})(?:[\"'`´‘’“”]|\*+)(?=\p{L})")  # don't, **S**ervice
_BULLET = regex.compile(r"^[^\S\n]*[+▪▫●○◦■□‣►▶][^\S\n]+", regex.MULTILINE)  # others are punctuation
_RANGE = regex.compile(r"(?<=[\d%‰\p{Sc}])[^\S\n]*-[^\S\n]*(?=[\d\p{Sc}])")
_MINUS = regex.compile(r"(?<![\p{L}\p{M}\d)\]])-(?=\p{Sc}?\.?\d)")

_TOKEN = regex.compile(
    rf"""
      (?P<number>\d+(?:[.,]\d+)*)
    | (?P<character>[{UNSPACED}])
    | (?P<word>[[\p{{L}}\p{{M}}\p{{N}}]--[{UNSPACED}\d]]+)
    | (?P<sign>[[\p{{Sc}}\p{{Sm}}\p{{So}}%‰^§&@]--[|]] | (?<=\d)[:/](?=\d) | (?<=[\p{{L}}\p{{N}}])\# | \#(?=\d))
    """,
    regex.VERBOSE | regex.VERSION1,
)
_BEFORE_NUMBER = regex.compile(r"[−+±<>≤≥≠≈~^:/⁄\p{Sc}]")
_BEHIND_NUMBER = regex.compile(r"[−+%‰°^:/⁄\p{Sc}]")
_NUMERAL = regex.compile("[零〇一二三四五六七八九十百千万亿两]")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Words:
    """The tokens of a text; places are counted between them, 0 before the first.

    ``fixed`` are places inside a number or between it and its sign: no quotation begins or ends there. ``leaps`` lead
    from a place to later ones, over what a faithful copy may leave out.
    """

    tokens: tuple[str, ...]
    fixed: frozenset[int]
    leaps: Mapping[int, tuple[int, ...]]


def plain(text: str) -> str:
    """``text`` in one form for each of its signs, lines kept: a minus and a range as ``−``, other dashes as ``-``."""
    read = _UNSEEN.sub("", _ENTITY.sub(lambda match: html.unescape(match[0]), text))
    read = _OTHER_NUMBER.sub(_apart, _RAISED.sub(r"^\1", _DEGREE.sub("°", read)))
    read = normalise(read).replace("<sup>", "^").replace("×", "x")
    for written, sign in (("<=", "≤"), (">=", "≥"), ("!=", "≠")):
        read = read.replace(written, sign)
    read = _DASHES.sub("-", _ARROW.sub(" ", _TAG.sub(" ", read)))
    return _MINUS.sub("−", _RANGE.sub("−", _BULLET.sub("- ", _BETWEEN_LETTERS.sub("", read))))


def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of a text in the form of ``plain``."""
    return tuple(token.text for token in _tokens(text))


def words_of(text: str) -> Words:
    """The tokens of any text, with the places that bind and those that may be left out."""
    read = plain(text)
    tokens = list(_tokens(read))
    starts = [token.start for token in tokens]
    found: defaultdict[int, set[int]] = defaultdict(set)
    for leap in leaps(read):
        found[bisect_left(starts, leap.start)].add(bisect_left(starts, leap.end))
    fixed = (place for place, (one, other) in enumerate(pairwise(tokens), 1) if _one(one, other, read))
    ordered = {place: tuple(sorted(ends - {place})) for place, ends in found.items()}
    return Words(tuple(token.text for token in tokens), frozenset(fixed), ordered)


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        yield _Token(str(match.lastgroup), match[0], match.start(), match.end())


def _apart(match: regex.Match[str]) -> str:
    value = unicodedata.normalize("NFKC", match[0])
    return f" {value}) " if value.isdecimal() else f" {value} "


def _one(one: _Token, other: _Token, text: str) -> bool:
    """Whether two neighbours are parts of one number, code or measure: -10, 24 %, € 40, X-900, 36 °C, 10万, 二十."""
    gap = text[one.end : other.start]
    if one.kind == "sign" and other.kind == "number":
        return _blank(gap) and _BEFORE_NUMBER.match(one.text) is not None
    if other.kind == "sign":
        return _blank(gap) and (one.kind == "number" or other.text == "^") and bool(_BEHIND_NUMBER.match(other.text))
    if {one.kind, other.kind} == {"word", "number"}:
        return gap in ("", "-", "_")
    if other.kind == "character" and one.kind != "word":
        return not gap and bool(_NUMERAL.match(other.text)) and (one.kind == "number" or bool(_NUMERAL.match(one.text)))
    return one.text == "°" and not gap


def _blank(gap: str) -> bool:
    return not gap.strip() and "\n" not in gap
