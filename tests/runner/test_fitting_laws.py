"""Slices are counted from the tokens of the whole text, and yet exactly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.chunkers.fitting import Fitting, Frame
from runner.tokens import ENCODINGS, token_counter

LATIN = [
    "the ",
    "word",
    "WORDS ",
    "don't ",
    "I'll'",
    "ß",
    "e\u0301",
    "x" * 30,
    "<|endoftext|>",
    "12",
    "1,234",
    "123456789",
]
OTHER = [
    "年假",
    "每年十天",
    "日本語です",
    "한국어",
    "ก็",
    "नमस्ते ",
    "👍🏽",
    "👨\u200d👩\u200d👧",
    "、",
    "。",
    "，",
    "！",
    "“",
    "”",
]
BLANKS = [" ", "   ", "\n", "\n\n", "\t", "\r", "\x0b", "\x85", "\u00a0", "\u3000", "\u2028"]
MARKS = [".", ". ", "...", "/", "//", "://", "_", "-", "'s", "(", ")", "#", "| a |\n", "`", "{"]
texts = st.lists(st.sampled_from(LATIN + OTHER + BLANKS + MARKS), min_size=40, max_size=200).map("".join)
frames = st.sampled_from([Frame(), Frame("A title."), Frame("a > b!"), Frame("T", "| a |\n|---|"), Frame("", "| a |")])


@pytest.mark.parametrize("name", ENCODINGS)
@settings(max_examples=100, deadline=None)
@given(text=texts, frame=frames, places=st.tuples(st.integers(0, 150), st.integers(1, 600)))
def test_a_slice_counts_what_it_counts_when_it_stands_alone(
    name: str, text: str, frame: Frame, places: tuple[int, int]
) -> None:
    counter = token_counter(name)
    fitting = Fitting(text, 50, counter)
    fitting.horizon(0)  # from here on it knows the tokens of the whole text
    start = places[0] + len(text[places[0] :]) - len(text[places[0] :].lstrip())
    end = min(start + places[1], len(text))
    if shown := text[start:end].rstrip():
        assert fitting.count(start, end, frame) == counter.count(frame.shown(shown))


def test_a_mark_that_the_text_continues_is_counted_with_it() -> None:
    counter = token_counter("o200k_base")
    text, frame = "/" * 4 + " word" * 100, Frame("A title.")
    fitting = Fitting(text, 50, counter)
    fitting.horizon(0)
    assert fitting.count(0, len(text), frame) == counter.count(frame.shown(text))
