"""Numbers, dates and codes of a text, in one form: 1,000 and one thousand, 三天 and 3天, 1 May 2024 and 2024-05-01."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import regex

from eval.judges.numerals import ENGLISH_NUMERALS, ORDINALS, SPELLED, english_value, with_digits
from eval.text.analyzer import normalise

Force = Literal["full", "soft", "none"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, date or code as ``written``, with all ``readings`` that it may have.

    ``force`` says how much its absence from a context weighs: ``soft`` is a small number in a word ("two main
    points"), which often counts what the writer lists; ``none`` are "one" and "second", which often count nothing.
    """

    written: str
    readings: frozenset[str]
    force: Force = "full"


_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, full in enumerate(_MONTH_NAMES, 1) for name in (full, full[:3])} | {"sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)"
_YEAR = r"(?P<y4>\d{4})"
_ZEROS = {"hundred 百": 2, "thousand k 千": 3, "万": 4, "million mn m": 6, "亿": 8, "billion bn": 9, "万亿": 12}
_SCALES = {word: 10**zeros for words, zeros in _ZEROS.items() for word in words.split()}
# After these the unscaled number is a reading too: 5m may be five metres, 4k a resolution.
_AMBIGUOUS_SCALES = ("k", "m")
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_LARGEST_SOFT = 12
_DIGIT = regex.compile(r"\d")
_JOINT = regex.compile(r"[-_]")
_WORD_AND_NUMBER = regex.compile(r"[a-z]{3,}-(\d+)")

_FIGURE = regex.compile(
    rf"""
      (?P<iso>(?<![\d.])(?P<y1>\d{{4}})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}})(?![\d.]*\d))
    | (?P<slashed>(?<![\d./])(?P<a>\d{{1,2}})[/.](?P<b>\d{{1,2}})[/.](?P<y2>\d{{4}}|\d\d)(?!\d))
    | (?P<chinese>(?:(?P<y3>\d{{4}})年)?{SPELLED}?(?P<m3>\d{{1,2}})月(?:{SPELLED}?(?P<d3>\d{{1,2}})[日号])?)
    | (?P<named>\b(?:{_DAY}(?:\ of)?\ {_MONTH}(?:,?\ {_YEAR})?|{_MONTH}\ (?:{_DAY}(?:,?\ {_YEAR})?|{_YEAR}))\b)
    | (?P<ordinal>\b(?:{"|".join(ORDINALS)})\b)
    | (?P<words>\b{ENGLISH_NUMERALS}\b)
    | (?P<code>(?<![a-z0-9])(?=[-_./a-z0-9]*\d)[a-z][a-z0-9]*(?:[-_./][a-z0-9]+)*)
    | (?P<joined>\d+(?:[.:]\d+){{2,}}|\d+:\d+)
    | (?P<spelled>{SPELLED})?(?P<number>\d+(?:\.\d+)?)(?:[\s-]?(?P<scale>{_SCALE})(?![a-z]))?
    """,
    regex.VERBOSE,
)


def words_and_figures(text: str) -> tuple[str, list[Figure]]:
    """``text`` with a blank for each figure, and its figures in reading order."""
    found: list[Figure] = []

    def take(match: regex.Match[str]) -> str:
        taken = _figures_of(match)
        found.extend(taken)
        return " " if taken else match[0]

    return _FIGURE.sub(take, with_digits(normalise(text))), found


def _figures_of(match: regex.Match[str]) -> list[Figure]:
    written = match[0].strip()
    if match["iso"]:
        return _date(written, [(int(match["m1"]), int(match["d1"]))], match["y1"])
    if match["slashed"]:
        first, second = int(match["a"]), int(match["b"])
        return _date(written, [(first, second), (second, first)], match["y2"])
    if match["chinese"]:
        return _date(written, [(int(match["m3"]), int(match["d3"] or 0))], match["y3"])
    if match["named"]:
        return _date(written, [(_MONTHS[match["month"]], int(match["day"] or 0))], match["y4"])
    if match["code"]:
        return [_code(written)] if _DIGIT.search(written) else []
    if match["joined"]:
        return [Figure(written, frozenset([written]))]
    if match["ordinal"]:
        return [Figure(written, frozenset([str(ORDINALS[written])]), "none")]
    if match["words"]:
        return [_spelled(written, str(english_value(written)))]
    if match["spelled"]:
        return [_spelled(match["number"], match["number"])]
    return [_number(written, match["number"], match["scale"])]


def _spelled(written: str, value: str) -> Figure:
    force: Force = "none" if value == "1" else "soft" if int(value) <= _LARGEST_SOFT else "full"
    return Figure(written, frozenset([value]), force)


def _code(written: str) -> Figure:
    """A code without its joints; a word joined to a number (top-5, covid-19) may stand for the number too."""
    joined = _JOINT.sub("", written)
    word_and_number = _WORD_AND_NUMBER.fullmatch(written)
    return Figure(written, frozenset([joined, word_and_number[1]] if word_and_number else [joined]))


def _date(written: str, readings: list[tuple[int, int]], year: str | None) -> list[Figure]:
    """The day of the month, and the year as a number of its own: a context may give them in two places."""
    days = frozenset(f"{month}月{day}日" if day else f"{month}月" for month, day in readings)
    found = [Figure(written, days)]
    return [*found, Figure(year, frozenset([year, year[-2:]]))] if year else found


def _number(written: str, digits: str, scale: str | None) -> Figure:
    value = Decimal(digits)
    readings = {_plain(value * _SCALES[scale])} if scale else {_plain(value)}
    if scale in _AMBIGUOUS_SCALES:
        readings.add(_plain(value))
    return Figure(written, frozenset(readings))


def _plain(value: Decimal) -> str:
    """Without zeros behind the point: 4.50 as 4.5, 40.0 as 40."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
