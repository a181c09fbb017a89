"""Numbers, dates, times and units, in one form however they are written."""

import pytest

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
        ("version v2.3.1 at 10:30", [{"v2.3.1"}, {"10:30"}]),
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
