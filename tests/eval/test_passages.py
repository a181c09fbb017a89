"""Passages: the runs of sentences most alike to a statement that fit a model's view."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.judges.passages import best_passages
from eval.text.analyzer import Analyzer

SENTENCES = ["Dogs sleep.", "Cats purr.", "Parking costs money.", "Birds sing.", "Visitors pay parking."]


def passages(statement: str, room: int, count: int = 2) -> list[str]:
    return best_passages(statement, SENTENCES, [3] * len(SENTENCES), room, count, Analyzer())


def test_a_context_that_fits_is_one_passage() -> None:
    assert passages("Parking costs money.", room=15) == [" ".join(SENTENCES)]


@pytest.mark.parametrize(
    ("statement", "best"),
    [("Cats purr.", "Dogs sleep. Cats purr."), ("Visitors pay parking.", "Birds sing. Visitors pay parking.")],
)
def test_the_passage_most_alike_comes_first_and_equals_keep_the_order_of_the_context(statement: str, best: str) -> None:
    assert passages(statement, room=6)[0] == best


def test_no_passage_lies_inside_another_and_no_more_are_chosen_than_asked_for() -> None:
    assert passages("Visitors pay parking.", room=6, count=9) == [
        "Birds sing. Visitors pay parking.",
        "Cats purr. Parking costs money.",
        "Parking costs money. Birds sing.",
        "Dogs sleep. Cats purr.",
    ]


def test_a_sentence_longer_than_the_room_stands_alone() -> None:
    assert passages("Cats purr.", room=1)[0] == "Cats purr."


def test_no_sentence_gives_no_passage() -> None:
    assert best_passages("Cats purr.", [], [], 10, 3, Analyzer()) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 20), st.integers(1, 4))
def test_every_passage_fits_or_is_a_single_sentence(lengths: list[int], room: int, count: int) -> None:
    named = [f"word{place}." for place in range(len(lengths))]
    found = best_passages("word0 word3", named, lengths, room, count, Analyzer())
    assert 1 <= len(found) <= count
    for passage in found:
        places = [named.index(word) for word in passage.split()]
        assert places == list(range(places[0], places[-1] + 1))
        assert len(places) == 1 or sum(lengths[place] for place in places) <= room
