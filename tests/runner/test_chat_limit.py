"""How many calls may be out at a time, as servers complain."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from eval.chat.messages import ChatRequest
from runner.chat.limit import AdaptiveLimit, Slot
from tests.runner.chat_desks import endpoint_at, open_desk
from tests.runner.chat_server import Asked, Step, serving


def test_a_burst_of_complaints_halves_the_number_once():
    async def burst() -> list[int]:
        limit, allowed = AdaptiveLimit(16), []
        for _ in range(6):
            async with asyncio.TaskGroup() as group:
                for _ in range(limit.allowed):
                    group.create_task(_complain(limit))
            allowed.append(limit.allowed)
        return allowed

    assert asyncio.run(burst()) == [8, 4, 2, 1, 1, 1]


async def _complain(limit: AdaptiveLimit) -> None:
    async with limit.slot() as slot:
        await asyncio.sleep(0.01)
        limit.overloaded(slot, None)


def test_it_grows_by_one_after_as_many_successes_as_are_allowed_and_never_above_the_most():
    async def recover() -> list[int]:
        limit = AdaptiveLimit(4)
        limit.overloaded(Slot(asyncio.get_running_loop().time()), None)
        allowed = []
        for _ in range(12):
            limit.succeeded()
            allowed.append(limit.allowed)
        return allowed

    assert asyncio.run(recover()) == [2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4]


def test_a_complaint_in_between_begins_the_count_of_successes_anew():
    async def disturbed() -> int:
        limit = AdaptiveLimit(4)
        before = Slot(asyncio.get_running_loop().time())
        limit.overloaded(before, None)
        limit.succeeded()
        limit.overloaded(before, None)  # of the same burst: it halves nothing, but it is no success
        limit.succeeded()
        return limit.allowed

    assert asyncio.run(disturbed()) == 2


def test_never_more_than_allowed_are_out_and_they_go_in_the_order_of_asking():
    async def count() -> tuple[int, list[int]]:
        limit, out, most, order = AdaptiveLimit(3), 0, 0, []

        async def one(number: int) -> None:
            nonlocal out, most
            async with limit.slot():
                order.append(number)
                out += 1
                most = max(most, out)
                await asyncio.sleep(0.001)
                out -= 1

        await asyncio.gather(*(one(number) for number in range(20)))
        return most, order

    assert asyncio.run(count()) == (3, list(range(20)))


def test_a_pause_holds_everybody_and_the_longest_one_counts():
    async def pause() -> float:
        limit, start = AdaptiveLimit(2), asyncio.get_running_loop().time()
        limit.pause(0.2)
        limit.pause(0.05)
        async with limit.slot() as slot:
            return slot.started - start

    assert asyncio.run(pause()) >= 0.2


def test_whoever_gives_up_waiting_leaves_the_place_to_the_next():
    async def give_up() -> list[str]:
        limit, done = AdaptiveLimit(1), []

        async def one(name: str) -> None:
            async with limit.slot():
                done.append(name)
                await asyncio.sleep(0.02)

        tasks = [asyncio.ensure_future(one(name)) for name in "abcd"]
        await asyncio.sleep(0.01)
        tasks[1].cancel()  # it waits
        tasks[0].cancel()  # it is out, so that c's turn comes
        await asyncio.sleep(0)
        tasks[2].cancel()  # its turn has come, and it has not begun
        await asyncio.gather(*tasks, return_exceptions=True)
        return done

    assert asyncio.run(give_up()) in (["a", "d"], ["a", "c", "d"])


def test_a_server_that_takes_two_at_a_time_is_left_with_about_as_many(tmp_path: Path):
    """Every question is answered in the end, with few complaints for each."""

    def two_at_a_time(_: Asked) -> Step:
        if server.at_once > 2:
            return Step(status=429, error="rate_limit_exceeded", headers={"retry-after-ms": "50"})
        return Step("Yes.", delay_s=0.02)

    with serving(two_at_a_time) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(16) as pool:
        line = desk.line(endpoint_at(server, concurrency=16, tries=12))
        done = list(pool.map(line.complete, [ChatRequest("", str(number), 5) for number in range(60)]))
        assert {each.text for each in done} == {"Yes."}
        assert server.count < 60 + 60
