"""Characters as readers see them are not cut in two."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from eval.text.graphemes import whole_until

FAMILY = "👨‍👩‍👧"


@pytest.mark.parametrize(("place", "whole"), [(0, 0), (1, 1), (2, 1), (4, 1), (5, 1), (6, 6), (7, 7), (99, 7)])
def test_a_place_within_a_family_moves_to_its_start(place: int, whole: int):
    assert whole_until(f"a{FAMILY}b", place) == whole


characters = st.sampled_from(["a", "é", "e\u0301", FAMILY, "👍🏽", "🇩🇪", "年", " "])


@given(st.lists(characters, max_size=10).map("".join), st.integers(0, 60))
def test_the_result_is_where_a_grapheme_ends_and_the_last_such_place(text: str, place: int):
    ends = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    assert whole_until(text, place) == max(end for end in ends if end <= max(place, 0))


def test_a_grapheme_too_long_to_look_back_on_may_be_cut():
    assert whole_until("a" + "\u0301" * 500, 400) == 400
