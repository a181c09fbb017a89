"""Work on several items at a time: order, number at a time, failures and interrupts."""

import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.records import Unscored
from runner.memo import Memo
from runner.spread import spread


def nothing() -> None:
    """Nobody watches."""


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=20), st.integers(1, 8))
def test_results_stand_in_the_order_of_the_inputs_whoever_is_done_first(waits: list[int], at_once: int):
    def slow(item: tuple[int, int]) -> int:
        time.sleep(item[1] / 1000)
        return item[0]

    values, milliseconds = spread(slow, list(enumerate(waits)), at_once, nothing)
    assert values == list(range(len(waits)))
    assert len(milliseconds) == len(waits)


@pytest.mark.parametrize("at_once", [1, 3])
def test_no_more_items_are_worked_on_than_allowed_and_no_fewer(at_once: int):
    together = threading.Barrier(at_once, timeout=20)  # breaks if fewer ever come together
    present, most, lock = 0, 0, threading.Lock()

    def work(_: int) -> None:
        nonlocal present, most
        with lock:
            present += 1
            most = max(most, present)
        together.wait()
        with lock:
            present -= 1

    spread(work, range(3 * at_once), at_once, nothing)
    assert most == at_once


def test_each_item_that_is_ready_is_told():
    told = []
    spread(str, range(7), 3, lambda: told.append(1))
    assert len(told) == 7


def test_a_failure_is_raised_and_what_has_not_begun_never_does():
    begun = []

    def work(number: int) -> None:
        begun.append(number)
        time.sleep(0.01)
        if number == 0:
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        spread(work, range(500), 2, nothing)
    assert len(begun) < 500


def test_what_failed_is_tried_again_by_the_next_run_and_what_did_not_is_kept():
    replies: Iterator[str | Unscored] = iter([Unscored("timeout"), "better", "never asked"])
    memo = Memo()

    def ask(_: int) -> str | Unscored:
        return next(replies)

    assert memo.each("answer", ["k"], ask, [1]).value == [Unscored("timeout")]
    assert memo.each("answer", ["k"], ask, [1]).value == ["better"]
    again = memo.each("answer", ["k"], ask, [1])
    assert (again.value, again.times.reused) == (["better"], True)
