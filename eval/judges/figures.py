"""Numbers, dates and codes of a text, in one form: 1,000 and one thousand, 三天 and 3天, 1 May 2024 and 2024-05-01."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

import regex

from eval.judges.numerals import ENGLISH_NUMERALS, ORDINALS, SPELLED, english_value, with_digits
from eval.judges.units import NO_UNIT, Unit, unit_beside
from eval.text.analyzer import normalise

Force = Literal["full", "soft", "none"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, date or code as ``written``, with all ``readings`` that it may have.

    ``force`` says how much its absence from a context weighs: ``soft`` is a small number in a word ("two main
    points"), which often counts what the writer lists; ``none`` are "one" and "second", which often count nothing.
    ``unit`` is what stands beside a number, if that is known; ``wider`` are readings of a less exact figure in it.
    """

    written: str
    readings: frozenset[str]
    force: Force = "full"
    unit: Unit = NO_UNIT
    wider: frozenset[str] = frozenset()

    def found_in(self, other: "Figure") -> bool:
        """Whether ``other``, in a context, gives this one: May 2024 is found in 1 May 2024, not the other way round."""
        return bool(self.readings & (other.readings | other.wider))


_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, full in enumerate(_MONTH_NAMES, 1) for name in (full, full[:3])} | {"sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_LONE_MONTH = rf"(?P<lone>{'|'.join(name for name in _MONTH_NAMES if name not in ('march', 'may'))})"  # they are verbs
_WEEKDAYS = {name: str(number) for number, name in enumerate("mon tues wednes thurs fri satur sun".split(), 1)}
_WEEKDAYS |= {name: str(number) for number, name in enumerate("一二三四五六日", 1)} | {"天": "7"}
_WEEKDAY = r"\b(?P<day_en>mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:周|星期|礼拜)(?P<day_zh>[一二三四五六日天])"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)"
_YEAR = r"(?P<y4>\d{4})"
_ZEROS = {"hundred 百": 2, "thousand k 千": 3, "万": 4, "million mn m": 6, "亿": 8, "billion bn": 9, "万亿": 12}
_SCALES = {word: 10**zeros for words, zeros in _ZEROS.items() for word in words.split()}
# After these the unscaled number is a reading too: 5m may be five metres, 4k a resolution.
_AMBIGUOUS_SCALES = ("k", "m")
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_LARGEST_SOFT = 12
_DIGIT = regex.compile(r"\d")
_TIME = regex.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?P<half>\s?[ap]\.?m)?")
_JOINT = regex.compile(r"[-_]")
_WORD_AND_NUMBER = regex.compile(r"[a-z]{3,}-(\d+)")

_FIGURE = regex.compile(
    rf"""
      (?P<iso>(?<![\d.])(?P<y1>\d{{4}})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}})(?![\d.]*\d))
    | (?P<slashed>(?<![\d./])(?P<a>\d{{1,2}})[/.](?P<b>\d{{1,2}})[/.](?P<y2>\d{{4}}|\d\d)(?!\d))
    | (?P<chinese>(?:(?P<y3>\d{{4}})年)?{SPELLED}?(?P<m3>\d{{1,2}})月(?:{SPELLED}?(?P<d3>\d{{1,2}})[日号])?)
    | (?P<named>\b(?:{_DAY}(?:\ of)?\ {_MONTH}(?:,?\ {_YEAR})?|{_MONTH}\ (?:{_DAY}(?:,?\ {_YEAR})?|{_YEAR}))\b)
    | (?P<weekday>{_WEEKDAY})
    | \b{_LONE_MONTH}\b
    | (?P<ordinal>\b(?:{"|".join(ORDINALS)})\b)
    | (?P<words>\b{ENGLISH_NUMERALS}\b)
    | (?P<code>(?<![a-z0-9])(?=[-_./a-z0-9]*\d)[a-z][a-z0-9]*(?:[-_./][a-z0-9]+)*)
    | (?P<joined>\d+(?:[.:]\d+){{2,}}|\d+:\d+(?:\s?[ap]\.?m\b)?|\d+(?:-\d+){{2,}})
    | (?P<spelled>{SPELLED})?(?P<number>\d+(?:\.\d+)?)(?:[\s-]?(?P<scale>{_SCALE})(?![a-z]))?
    """,
    regex.VERBOSE,
)


def words_and_figures(text: str) -> tuple[str, list[Figure]]:
    """``text`` with a blank for each figure and its unit, and its figures in reading order."""
    readable = with_digits(normalise(text))
    found: list[Figure] = []
    words: list[str] = []
    end = 0
    for match in _FIGURE.finditer(readable):
        if taken := _figures_of(match):
            found.extend(taken)
            words.append(readable[end : match.start()])
            end = match.end() + taken[-1].unit.behind
    return " ".join([*words, readable[end:]]), found


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
    if match["lone"]:
        return _date(written, [(_MONTHS[match["lone"]], 0)], None)
    if match["weekday"]:
        return [Figure(written, frozenset([f"周{_WEEKDAYS[match['day_en'] or match['day_zh']]}"]))]
    if match["code"]:
        return [_code(written)] if _DIGIT.search(written) else []
    if match["joined"]:
        return [_joined(written)]
    if match["ordinal"]:
        return [Figure(written, frozenset([str(ORDINALS[written])]), "none")]
    return [replace(_counted(written, match), unit=unit_beside(match.string, match.start(), match.end()))]


def _counted(written: str, match: regex.Match[str]) -> Figure:
    if match["words"]:
        return _spelled(written, str(english_value(written)))
    if match["spelled"]:
        return _spelled(match["number"], match["number"])
    return _number(written, match["number"], match["scale"])


def _spelled(written: str, value: str) -> Figure:
    force: Force = "none" if value == "1" else "soft" if int(value) <= _LARGEST_SOFT else "full"
    return Figure(written, frozenset([value]), force)


def _code(written: str) -> Figure:
    """A code without its joints; a word joined to a number (top-5, covid-19) may stand for the number too."""
    joined = _JOINT.sub("", written)
    word_and_number = _WORD_AND_NUMBER.fullmatch(written)
    return Figure(written, frozenset([joined, word_and_number[1]] if word_and_number else [joined]))


def _joined(written: str) -> Figure:
    """A version, a telephone number, or a time of day, which may be counted to 12 or to 24: 15:00, 3:00 pm, 3."""
    time = _TIME.fullmatch(written)
    if time is None:
        return Figure(written, frozenset([_JOINT.sub("", written)]))
    hours = {int(time["hour"]) % 12, int(time["hour"]) % 12 + 12} if time["half"] else {int(time["hour"])}
    hours |= {hour - 12 for hour in hours if hour > 12}
    whole = [str(hour) for hour in hours if time["minute"] == "00"]
    return Figure(written, frozenset([*(f"{hour}:{time['minute']}" for hour in hours), *whole]))


def _date(written: str, readings: list[tuple[int, int]], year: str | None) -> list[Figure]:
    """The day of the month, and the year as a number of its own: a context may give them in two places."""
    days = frozenset(f"{month}月{day}日" if day else f"{month}月" for month, day in readings)
    found = [Figure(written, days, wider=frozenset(f"{month}月" for month, _ in readings))]
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
