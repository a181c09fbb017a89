"""Numbers, dates, times and units, in one form however they are written."""

import pytest

from eval.judges.bounds import other_end
from eval.judges.figures import words_and_figures
from eval.judges.numerals import with_digits


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1,000 or one thousand", [{"1000"}, {"1000"}]),
        ("4.50 euro, 40% and 40 percent", [{"4.5"}, {"40"}, {"40"}]),
        ("5 million, 50k", [{"5000000"}, {"50000", "50"}]),
        ("2024年5月1日", [{"5月1日"}, {"2024", "24"}]),
        ("01/05/2024", [{"1月5日", "5月1日"}, {"2024", "24"}]),
        ("3.5亿和二〇二四年", [{"350000000"}, {"2024"}]),
        ("百分之四十", [{"40"}]),
        ("version v2.3.1 at 10:30", [{"v2.3.1", "2.3.1"}, {"10:30"}]),
        ("two hundred and five", [{"205"}]),
        ("covid-19", [{"covid19", "19"}]),
    ],
)
def test_figures_written_alike_read_alike(text: str, readings: list[set[str]]) -> None:
    assert [set(figure.readings) for figure in words_and_figures(text)[1]] == readings


@pytest.mark.parametrize("text", ["一些", "十分重要", "千万不要", "万一下雨", "四川", "三思而行", "星期一", "统一"])
def test_numerals_inside_chinese_words_are_no_numbers(text: str) -> None:
    assert with_digits(text) == text


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("on Mondays and Sunday", [{"周1"}, {"周7"}]),
        ("星期二，周日", [{"周2"}, {"周7"}]),
        ("each August, but they may march", [{"8月"}]),
        ("at 9:00", [{"9:00", "9"}]),
        ("at 15:30", [{"15:30", "3:30"}]),
        ("at 3:00 pm", [{"3:00", "15:00", "3", "15"}]),
        ("call 1-866-325-0045", [{"18663250045"}]),
    ],
)
def test_weekdays_months_times_and_telephone_numbers_are_figures(text: str, readings: list[set[str]]) -> None:
    assert [set(figure.readings) for figure in words_and_figures(text)[1]] == readings


@pytest.mark.parametrize(
    ("asked", "given", "found"),
    [
        ("May 2024", "1 May 2024", True),
        ("1 May 2024", "May 2024", False),
        ("2024年5月", "2024年5月1日", True),
        ("2 May 2024", "1 May 2024", False),
    ],
)
def test_a_month_is_found_in_a_day_of_it_and_not_the_other_way_round(asked: str, given: str, found: bool) -> None:
    (figure, _), (other, _) = words_and_figures(asked)[1], words_and_figures(given)[1]
    assert figure.found_in(other) is found


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("24 euro", "24 dollars", True),
        ("€24", "$24", True),
        ("€24", "24 euros", False),
        ("US$24", "24 dollars", False),
        ("£24", "24 pounds", False),
        ("24 pounds", "24 kg", True),
        ("5 km", "5 miles", True),
        ("5-kilometre", "5 km", False),
        ("50 minutes", "fifty hours", True),
        ("5天", "5小时", True),
        ("三天", "3 days", False),
        ("24元", "24美元", True),
        ("3亿元", "3亿美元", True),
        ("4 percent", "4 percentage points", True),
        ("百分之四", "4%", False),
        ("24 euro", "24 hours", False),
        ("24 euro", "24", False),
        ("5 minutes", "5 mines", False),
        ("2015年", "2015天", False),
    ],
)
def test_units_of_one_kind_contradict_each_other_and_names_of_one_unit_do_not(
    one: str, other: str, differ: bool
) -> None:
    (first,), (second,) = words_and_figures(one)[1], words_and_figures(other)[1]
    assert first.unit.contradicts(second.unit) is differ


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("9 am", "9 pm", False),
        ("9:30 a.m.", "21:30", False),
        ("9:30 pm", "21:30", True),
        ("下午3点", "15:00", True),
        ("上午9点半", "9:30", True),
        ("12 pm", "12:00", True),
        ("-10", "10", False),
        ("−10", "-10", True),
        ("1 200", "1200", True),
        ("1.234,56", "1234.56", True),
        ("1.500", "1500", True),
        ("3.14", "314", False),
        ("12,50", "12.5", True),
        ("21st", "twenty-first", True),
        ("half a dozen", "6", True),
        ("Mon", "Monday", False),
        ("Mon–Tue", "Monday and Tuesday", True),
        ("/etc/app.conf", "/etc/app.cfg", False),
        ("40 €/month", "40 euro", True),
    ],
)
def test_signs_halves_of_the_day_groups_and_short_names_are_read(one: str, other: str, found: bool) -> None:
    firsts, seconds = words_and_figures(one)[1], words_and_figures(other)[1]
    assert bool(firsts and seconds and all(a.found_in(b) for a, b in zip(firsts, seconds, strict=True))) is found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("250 ms", "250 s"),
        ("3.5%", "3.5‰"),
        ("3 working days", "3 days"),
        ("3営業日", "3日"),
        ("0.30 €/km", "0.30 €/mile"),
        ("9 euro per month", "9 euro per day"),
        ("drei Monate", "drei Wochen"),
        ("3 jours", "3 semaines"),
        ("5 kWh", "5 MWh"),
        ("EUR 5", "USD 5"),
    ],
)
def test_units_beside_their_multiples_and_of_other_languages_contradict(one: str, other: str) -> None:
    (first,), (second,) = words_and_figures(one)[1], words_and_figures(other)[1]
    assert first.found_in(second)
    assert first.unit.contradicts(second.unit)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("at least 5 days", "least"),
        ("no more than € 5", "most"),
        ("5天以内", "most"),
        ("不得超过5元", "most"),
        ("不低于5元", "least"),
        ("超过5元", "above"),
        ("under 5", "below"),
        ("5 or more", "least"),
        ("5 days", ""),
    ],
)
def test_a_number_knows_what_it_bounds(text: str, bound: str) -> None:
    (figure,) = words_and_figures(text)[1]
    assert figure.bound == bound
    assert other_end("least", "most")
    assert not other_end("above", "most")
