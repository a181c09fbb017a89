"""Contexts within budgets, and the budgets that would have been enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from eval.errors import InputError
from eval.records import Chunk, Context, Ranking
from runner.packing.budget import TokenBudget, select
from runner.packing.curve import hits_at, next_to_hit, tokens_to_hit, tokens_until
from runner.tokens import token_counter

COUNTER = token_counter("o200k_base")
JOINT = COUNTER.count("\n\n")


def words(tokens: int, doc_id: str = "d", **more: str) -> Chunk:
    """A chunk of so many tokens: «one» and « one» are one token each."""
    text = " ".join(["one"] * tokens)
    assert COUNTER.count(text) == tokens
    return Chunk(f"{doc_id}#0", doc_id, 0, len(text), text, **more)


def pack(budget: TokenBudget, *chunks: Chunk) -> Context:
    ranking = Ranking(np.arange(len(chunks), dtype=np.int32), np.linspace(1, 0.1, len(chunks)))
    return budget.pack(ranking, chunks, budget.sizes(chunks))


def kept(context: Context) -> list[int]:
    return [item.rank for item in context.chunks]


def test_chunks_are_taken_in_rank_order_while_they_fit_separators_counted():
    exact = 30 + 40 + JOINT
    assert kept(pack(TokenBudget(tokens=exact), words(30), words(40), words(1))) == [1, 2]
    assert kept(pack(TokenBudget(tokens=exact - 1), words(30), words(40), words(1))) == [1]


def test_stop_ends_at_the_first_chunk_that_does_not_fit_and_skip_goes_on():
    chunks = (words(50), words(80), words(40))
    assert kept(pack(TokenBudget(tokens=100, policy="stop"), *chunks)) == [1]
    assert kept(pack(TokenBudget(tokens=100, policy="skip"), *chunks)) == [1, 3]


def test_truncate_fills_what_is_left_and_says_so():
    context = pack(TokenBudget(tokens=100, policy="truncate"), words(50), words(80), words(40))
    assert kept(context) == [1, 2]
    assert [item.cut for item in context.chunks] == [False, True]
    assert context.flags == ("last_chunk_cut",)
    assert context.tokens == 100


def test_a_first_chunk_above_the_budget_is_cut_and_flagged_never_an_empty_context():
    chunks = (words(150), words(40), words(30))
    for policy in ("stop", "truncate"):
        context = pack(TokenBudget(tokens=100, policy=policy), *chunks)
        assert kept(context) == [1]
        assert context.flags == ("first_chunk_cut",)
        assert context.tokens == 100


def test_skip_passes_over_a_first_chunk_above_the_budget_and_says_so():
    context = pack(TokenBudget(tokens=100, policy="skip"), words(150), words(40), words(30))
    assert kept(context) == [2, 3]
    assert context.flags == ("first_chunk_skipped",)


def test_skip_cuts_the_first_chunk_when_none_fits():
    context = pack(TokenBudget(tokens=100, policy="skip"), words(150), words(120))
    assert (kept(context), context.flags) == ([1], ("first_chunk_cut",))


def test_titles_count_and_give_way_when_they_leave_no_room():
    assert kept(pack(TokenBudget(tokens=40), words(38, title="Parking on site"))) == [1]
    context = pack(TokenBudget(tokens=2), words(10, title="A title of many words that is long"))
    assert context.text == "one one"


def test_a_cut_chunk_is_still_a_slice_of_its_document():
    chunk = Chunk("d#0", "d", 7, 7 + 26, "two words   and then no more")
    cut = pack(TokenBudget(tokens=3), chunk).chunks[0].chunk
    assert chunk.text.startswith(cut.text)
    assert cut.end - cut.start == len(cut.text)
    assert cut.start == 7


def test_an_emoji_is_never_cut_in_two():
    family = "👨‍👩‍👧"
    for tokens in range(1, 12):
        text = pack(TokenBudget(tokens=tokens), Chunk("d#0", "d", 0, 30, f"ab {family} cd")).text
        assert text in {"", "ab", f"ab {family}", f"ab {family} cd"}


def test_a_budget_below_one_character_is_flagged():
    context = pack(TokenBudget(tokens=1), Chunk("d#0", "d", 0, 5, "👨‍👩‍👧"))
    assert (context.chunks, context.text, context.flags) == ((), "", ("nothing_fits",))


def test_joined_text_that_counts_more_than_its_parts_gives_up_its_last_chunk_and_says_so():
    first, second = Chunk("a#0", "a", 0, 1, "''"), Chunk("b#0", "b", 0, 9, "/_!。\u3000-")
    apart = COUNTER.count(first.shown) + COUNTER.count(second.shown) + JOINT
    assert COUNTER.count(f"{first.shown}\n\n{second.shown}") > apart  # that is what is odd about these two
    context = pack(TokenBudget(tokens=apart), first, second)
    assert kept(context) == [1]
    assert context.flags == ("last_chunk_given_up",)


def test_the_size_of_a_context_is_that_of_its_text():
    context = pack(TokenBudget(tokens=100), words(30), Chunk("b#0", "b", 0, 9, "It ends."), words(20))
    assert context.tokens == COUNTER.count(context.text)


def test_an_empty_ranking_gives_an_empty_context():
    context = pack(TokenBudget())
    assert (context.chunks, context.text, context.tokens, context.flags) == ((), "", 0, ())


def test_special_token_text_is_ordinary_text():
    chunk = Chunk("d#0", "d", 0, 10, "The token <|endoftext|> ends text")
    assert "<|endoftext|>" in pack(TokenBudget(), chunk).text


@pytest.mark.parametrize(
    "wrong", [{"tokens": 0}, {"tokens": "600"}, {"policy": "drop"}, {"counter": "gpt"}, {"ladder": [0]}]
)
def test_wrong_budgets_are_refused(wrong: dict):
    with pytest.raises((ValidationError, InputError)):
        TokenBudget(**wrong)


texts = st.lists(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60), min_size=1, max_size=6)


@settings(max_examples=100)
@given(texts=texts, tokens=st.integers(1, 60), policy=st.sampled_from(["stop", "skip", "truncate"]))
def test_a_context_is_never_above_its_budget(texts: list[str], tokens: int, policy: str):
    chunks = [Chunk(f"d#{n}", "d", 0, len(text), text) for n, text in enumerate(texts) if text.strip()]
    budget = TokenBudget(tokens=tokens, policy=policy)  # type: ignore[arg-type]
    context = pack(budget, *chunks)
    assert COUNTER.count(context.text) <= tokens
    assert context.tokens <= tokens
    assert kept(context) == sorted(set(kept(context)))


sizes = st.lists(st.integers(1, 40), min_size=1, max_size=10)


@given(
    sizes=sizes,
    data=st.data(),
    policy=st.sampled_from(["stop", "skip", "truncate"]),
    need=st.sampled_from(["any", "all"]),
)
def test_tokens_to_hit_is_the_smallest_budget_that_packs_the_answer(sizes, data, policy, need):
    costs = np.array(sizes, dtype=np.int64) + JOINT
    owners = data.draw(st.lists(st.integers(0, 2), min_size=len(sizes), max_size=len(sizes)))
    groups = [np.flatnonzero(np.array(owners) == document) for document in (0, 1)]

    def hit(tokens: int) -> bool:
        taken = select(costs, tokens + JOINT, policy)
        present = [bool(set(places.tolist()) & set(taken)) for places in groups]
        return any(present) if need == "any" else all(present)

    everything = tokens_until(costs, JOINT, len(costs) - 1)
    expected = next((tokens for tokens in range(1, everything + 1) if hit(tokens)), None)
    assert tokens_to_hit(costs, JOINT, groups, need, policy) == expected
    above = data.draw(st.integers(0, everything))
    larger = next((tokens for tokens in range(above + 1, everything + 2) if hit(tokens)), None)
    assert next_to_hit(above, costs, JOINT, groups, need, policy) == larger
    ladder = [1, 5, 20, 50, 100, 400]
    assert hits_at(costs, JOINT, groups, need, policy, ladder) == {tokens: hit(tokens) for tokens in ladder}
