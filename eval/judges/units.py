"""Units of measure beside a number, in English and Chinese: 24 euro is not 24 dollars, 50 分钟 is not 50 小时."""

from dataclasses import dataclass

import regex

# One unit per line with all its names; a blank line between kinds of quantity. Only units of one kind contradict.
_UNITS = """
seconds second secs sec 秒钟 秒
minutes minute mins min 分钟
hours hour hrs hr 个小时 小时 个钟头
days day 天
weeks week 个星期 周
months month 个月
years year 年

€ euros euro eur 欧元
$ us$ dollars dollar usd 美元 美金
£ pounds pound gbp 英镑
¥ yuan rmb cny 人民币 元 块
yen jpy 日元
hk$ hkd 港元 港币
₹ rupees rupee inr 卢比
francs franc chf 法郎
krw 韩元
rubles ruble 卢布

kilometres kilometre kilometers kilometer km 公里 千米
miles mile mi 英里
metres metre meters meter 米
centimetres centimetre centimeters centimeter cm 厘米
millimetres millimetre millimeters millimeter mm 毫米
inches inch 英寸
feet foot ft 英尺
yards yard 码

kilograms kilogram kilos kilo kg 公斤 千克
grams gram g 克
milligrams milligram mg 毫克
pounds pound lbs lb 磅
ounces ounce oz 盎司
tonnes tonne tons ton 吨
斤

litres litre liters liter 升
millilitres millilitre milliliters milliliter ml 毫升
gallons gallon 加仑

% percent
percentage_points percentage_point 个百分点

kilobytes kb
megabytes mb
gigabytes gb
terabytes tb

celsius °c 摄氏度
fahrenheit °f 华氏度

acres acre 英亩
hectares hectare ha 公顷
亩
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a name or sign beside a number may stand for: a pound is money or weight.

    ``readings`` are units, each with the number of its kind of quantity; ``behind`` is how many characters behind the
    number name it.
    """

    readings: frozenset[tuple[int, str]]
    behind: int = 0

    def contradicts(self, other: "Unit") -> bool:
        """Whether both measure the same kind of quantity in different units."""
        kinds = {kind for kind, _ in self.readings} & {kind for kind, _ in other.readings}
        return bool(kinds) and not self.readings & other.readings


NO_UNIT = Unit(frozenset())


def _by_name() -> dict[str, frozenset[tuple[int, str]]]:
    named: dict[str, set[tuple[int, str]]] = {}
    for quantity, units in enumerate(_UNITS.strip().split("\n\n")):
        for names in units.split("\n"):
            for name in names.split():
                named.setdefault(name.replace("_", " "), set()).add((quantity, names.split()[0]))
    return {name: frozenset(units) for name, units in named.items()}


_NAMED = _by_name()
_ANY = "|".join(regex.escape(name) for name in sorted(_NAMED, key=len, reverse=True))
_BEHIND = regex.compile(rf"[\s-]?(?P<unit>{_ANY})(?![a-z])")
_BEFORE = regex.compile(r"(?:us\$|hk\$|[$€£¥₹])\s?$")
_NEAR = 20  # characters looked at on either side


def unit_beside(text: str, start: int, end: int) -> Unit:
    """The unit of the number ``text[start:end]`` (normalised text): a sign of money before it, or a name behind it."""
    before = _BEFORE.search(text[max(0, start - _NEAR) : start])
    if before:
        return Unit(_NAMED[before[0].strip()])
    behind = _BEHIND.match(text, end, end + _NEAR)
    if behind is None or (behind["unit"] == "年" and end - start == len("2015")):  # 2015年 is a date
        return NO_UNIT
    return Unit(_NAMED[behind["unit"]], len(behind[0]))
