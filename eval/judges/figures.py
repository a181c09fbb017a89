"""Numbers, dates, times and codes of a text, in one form: 1,000 and one thousand, 1 May 2024 and 2024-05-01."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

import regex

from eval.judges.bounds import Bound, bound_of
from eval.judges.numerals import ENGLISH_NUMERALS, ORDINALS, SPELLED, english_value, with_digits
from eval.judges.units import NO_UNIT, Unit, unit_beside
from eval.text.analyzer import normalise

Force = Literal["full", "soft", "none"]
Half = Literal["", "am", "pm"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, date or code as ``written``, with all ``readings`` that it may have.

    ``force`` says how much its absence from a context weighs: ``soft`` is a small number in a word ("two main
    points"), which often counts what the writer lists; ``none`` are "one" and "second", which often count nothing.
    ``unit`` is what stands beside a number, if that is known; ``wider`` are readings of a less exact figure in it.
    ``half`` is the half of the day of a time that tells it, ``bound`` what a number is the least or the most of.
    """

    written: str
    readings: frozenset[str]
    force: Force = "full"
    unit: Unit = NO_UNIT
    wider: frozenset[str] = frozenset()
    half: Half = ""
    bound: Bound = ""

    def found_in(self, other: "Figure") -> bool:
        """Whether ``other``, in a context, gives this one: May 2024 is found in 1 May 2024, not the other way round."""
        if self.half and other.half and self.half != other.half:
            return False
        return bool(self.readings & (other.readings | other.wider))

    def unsigned_in(self, other: "Figure") -> bool:
        """Whether ``other`` gives this one below zero: a fall of 5 % is a change of -5 %."""
        return any(f"-{reading}" in other.readings for reading in self.readings)


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
_PARTS_OF_AN_HOUR = {"半": "30", "1刻": "15", "3刻": "45"}
# What stands before a time: 上午9点.
_MORNING = regex.compile(r"(?:上午|早上|早晨|清晨|凌晨)\s?$")
_EVENING = regex.compile(r"(?:下午|晚上|傍晚|夜里|夜间|午后|今晚|当晚)\s?$")
_CLOCK = (
    r"(?<![\d.:])(?P<hour>\d{1,2})(?::(?P<minute>\d\d)(?![\d:]))?\s?(?P<half>[ap])\.?m\b"
    r"|(?<![\d.:])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?![\d:])"
    rf"|(?P<spelled>{SPELLED})?(?<![\d.])(?P<hour>\d{{1,2}})[点时](?![间期长候代刻])"
    rf"(?P<part>{SPELLED}?\d{{1,2}}(?=分)|半|{SPELLED}?[13]刻)?分?"
)
# Written short, with a capital, beside another day or before a date: Mon–Fri, Tue and Thu, Tue, 5 Nov.
_SHORT_DAY = r"\b(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?"
_BETWEEN_DAYS = r"\s?(?:[–—,&/-]|\b(?:to|and|or)\b)\s?"
_SHORT_DAYS = regex.compile(
    rf"{_SHORT_DAY}(?={_BETWEEN_DAYS}{_SHORT_DAY})|(?<={_SHORT_DAY}{_BETWEEN_DAYS}){_SHORT_DAY}"
    rf"|{_SHORT_DAY}(?=,? (?:\d|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))"
)
_JOINT = regex.compile(r"[-_]")
_WORD_AND_NUMBER = regex.compile(r"(?:[a-z]{3,}-|v)(\d+(?:\.\d+)*)")

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
    | (?P<path>(?<![\w./:])~?/(?=[^\s/]*[a-z])[\w.-]+(?:/[\w.-]+)+(?<!\.))
    | (?P<clock>{_CLOCK})
    | (?P<code>(?<![a-z0-9])(?!(?<=\d\s?)[a-z]{{1,4}}/\d)(?=[-_./a-z0-9]*\d)[a-z][a-z0-9]*(?:[-_./][a-z0-9]+)*)
    | (?P<grouped>(?<![\d.,])(?:[1-9]\d{{0,2}}(?:(?:\.\d{{3}})+|(?:\ \d{{3}})+)(?:,\d\d)?|\d+,\d\d?)(?!\d|[.,]\d))
    | (?P<joined>\d+(?:[.:]\d+){{2,}}|\d+:\d+|\d+(?:-\d+){{2,}})
    | (?P<sign>(?<![^\s(\[:=≤≥<>~,是为])[-−](?=\d)|\bminus\ (?=\d)|负|零下)?(?P<spelled>{SPELLED})?
      (?P<number>\d+(?:\.\d+)?)(?:(?:st|nd|rd|th)\b)?(?:[\s-]?(?P<scale>{_SCALE})(?![a-z]))?
    """,
    regex.VERBOSE,
)


def words_and_figures(text: str) -> tuple[str, list[Figure]]:
    """``text`` with a blank for each figure and its unit, and its figures in reading order."""
    readable = with_digits(normalise(_SHORT_DAYS.sub(_whole_day, text)))
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
    if dates := _dates_of(written, match):
        return dates
    if match["code"]:
        return [_code(written)] if _DIGIT.search(written) else []
    if match["clock"]:
        return [_time(written, match)]
    if match["path"] or match["joined"]:
        return [Figure(written, frozenset([_JOINT.sub("", written)]))]
    if match["ordinal"]:
        return [Figure(written, frozenset([str(ORDINALS[written])]), "none")]
    unit = unit_beside(match.string, match.start(), match.end())
    bound = bound_of(match.string, match.start(), match.end() + unit.behind)
    return [replace(_counted(written, match), unit=unit, bound=bound)]


def _dates_of(written: str, match: regex.Match[str]) -> list[Figure]:
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
    return []


def _counted(written: str, match: regex.Match[str]) -> Figure:
    if match["words"]:
        return _spelled(written, str(english_value(written)))
    if match["grouped"]:
        return _grouped(written)
    if match["spelled"]:
        return _spelled(match["number"], match["number"])
    found = _number(written, match["number"], match["scale"])
    return replace(found, readings=frozenset(f"-{one}" for one in found.readings)) if match["sign"] else found


def _grouped(written: str) -> Figure:
    """1.234,56 and 1 234 and 12,5; what may be no group or no decimal comma gives its parts as well."""
    whole, _, cents = written.partition(",")
    parts = frozenset[str]() if "." in written else frozenset(regex.split("[ ,]", written))
    value = _plain(Decimal(f"{regex.sub('[ .]', '', whole)}.{cents or 0}"))
    decimal = [_plain(Decimal(written))] if regex.fullmatch(r"\d+\.\d+", written) else []
    return Figure(written, frozenset([value, *decimal]), wider=parts)


def _whole_day(match: regex.Match[str]) -> str:
    short = match[0].casefold()[:3]
    return next(f"{name}day" for name in _WEEKDAYS if name.startswith(short))


def _spelled(written: str, value: str) -> Figure:
    force: Force = "none" if value == "1" else "soft" if int(value) <= _LARGEST_SOFT else "full"
    return Figure(written, frozenset([value]), force)


def _code(written: str) -> Figure:
    """A code without its joints; a word joined to a number (top-5, v2.3) may stand for the number too."""
    joined = _JOINT.sub("", written)
    word_and_number = _WORD_AND_NUMBER.fullmatch(written)
    return Figure(written, frozenset([joined, word_and_number[1]] if word_and_number else [joined]))


def _time(written: str, match: regex.Match[str]) -> Figure:
    """A time of day, which may be counted to 12 or to 24: 15:00, 3:00 pm, 3, 下午3点."""
    hour, half = int(match["hour"]), _half(match)
    part = (match["part"] or "").removeprefix(SPELLED)
    minute = match["minute"] or _PARTS_OF_AN_HOUR.get(part, part).rjust(2, "0")
    hours = {hour % 12, hour % 12 + 12} if half else {hour}
    times = frozenset(f"{each}:{minute}" for each in hours)
    whole = frozenset(str(each) for each in hours) if minute == "00" else frozenset[str]()
    # 两点 are two o'clock, or two points
    found = _spelled(written, str(hour)) if match["spelled"] and not part else Figure(written, times)
    return replace(found, readings=times | whole, half=half)


def _half(match: regex.Match[str]) -> Half:
    if match["half"]:
        return "am" if match["half"] == "a" else "pm"
    before = match.string[max(0, match.start() - len("上午 ")) : match.start()]
    if _MORNING.search(before):
        return "am"
    # from 13 on the hours are counted to 24
    return "pm" if _EVENING.search(before) or int(match["hour"]) > 12 else ""


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
