"""Prices and the cap on what is spent."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.chat.prices import Price, is_private, price_of
from runner.chat.purse import Purse
from runner.chat.vendors import vendor_of

OPENAI, ANTHROPIC = "https://api.openai.com/v1", "https://api.anthropic.com"


def price(model: str, base_url: str = OPENAI, override: dict[str, float] | None = None) -> Price | None:
    return price_of(model, vendor_of(model, base_url), base_url, override)


@pytest.mark.parametrize(
    ("model", "base_url", "usd"),
    [
        ("gpt-4o-mini", OPENAI, (0.15, 0.6)),  # openai.com/api/pricing
        ("claude-3-5-haiku-20241022", ANTHROPIC, (0.8, 4.0)),  # anthropic.com/pricing
        ("openai/gpt-4o-mini", "https://openrouter.ai/api/v1", (0.15, 0.6)),
        ("openai/gpt-4o-mini", "https://llm.example.com/v1", (0.15, 0.6)),  # a gateway nobody knows: its vendor's
    ],
)
def test_known_models_have_the_price_of_the_service_or_else_of_their_vendor(
    model: str, base_url: str, usd: tuple[float, float]
):
    found = price(model, base_url)
    assert found is not None
    assert (found.input, found.output) == pytest.approx(usd)


def test_what_nobody_knows_has_no_price_and_a_given_one_goes_first():
    assert price("nobody-knows") is None
    assert price("nobody-knows", "https://llm.example.com/v1") is None
    given_price = {"input": 3.0, "output": 9.0}
    assert price("nobody-knows", override=given_price) == Price(3.0, 9.0)
    assert price("gpt-4o-mini", override=given_price) == Price(3.0, 9.0)
    assert price("llama3.2", "http://127.0.0.1:11434/v1", given_price) == Price(3.0, 9.0)


def test_tokens_are_priced_by_the_million():
    assert Price(3.0, 15.0).usd(1000, 200) == pytest.approx(0.006)


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:11434/v1",
        "http://127.0.0.1:8000",
        "http://[::1]:8000",
        "http://192.168.1.20/v1",
        "http://10.0.0.5/v1",
        "http://100.100.1.1/v1",
        "http://0.0.0.0:8000",
        "http://ollama:11434",
        "http://host.docker.internal:8080/v1",
        "http://gpu.local/v1",
    ],
)
def test_models_on_this_machine_or_in_a_private_network_cost_nothing(address: str):
    assert is_private(address)
    assert price("llama3.2", address) == Price(0.0, 0.0)


@pytest.mark.parametrize(
    "address", [OPENAI, "http://8.8.8.8/v1", "https://localhost.example.com", "https://10.example"]
)
def test_a_public_address_is_none_of_these(address: str):
    assert not is_private(address)


@given(
    cap=st.floats(0, 1),
    calls=st.lists(st.tuples(st.floats(0, 0.5), st.floats(0, 1), st.booleans()), max_size=40),
)
@settings(max_examples=100)
def test_never_more_than_the_cap_is_spent_or_may_be_owed(cap: float, calls: list[tuple[float, float, bool]]):
    """Each call reserves the most, pays a share of it, and maybe its bill is lost; some are out at the same time."""
    purse, out, owed = Purse(cap), [], 0.0
    for most, share, lost in calls:
        if not purse.reserve(most):
            continue
        out.append((most, most * share, lost))
        if len(out) > 3:
            reserved, paid, gone = out.pop(0)
            owed += reserved if gone else 0.0
            if not gone:
                purse.settle(reserved, paid)
        assert purse.spent + owed + sum(reserved for reserved, _, _ in out) <= cap + 1e-9
    assert purse.spent <= cap


@given(st.lists(st.floats(0, 1), max_size=30).flatmap(lambda usd: st.tuples(st.just(usd), st.permutations(usd))))
def test_what_was_spent_does_not_depend_on_the_order_of_bills(bills: tuple[list[float], list[float]]):
    purses = Purse(), Purse()
    for purse, usd in zip(purses, bills, strict=True):
        for paid in usd:
            assert purse.reserve(paid)
            purse.settle(paid, paid)
    assert purses[0].spent == purses[1].spent


def test_a_call_that_just_fits_is_made_and_none_after_it():
    purse = Purse(0.3)
    assert [purse.reserve(0.1) for _ in range(4)] == [True, True, True, False]
    purse.settle(0.1, 0.05)
    assert [purse.reserve(0.05), purse.reserve(1e-12)] == [True, False]


def test_a_cap_may_be_changed_between_runs_that_share_a_purse():
    purse = Purse()
    assert purse.reserve(0.5)
    purse.settle(0.5, 0.5)
    purse.max_usd = 0.6
    assert (purse.reserve(0.2), purse.reserve(0.1)) == (False, True)


def test_a_purse_may_be_used_from_many_threads():
    purse = Purse(1.0)

    def spend(_: int) -> bool:
        if not purse.reserve(0.01):
            return False
        purse.settle(0.01, 0.01)
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(spend, range(500))) == 100
    assert purse.spent == 1.0
