"""Token counters: exact, offline, and never confused by what a text says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.tokens import ENCODINGS, token_counter

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=120)


# Published examples of the encoding: "tiktoken is great!" is 6 tokens in both.
@pytest.mark.parametrize("name", ENCODINGS)
def test_counts_are_those_of_the_encoding(name: str):
    assert token_counter(name).count("tiktoken is great!") == 6
    assert token_counter(name).count("") == 0


def test_text_that_looks_like_a_special_token_is_ordinary_text():
    counter = token_counter("o200k_base")
    assert counter.count("<|endoftext|>") > 1
    assert counter.boundaries("The token <|endoftext|> ends")[-1] == 28


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="must be one of o200k_base, cl100k_base"):
        token_counter("gpt-2000")


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=texts)
def test_boundaries_rise_end_with_the_text_and_are_at_most_one_per_token(name: str, text: str):
    counter = token_counter(name)
    places = counter.boundaries(text)
    assert (np.diff(places) > 0).all()
    assert len(places) <= counter.count(text)
    if text:
        assert places[-1] == len(text)
        assert places[0] > 0


def test_a_character_of_several_tokens_is_one_place():
    counter = token_counter("o200k_base")
    assert counter.count("ab👍🏽") == 4  # ab, the thumb, and two tokens for the skin tone
    assert counter.boundaries("ab👍🏽").tolist() == [2, 3, 4]


def test_places_are_numbered_by_the_tokens_up_to_them():
    counter = token_counter("o200k_base")
    places, numbers = counter.numbered_boundaries("ab👍🏽")
    assert numbers is not None
    assert (places.tolist(), numbers.tolist()) == ([2, 3, 4], [1, 2, 4])
    assert counter.numbered_boundaries("ab cd")[1] is None  # each token ends at a place: no number is needed
