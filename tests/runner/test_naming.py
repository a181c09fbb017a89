"""Names of runs are short, safe, and tell runs apart."""

import re

from hypothesis import given
from hypothesis import strategies as st

from runner.command.naming import LONGEST, run_name, shorten, sweep_name

CONFIG = {"chunker": {"size": 200}, "budget": {"tokens": 600}}
CHOICES = {"chunker": "sentence", "retriever": "bm25"}


def test_a_single_run_is_named_after_chunker_retriever_and_budget():
    assert run_name(CONFIG, CHOICES, ["name=null"], []) == "sentence200-bm25-b600"


def test_a_single_run_with_a_model_that_answers_names_it():
    config = {**CONFIG, "generator": {"model": {"name": "vendor/small-1"}}}
    assert run_name(config, CHOICES, [], []) == "sentence200-bm25-b600-small-1"


def test_a_run_of_a_sweep_is_named_after_what_is_swept():
    overrides = ["+experiment=x", "chunker=fixed", "chunker.size=60", "budget.tokens=300"]
    assert run_name(CONFIG, CHOICES, overrides, ["chunker", "chunker.size"]) == "fixed-60size"


def test_a_sweep_is_named_after_its_experiment_or_what_it_sweeps():
    assert sweep_name("chunk_small", ["chunker.size"]) == "chunk_small"
    assert sweep_name(None, ["budget.tokens", "chunker"]) == "tokens×chunker"
    assert sweep_name(None, []) == "sweep"


def test_unsafe_and_long_names_become_short_with_a_hash_of_the_whole():
    name = shorten("model=org/name:1" + "x" * 300)
    assert len(name) == LONGEST
    assert "/" not in name
    assert shorten("a" * 300 + "b") != shorten("a" * 300 + "c")


@given(st.text(max_size=400))
def test_any_text_gives_a_name_of_safe_characters(text: str):
    assert re.fullmatch(r"[\w.:×-]+", shorten(text))
    assert len(shorten(text)) <= LONGEST
