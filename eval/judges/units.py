"""Units of measure beside a number, in several languages: 24 euro is not 24 dollars, 50 分钟 is not 50 小时."""

from dataclasses import dataclass

import regex

# One unit per line with all its names; a blank line between kinds of quantity. Only units of one kind contradict.
_UNITS = """
nanoseconds nanosecond ns 纳秒
microseconds microsecond µs μs 微秒
milliseconds millisecond ms msec 毫秒
seconds second secs sec s sekunden sekunde secondes seconde segundos segundo secondi secondo 秒钟 秒間 秒
minutes minute mins min minuten minutos minuto minuti 分钟 分間
hours hour hrs hr h stunden stunde heures heure horas hora ore ora uren uur 个小时 小时 个钟头 時間
working_days working_day business_days business_day werktage werktagen arbeitstage arbeitstagen jours_ouvrés\
 jours_ouvrables días_hábiles giorni_lavorativi 个工作日 工作日 営業日
days day tage tagen tag jours jour días día dias dia giorni giorno dagen dag 天 日間 日
weeks week wochen woche semaines semaine semanas semana settimane settimana weken 个星期 周 週間
months month monate monaten monat mois meses mes mesi mese maanden maand 个月 か月 ヶ月 カ月
quarters quarter quartale quartal trimestres trimestre 个季度
years year jahre jahren jahr ans années année années años año anos ano anni anno jaren jaar 年間 年

€ euros euro eur 欧元
cents cent ct centimes centime centesimi
$ us$ dollars dollar usd 美元 美金
£ pounds pound gbp 英镑
¥ yuan rmb cny 人民币 元 块
角
yen jpy 日元 円
hk$ hkd 港元 港币
₹ rupees rupee inr 卢比
francs franc chf 法郎
krw 韩元
rubles ruble 卢布

kilometres kilometre kilometers kilometer km 公里 千米
miles mile mi 英里
metres metre meters meter metri metro 米
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

% percent prozent
‰ permille promille
ppm
basis_points basis_point bps 个基点
percentage_points percentage_point prozentpunkte 个百分点

bytes byte
kilobytes kb
megabytes mb
gigabytes gb
terabytes tb
kibibytes kib
mebibytes mib
gibibytes gib
tebibytes tib

bits bit
kbit kbps
mbit mbps
gbit gbps

milliwatts milliwatt mw
watts watt w 瓦
kilowatts kilowatt kw 千瓦
megawatts megawatt mw 兆瓦
gigawatts gigawatt gw

millivolts mv
volts volt v 伏
kilovolts kv

milliamps ma
amps amp ampere 安培

mah 毫安时
ah 安时

hertz hz 赫兹
kilohertz khz
megahertz mhz
gigahertz ghz

wh
kwh 千瓦时
mwh

kcal
kj

km/h kmh kph 公里/小时
mph

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
    number name it; ``per`` is what it is counted by: the kilometre of 0.30 €/km.
    """

    readings: frozenset[tuple[int, str]]
    behind: int = 0
    per: frozenset[tuple[int, str]] = frozenset()

    def contradicts(self, other: "Unit") -> bool:
        """Whether both measure the same kind of quantity in different units, or by a different one."""
        return _differ(self.readings, other.readings) or _differ(self.per, other.per)


def _differ(one: frozenset[tuple[int, str]], other: frozenset[tuple[int, str]]) -> bool:
    kinds = {kind for kind, _ in one} & {kind for kind, _ in other}
    return bool(kinds) and not one & other


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
_BEHIND = regex.compile(rf"(?:[,.][-–]{{1,2}})?[\s-]?(?P<unit>{_ANY})(?![a-zà-ÿ])")  # 5,- eur
_BEFORE = regex.compile(r"(?:us\$|hk\$|[$€£¥₹]|\b(?:eur|usd|gbp|chf|cny|rmb|jpy))\s?$")
_PER = regex.compile(rf"\s?(?:/|\b(?:per|an?|pro|par|al|por)\b|每)\s?(?P<unit>{_ANY})(?![a-zà-ÿ])")
_NEAR = 30  # characters looked at on either side


def unit_beside(text: str, start: int, end: int) -> Unit:
    """The unit of the number ``text[start:end]`` (normalised text): a sign of money before it, or a name behind it."""
    before = _BEFORE.search(text[max(0, start - _NEAR) : start])
    if before:
        return Unit(_NAMED[before[0].strip()], per=_per(text, end))
    behind = _BEHIND.match(text, end, end + _NEAR)
    if behind is None or (behind["unit"] == "年" and end - start == len("2015")):  # 2015年 is a date
        return NO_UNIT
    return Unit(_NAMED[behind["unit"]], len(behind[0]), _per(text, behind.end()))


def _per(text: str, end: int) -> frozenset[tuple[int, str]]:
    found = _PER.match(text, end, end + _NEAR)
    return _NAMED[found["unit"]] if found else frozenset()
