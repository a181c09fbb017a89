"""Quotations are compared without what copying changes, and with everything that carries meaning."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.judges.quotation import comparable, quoted_from, related

TABLE = """| Tier | Back after | Rehearsed |
|---|---|---|
| Granite | 1 hour | every quarter |
| Slate | 6 hours | twice a year |"""
STEPS = """To set up:

1. Open *Workspace → Webhooks* and choose *Add endpoint*.
2. Enter the address.
3. Save it.
"""
ITEMS = "Not allowed:\n- dogs\n  - large ones\n- food\n- Allowed:\n- cats\n\nOpen daily."


@pytest.mark.parametrize(
    ("quotation", "text"),
    [
        ("day pass COSTS 24 euro", "A day\npass  costs 24 euro."),
        ("“Ask” the staff's office", '"Ask" the staff’s office'),
        ("nine - five", "nine – five"),
        ("ms—or 0.1% of it", "1,000 ms – or 0.1 % of it"),
        ("36°C to 40 ºC", "36 °C to 40 °C"),
        ("3–5 days, -4 °C", "3 - 5 days, −4 °C"),
        ("5 x 10^3 Pa", "5 × 10³ Pa"),
        ("5 m²", "5 m<sup>2</sup>"),
        ("lead\u200b time, lead ti\u00adme", "lead time, lead time"),
        ("The pass ... 24 euro", "The pass, for a day, is 24 euro."),
        ("The pass … euro", "The pass is 24 euro."),
        ("the pass [...] euro.", "The pass is 24 euro and more"),
        ("1000 euro", "It costs 1,000 euro."),
        ("GET /v2/{id} & the web client", "`GET /v2/{id}` &amp; the _web client_"),
        ("__free__ of **charge**", "**free** of charge"),
        ("the Security Policy for", "See the [Security Policy](x.md#a) for details"),
        ("the [Security Policy] for", "See the [Security Policy](x.md) for details"),
        ("the [Security Policy](x.md) for", "See the [Security Policy](x.md) for details"),
        ("https://example.org/a", "See [this](https://example.org/a)."),
        ("24 euro for a day", "24 euro [1] for a day"),
        ("message: > Failed > again", "The message:\n\n> Failed\n> again"),
        ("message: Failed again", "The message:\n\n> Failed\n> again"),
        ("Workspace -> Webhooks", STEPS),
        ("choose Add endpoint. Enter the address.", STEPS),
        ("choose *Add endpoint*. 2. Enter the address.", STEPS),
        ("• Enter the address.\n• Save it", STEPS),
        ("To set up: 3. Save it.", STEPS),
        ("Bronze: 2 users; Silver: 5 users", "- Bronze: 2 users\n- Silver: 5 users"),
        ("Not allowed: food", ITEMS),
        ("|Slate|6 hours|twice a year|", TABLE),
        ("Slate: 6 hours, twice a year", TABLE),
        ("| Tier | Back after | Rehearsed |\n| Slate | 6 hours | twice a year |", TABLE),
        ("| Tier | Back after |\n|---|---|\n| Slate | 6 hours |", TABLE),
        ("年假……五天", "年假可以结转五天。"),
        ("价格为24元，可退", "价格为 24 元,\n可退票"),
        ("年假为15天。满10年为20天", "年假为15天，满10年为20天。"),
        ("《年假》为１５天(可结转)", "年假为15天（可结转）"),
        ("档案室：4021", "| 部门 | 电话 |\n|---|---|\n| 档案室 | 4021 |"),
    ],
)
def test_a_quotation_is_found_whatever_its_layout_punctuation_and_case(quotation: str, text: str) -> None:
    assert quoted_from(quotation, text)


@pytest.mark.parametrize(
    ("quotation", "text"),
    [
        ("4 euro", "24 euro"),
        ("5 euro", "1.5 euro"),
        ("costs 24", "costs 24.50"),
        ("10 degrees", "-10 degrees"),
        ("minus: 10 degrees", "minus: -10 degrees"),
        ("costs 24", "costs 24 %"),
        ("costs 24 euro", "costs 24% euro"),
        ("40", "€40"),
        ("€40", "$40"),
        ("40 euro", "40 €"),
        ("5 users", "≥ 5 users"),
        ("x > 5", "x < 5"),
        ("10 days", "5–10 days"),
        ("5–10", "| 5 | 10 |"),
        ("103 Pa", "10³ Pa"),
        ("10 Pa", "10³ Pa"),
        ("11/2 hours", "1½ hours"),
        ("5 m", "5 m²"),
        ("900", "X-900"),
        ("v2", "v2.3"),
        ("9 hours", "9:30 hours"),
        ("36 °F", "36 °C"),
        ("SSO ✓ ✗", "| SSO | ✗ | ✓ |"),
        ("C is fast", "C++ is fast"),
        ("art of", "part of"),
        ("euro ... pass", "The pass is 24 euro."),
        ("a pass ... a pass", "a pass"),
        ("dogs are allowed", "dogs are not allowed"),
        ("the [policy](evil.md)", "the [policy](good.md)"),
        ("Slate 1 hour", TABLE),
        ("Slate 6 hours", TABLE.replace("6 hours", "2 hours") + "\n| Bronze | 6 hours | never |"),
        ("Granite Slate 6 hours", TABLE),
        ("| Tier | Rehearsed | Slate | 6 hours |", TABLE),
        ("Not allowed: large ones", ITEMS),
        ("Not allowed: cats", ITEMS),
        ("Not allowed: open daily", ITEMS),
        ("dogs, food", ITEMS),
        ("不允许带狗", "允许带狗"),
        ("四天", "二十四天"),
        ("10元", "10万元"),
        ("", "text"),
        ("…", "text … more"),
        (".", "text."),
        ('""', "text"),
    ],
)
def test_what_does_not_stand_there_word_for_word_is_not_found(quotation: str, text: str) -> None:
    assert not quoted_from(quotation, text)


def test_sentences_are_compared_by_their_words_and_links_by_their_texts() -> None:
    assert comparable("Pay **[the fee](a.md)**: €40!") == comparable("pay the fee €40")
    assert comparable("Pay €40") != comparable("Pay $40")


def test_a_quotation_in_another_language_need_not_share_a_word_but_numbers_are_no_language() -> None:
    assert related("日票价格为二十四元。", "A day pass is 24 euro.")
    assert not related("日票价格为二十四元。", "院子里允许带狗。")
    assert not related("日票价格为42元。", "24 %")


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


VOCABULARY = st.sampled_from(
    "pass price day 24 1.5 -3 €40 15% server X-900 v2.3 dogs 年假 十五 天 票价 10^3 ≥5".split()
)
# No dash among them: between numbers it means a range.
BETWEEN = st.sampled_from(
    [" ", "  ", "\n", ", ", "; ", " | ", "** ", " _", " `", "\u00a0", "\u200b ", ". ", "» ", " ("]
)


@settings(max_examples=100)
@given(st.lists(VOCABULARY, min_size=1, max_size=12), st.data())
def test_a_slice_is_found_whatever_stands_between_its_words_and_not_with_a_word_replaced(
    text: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : data.draw(st.integers(start + 1, len(text)))]
    laid_out = [data.draw(BETWEEN) for _ in piece]
    material = " , ".join(text)
    assert quoted_from("".join(f"{word}{gap}" for word, gap in zip(piece, laid_out, strict=True)), material)
    piece[data.draw(st.integers(0, len(piece) - 1))] = data.draw(
        st.sampled_from(["cat", "25", "-24", "3", "40", "15", "五", "$40"])
    )
    assert not quoted_from("".join(f"{word}{gap}" for word, gap in zip(piece, laid_out, strict=True)), material)
