"""Numbers in words: forty-five, two hundred, 三百二十, 二〇二四, 百分之四十, drei Wochen, trois mois."""

import regex

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_SMALL = {word: value for value, word in enumerate([*_UNITS, "seventeen", "eighteen", "nineteen"])}
_ORDERS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
ORDINALS = {word: value for value, word in enumerate(_ORDERS, 1)} | {"once": 1, "twice": 2}
_TENS = {
    word: 10 * tens for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SIMPLE = "|".join(sorted([*_SMALL, *_TENS], key=len, reverse=True))
_COMPOUND_ORDINALS = {
    f"{tens}{joint}{order}": value + unit
    for tens, value in _TENS.items()
    for unit, order in enumerate(_ORDERS[:9], 1)
    for joint in "- "
}
ORDINALS |= _COMPOUND_ORDINALS | {tens.removesuffix("y") + "ieth": value for tens, value in _TENS.items()}
ENGLISH_NUMERALS = rf"(?:{_SIMPLE})(?:(?:[\s-]|\sand\s)(?:{_SIMPLE}|{'|'.join(_SCALES)})\b){{0,12}}"

# Stands before digits that were one Chinese numeral (三天); a character of the private-use area, in no text.
SPELLED = "\ue000"

_DIGITS = {character: str(value) for value, character in enumerate("零一二三四五六七八九")} | {"〇": "0", "两": "2"}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
_COUNTED = (
    r"[天日年月周号位名人元块角分秒点时小件条项次岁倍米吨克斤升页章节层级届期季台套张份批度亩家座辆篇场轮支户封笔成折排站步余]"
    r"|个(?!人|性|别|体)|公[里斤]|美元|欧元|英镑"
)
# Small numbers of other languages, read before a unit of time only: elsewhere many are other words (due, sei, once).
_FOREIGN = """
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
deux trois quatre cinq six sept huit neuf dix onze douze
dos tres cuatro cinco seis siete ocho nueve diez once doce
due tre quattro cinque sei sette otto nove dieci undici dodici
twee drie vier vijf zes zeven acht negen tien elf twaalf
"""
_FOREIGN_VALUES = {word: value for line in _FOREIGN.split("\n") for value, word in enumerate(line.split(), 2)}
_BEFORE_TIME = regex.compile(
    rf"\b({'|'.join(_FOREIGN_VALUES)})(?=\s(?:sekunde|minut|stunde|werktag|arbeitstag|tag|woche|monat|jahr"
    r"|seconde|heure|jour|semaine|mois|ans?\b|année|segundo|hora|día|semana|mes|año"
    r"|second[oi]|or[ae]\b|giorn|settiman|mes[ei]|ann[oi]|uur|uren|dag|week|weken|maand|jaar|jaren))"
)
_DOZEN = regex.compile(r"\b(half a|an?|one) dozen\b")
_PERCENT = regex.compile(r"百分之(\d+(?:\.\d+)?|[零〇一二三四五六七八九十百两点]{1,20})")
_CHINESE = regex.compile(
    r"(?<![几数好上])(?:"
    r"[零〇一二三四五六七八九]{4}(?=年)"  # a year, digit by digit
    r"|[一二三四五六七八九两][一二三四五六七八九十百千万亿零〇两]{0,20}[十百千万亿][一二三四五六七八九]?"
    rf"|十[一二三四五六七八九]|(?:十(?!分之|分[^钟])|[一二三四五六七八九两])(?={_COUNTED})"
    r")"
)


def english_value(words: str) -> int:
    """The number that English words spell, without cents: "two hundred and five" is 205."""
    total = current = 0
    for word in regex.split(r"[\s-]+", words):
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, current = total + current, 0
        else:
            current += _SMALL.get(word, _TENS.get(word, 0))
    return total + current


def with_digits(text: str) -> str:
    """``text`` with Chinese numerals as digits, where they count something: 三天 as 3天, but 三思 and 一些 stay."""
    text = _BEFORE_TIME.sub(lambda match: f"{SPELLED}{_FOREIGN_VALUES[match[1]]}", text)
    text = _DOZEN.sub(lambda match: "6" if match[1] == "half a" else "12", text)
    text = _PERCENT.sub(lambda match: f"{_chinese_value(match[1])}%", text)
    return _CHINESE.sub(_digits_of, text)


def _digits_of(match: regex.Match[str]) -> str:
    return ("" if len(match[0]) > 1 else SPELLED) + _chinese_value(match[0])


def _chinese_value(numeral: str) -> str:
    if regex.fullmatch(r"[\d.]+", numeral):
        return numeral
    if regex.fullmatch(r"[零〇一二三四五六七八九]{2,}", numeral):
        return "".join(_DIGITS[character] for character in numeral)
    whole, _, fraction = numeral.partition("点")
    value = str(_whole_value(whole))
    return f"{value}.{''.join(_DIGITS.get(character, character) for character in fraction)}" if fraction else value


def _whole_value(numeral: str) -> int:
    """By place: 三百二十 is 3 × 100 + 2 × 10; 万 and 亿 multiply what stands before them."""
    total = section = digit = 0
    for character in numeral:
        if character in _PLACES:
            section, digit = section + (digit or 1) * _PLACES[character], 0
        elif character in _MYRIADS:
            total, section, digit = (total + section + digit) * _MYRIADS[character], 0, 0
        else:
            digit = int(_DIGITS[character])
    return total + section + digit
