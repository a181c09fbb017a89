"""Where sentences end, in English and in Chinese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.sentences import sentence_spans, sentences

PIECES = st.sampled_from(
    [". ", ".", "...", "! ", "?", "。", "！", "”", '"', "\n", "\n\n", " ", "a", "Dr", "1", "年", "# h\n", "- i\n"]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("年假每年十天。可结转五天！真的？是的", ["年假每年十天。", "可结转五天！", "真的？", "是的"]),
        ("年假十天。可结转五天", ["年假十天。", "可结转五天"]),
        ("什么时候放假?每年十天。", ["什么时候放假?", "每年十天。"]),
        ("他说：“走吧！”然后走了。", ["他说：“走吧！”", "然后走了。"]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("Dr. Smith met J. Doe. They spoke.", ["Dr. Smith met J. Doe.", "They spoke."]),
        ("Use e.g. this one. Or that.", ["Use e.g. this one.", "Or that."]),
        ("See No. 5 and Fig. 3. Done.", ["See No. 5 and Fig. 3.", "Done."]),
        ("No. It is not.", ["No.", "It is not."]),
        ("Max. 1,200 km per month. Min. 5.", ["Max. 1,200 km per month.", "Min. 5."]),
        ("It takes 5 min. 10 people came.", ["It takes 5 min.", "10 people came."]),
        ("Orte, z.B. Bonn, ca. 3 km weit. Gut.", ["Orte, z.B. Bonn, ca. 3 km weit.", "Gut."]),
        ("See art. 5 and p. 7 there. Art. It is.", ["See art. 5 and p. 7 there.", "Art.", "It is."]),
        ("Version 2.3.1 costs 4.55 euro. Fine.", ["Version 2.3.1 costs 4.55 euro.", "Fine."]),
        ("The answer is 42. Then more.", ["The answer is 42.", "Then more."]),
        ("1. First item. More.\n2. Second item.", ["1. First item.", "More.", "2. Second item."]),
        ("- one\n- two", ["- one", "- two"]),
        ("# Title\nText here.", ["# Title", "Text here."]),
        ("a paragraph\n\nanother", ["a paragraph", "another"]),
        ("a line\nwrapped", ["a line\nwrapped"]),
        ("他来了……她走了。", ["他来了……她走了。"]),
        ("http://example.org/?a=年假 is a link", ["http://example.org/?a=年假 is a link"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_the_ranges_cover_the_text_without_a_gap(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)


def test_a_long_run_of_marks_is_one_sentence() -> None:
    """A run of marks without a blank behind it was once looked at again from each of its marks."""
    assert sentence_spans("." * 1_000_000 + "a") == [(0, 1_000_001)]
