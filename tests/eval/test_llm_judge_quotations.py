"""Quotations are compared without what copying changes, and with everything that carries meaning."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.judges.quotation import quoted_from, related


@pytest.mark.parametrize(
    ("quotation", "text"),
    [
        ("day pass COSTS 24 euro", "A day\npass  costs 24 euro."),
        ("“Ask” the staff's office", '"Ask" the staff’s office'),
        ("nine - five", "nine – five"),
        ("The pass ... 24 euro", "The pass, for a day, is 24 euro."),
        ("The pass … euro", "The pass is 24 euro."),
        ("the pass [...] euro.", "The pass is 24 euro and more"),
        ("年假……五天", "年假可以结转五天。"),
        ("价格为24元，可退", "价格为 24 元,\n可退票"),
        ("1000 euro", "It costs 1,000 euro."),
        ("四天", "二十四天"),  # numerals in words have no bounds: a known gap
    ],
)
def test_a_quotation_is_found_whatever_its_marks_blanks_and_case(quotation: str, text: str) -> None:
    assert quoted_from(quotation, text)


@pytest.mark.parametrize(
    ("quotation", "text"),
    [
        ("4 euro", "24 euro"),
        ("5 euro", "1.5 euro"),
        ("costs 24", "costs 24.50"),
        ("art of", "part of"),
        ("euro ... pass", "The pass is 24 euro."),
        ("a pass ... a pass", "a pass"),
        ("不允许带狗", "允许带狗"),
        ("", "text"),
        ("…", "text … more"),
        (".", "text."),
        ('""', "text"),
    ],
)
def test_what_does_not_stand_there_word_for_word_is_not_found(quotation: str, text: str) -> None:
    assert not quoted_from(quotation, text)


def test_a_quotation_in_another_language_need_not_share_a_word() -> None:
    assert related("日票价格为二十四元。", "A day pass is 24 euro.")
    assert not related("日票价格为二十四元。", "院子里允许带狗。")


words = st.lists(st.text("abßÄX9年假五", min_size=1, max_size=4), min_size=1, max_size=8)


@settings(max_examples=80)
@given(words, st.data())
def test_any_run_of_whole_words_is_a_quotation_and_so_are_two_with_an_omission(
    text: list[str], data: st.DataObject
) -> None:
    first, second, third, fourth = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4)))
    parts = [" ".join(text[first:second]), " ".join(text[third:fourth])]
    for quotation in (*parts, " ... ".join(parts)):
        assert quoted_from(quotation, " ".join(text)) == any(character not in " ." for character in quotation)
