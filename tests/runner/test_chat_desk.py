"""What the desk does with calls as a whole: sharing, stopping, waiting, cancelling, capping, estimating."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from eval.chat.messages import Call, ChatFailedError, ChatModel, ChatRequest, Completion
from eval.errors import InputError
from runner.chat.anthropic_messages import AnthropicMessages
from runner.chat.cache import CallCache, Kept, call_key
from runner.chat.openai_compatible import OpenAICompatible
from tests.runner.chat_desks import QUESTION, Endpoint, cached_texts, endpoint_at, failure_of, open_desk
from tests.runner.chat_server import NO_QUOTA, RATE_LIMITED, Asked, ChatServer, Step, serving
from tests.runner.commands import ROOT

ENOUGH_S = 20  # for a machine that is busy; nothing here takes a second by itself


def numbered(number: int) -> ChatRequest:
    return ChatRequest("", f"Question {number}?", 20)


def test_a_line_is_a_chat_model_and_equal_endpoints_share_one(tmp_path: Path):
    with serving() as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server, name="gpt-oss-20b", concurrency=3))
        assert isinstance(line, ChatModel)
        assert (line.name, line.vendor, line.concurrency) == ("gpt-oss-20b", "openai", 3)
        assert desk.line(endpoint_at(server, name="gpt-oss-20b", concurrency=3)) is line
        assert desk.line(endpoint_at(server, name="gpt-oss-20b", concurrency=4)) is not line


def test_each_question_gets_its_own_reply_whatever_the_order_of_completion(tmp_path: Path):
    def slower_first(asked: Asked) -> Step:
        number = int(asked.user.removeprefix("Question ").removesuffix("?"))
        return Step(f"Reply {number}.", delay_s=0.05 * (8 - number % 8))

    with serving(slower_first) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(16) as pool:
        line = desk.line(endpoint_at(server, concurrency=8))
        texts = [done.text for done in pool.map(line.complete, map(numbered, range(40)))]
        assert texts == [f"Reply {number}." for number in range(40)]
        assert 1 < server.most_at_once <= 8


def test_equal_questions_that_are_out_together_make_one_call_which_one_of_them_pays(tmp_path: Path):
    with serving([Step("Yes.", delay_s=0.5)]) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(6) as pool:
        line = desk.line(endpoint_at(server))
        done = list(pool.map(line.complete, [QUESTION] * 6))
        assert server.count == 1
        assert sorted(call.cached for each in done for call in each.calls) == [False, *[True] * 5]
        assert {each.text for each in done} == {"Yes."}


def test_equal_questions_that_fail_together_fail_alike_and_one_of_them_has_the_bill(tmp_path: Path):
    filtered = Step("No.", finish="content_filter", delay_s=0.5)
    with serving([filtered]) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(4) as pool:
        line = desk.line(endpoint_at(server))
        failed = list(pool.map(lambda _: failure_of(line), range(4)))
        assert server.count == 1
        assert {each.reason for each in failed} == {"stopped by the content filter"}
        assert sum(len(each.calls) for each in failed) == 1


def test_without_a_cache_equal_questions_are_asked_each(tmp_path: Path):
    with serving([Step("Yes.", delay_s=0.2)]) as server, open_desk(tmp_path, "off") as desk:
        line = desk.line(endpoint_at(server))
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(line.complete, [QUESTION] * 3))
        assert server.count == 3
    assert list(tmp_path.iterdir()) == []


def test_after_the_quota_is_used_up_cached_replies_still_come(tmp_path: Path):
    with serving([Step("Yes."), NO_QUOTA]) as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server))
        line.complete(QUESTION)
        assert failure_of(line, numbered(1)).reason == "insufficient quota"
        assert line.complete(QUESTION).text == "Yes."
        assert failure_of(line, numbered(2)).reason == "insufficient quota"
        assert server.count == 2


def test_one_key_refused_stops_calls_of_its_model_and_of_no_other(tmp_path: Path):
    with serving([Step(status=401), Step()]) as server, open_desk(tmp_path) as desk:
        generator, judge = desk.line(endpoint_at(server)), desk.line(endpoint_at(server, AnthropicMessages))
        assert failure_of(generator).reason == "the key was refused (401)"
        assert judge.complete(QUESTION).text == "Yes."
        assert failure_of(generator, numbered(1)).reason == "the key was refused (401)"
        assert server.count == 2


def test_only_cached_replies_need_no_server_no_key_and_no_price(tmp_path: Path):
    with serving() as server:
        endpoint = endpoint_at(server)
        with open_desk(tmp_path) as desk:
            desk.line(endpoint).complete(QUESTION)
    with open_desk(tmp_path, "only", max_usd=1.0) as desk:
        line = desk.line(replace(endpoint, key_env="EVALFIRST_NOT_SET"))
        assert line.complete(QUESTION).calls[0].cached
        assert failure_of(line, numbered(1)).reason == "not in the cache (cache=only)"
        assert desk.stopped is None


def _in_two_seconds() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)


@pytest.mark.parametrize(
    ("name", "value", "least_s"),
    [
        ("Retry-After", lambda: "1", 1.0),
        ("retry-after-ms", lambda: "700", 0.7),
        ("Retry-After", _in_two_seconds, 0.5),  # a date has no fractions of a second
    ],
)
def test_the_wait_that_a_server_asks_for_is_kept_and_holds_for_everybody(
    tmp_path: Path, name: str, value: Callable[[], str], least_s: float
):
    first = threading.Lock()

    def limited_once(_: Asked) -> Step:
        return Step(status=429, headers={name: value()}) if first.acquire(blocking=False) else Step("Yes.")

    with serving(limited_once) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(2) as pool:
        line = desk.line(endpoint_at(server, concurrency=1))
        assert [done.text for done in pool.map(line.complete, [numbered(1), numbered(2)])] == ["Yes.", "Yes."]
        assert server.count == 3
        assert all(later - server.at[0] >= least_s for later in server.at[1:])


@pytest.mark.parametrize(
    ("wait", "deadline_s", "reason"),
    [("121", None, "rate limited for longer than 120 s"), ("100", 60, "rate limited beyond the run's deadline")],
)
def test_a_wait_that_is_too_long_fails_at_once(tmp_path: Path, wait: str, deadline_s: float | None, reason: str):
    limited = Step(status=429, headers={"Retry-After": wait})
    with serving([limited]) as server, open_desk(tmp_path, deadline_s=deadline_s) as desk:
        assert failure_of(desk.line(endpoint_at(server))).reason == reason
        assert server.count == 1


def test_the_deadline_of_a_run_ends_what_is_out_and_lets_nothing_begin(tmp_path: Path):
    with serving([Step("Yes."), Step(fault="hang")]) as server:
        endpoint = endpoint_at(server)
        with open_desk(tmp_path) as desk:
            desk.line(endpoint).complete(QUESTION)
        _hang_until_the_deadline(tmp_path, endpoint)
        assert server.count == 4


def _hang_until_the_deadline(folder: Path, endpoint: Endpoint) -> None:
    with open_desk(folder, deadline_s=2) as desk:
        line = desk.line(endpoint)
        with ThreadPoolExecutor(3) as pool:
            failed = list(pool.map(lambda number: failure_of(line, numbered(number)), range(3)))
        assert {each.reason for each in failed} == {"the run's deadline of 2 s is over"}
        assert desk.stopped == "the run's deadline of 2 s is over"
        assert failure_of(line, numbered(4)).reason == desk.stopped
        assert line.complete(QUESTION).text == "Yes."


def test_a_call_that_hangs_costs_its_question_and_the_others_end(tmp_path: Path):
    def hang_once(asked: Asked) -> Step:
        return Step(fault="hang") if "Question 7?" in asked.user else Step("Yes.")

    with serving(hang_once) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(8) as pool:
        line = desk.line(endpoint_at(server, timeout_s=1, tries=1))
        asked = [pool.submit(line.complete, numbered(number)) for number in range(20)]
        failures = {number: one.exception() for number, one in enumerate(asked) if one.exception()}
        assert {number: str(error) for number, error in failures.items()} == {7: "no reply within 1 s"}


def _await(server: ChatServer, count: int) -> None:
    """Wait until so many requests have arrived."""
    end = time.monotonic() + ENOUGH_S
    while server.count < count and time.monotonic() < end:
        time.sleep(0.01)


def test_cancelling_lets_every_waiting_thread_go_at_once(tmp_path: Path):
    with serving([Step(fault="hang")]) as server, open_desk(tmp_path) as desk, ThreadPoolExecutor(12) as pool:
        line = desk.line(endpoint_at(server, concurrency=4, timeout_s=600))
        asked = [pool.submit(failure_of, line, numbered(number % 6)) for number in range(12)]
        _await(server, 4)
        desk.cancel()
        assert {one.result(ENOUGH_S).reason for one in asked} == {"cancelled"}
        assert failure_of(line, numbered(9)).reason == "cancelled"
        assert desk.stopped == "cancelled"


def test_a_desk_may_be_closed_twice_and_without_any_call(tmp_path: Path):
    with serving() as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server))
        desk.close()
        desk.close()
        assert failure_of(line).reason == "the desk is closed"
        assert desk.stopped is None


def test_a_warm_desk_has_its_client_and_asks_nothing(tmp_path: Path):
    with serving() as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server))
        desk.warm()
        assert server.count == 0
        assert line.complete(QUESTION).text == "Yes."


INTERRUPTED = """
import os, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from eval.chat.messages import ChatFailedError, ChatRequest
from runner.chat.cache import call_key, Kept, CallCache
from runner.chat.desk import Desk
from runner.chat.openai_compatible import OpenAICompatible
from runner.chat.purse import Purse

endpoint = OpenAICompatible(name="m", base_url=sys.argv[1], key_env=None, timeout_s=600)
with Desk(CallCache(Path(sys.argv[2])), Purse()) as desk, ThreadPoolExecutor(4) as pool:
    asked = [pool.submit(desk.line(endpoint).complete, ChatRequest("", str(n), 5)) for n in range(4)]
    threading.Timer(0.8, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        asked[0].result()
    except KeyboardInterrupt:
        desk.cancel()
    print([str(one.exception()) for one in asked])
"""
FORGOTTEN = INTERRUPTED[: INTERRUPTED.index("with Desk")] + (
    "desk = Desk(CallCache(Path(sys.argv[2])), Purse())\n"
    "line = desk.line(endpoint)\n"
    "threading.Thread(target=line.complete, args=(ChatRequest('', '?', 5),), daemon=True).start()\n"
    "threading.Event().wait(0.8)\n"
    "print('leaving')\n"
)


@pytest.mark.parametrize(("program", "printed"), [(INTERRUPTED, f"{['cancelled'] * 4}\n"), (FORGOTTEN, "leaving\n")])
def test_a_process_whose_calls_hang_ends_by_control_c_and_by_itself(tmp_path: Path, program: str, printed: str):
    with serving([Step(fault="hang")]) as server:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program, server.openai, str(tmp_path)],
            cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


def test_a_cap_stops_before_the_call_that_could_pass_it_and_keeps_what_was_paid(tmp_path: Path):
    # A call reserves (1.5 times its 12 tokens and some) * 1 + 20 * 100 millionths, and costs 11 * 1 + 7 * 100.
    price = {"input": 1.0, "output": 100.0}
    with serving() as server, open_desk(tmp_path, max_usd=0.005) as desk:
        line = desk.line(endpoint_at(server, usd_per_million=price))
        done = []
        with pytest.raises(ChatFailedError, match=r"^max_usd of 0.005 reached$"):
            done.extend(line.complete(numbered(number)) for number in range(20))
        assert desk.stopped == "max_usd of 0.005 reached"
        # after n calls n * 711 are spent, and another needs about 2030: the fifth is made, the sixth is not
        assert server.count == 5
        assert desk.spent_usd == pytest.approx(5 * 711e-6)
        assert len(cached_texts(tmp_path)) == 5
        assert line.complete(numbered(0)).calls[0].cached


def test_tries_that_may_have_been_billed_count_against_the_cap_and_not_as_spent(tmp_path: Path):
    price = {"input": 0.0, "output": 100.0}  # 20 tokens at most: 2000 millionths
    with serving([Step(fault="cut")]) as server, open_desk(tmp_path, max_usd=0.005) as desk:
        failed = failure_of(desk.line(endpoint_at(server, usd_per_million=price, tries=9)), numbered(1))
        assert failed.reason == "max_usd of 0.005 reached"
        assert (server.count, desk.spent_usd) == (2, 0.0)


def test_tries_that_were_not_billed_leave_the_cap_alone(tmp_path: Path):
    price = {"input": 0.0, "output": 100.0}
    with serving([RATE_LIMITED, RATE_LIMITED, Step("Yes.")]) as server, open_desk(tmp_path, max_usd=0.002) as desk:
        line = desk.line(endpoint_at(server, usd_per_million=price, tries=3))
        assert line.complete(numbered(1)).text == "Yes."


def test_a_cap_without_a_price_is_refused_before_anything_is_paid(tmp_path: Path):
    unknown = OpenAICompatible(name="nobody-knows", base_url="https://models.example.com/v1", key_env=None)
    with open_desk(tmp_path, max_usd=1.0) as desk, pytest.raises(InputError, match="usd_per_million"):
        desk.line(unknown)
    with open_desk(tmp_path) as desk:
        assert desk.line(unknown).name == "nobody-knows"


def test_a_model_that_is_only_sold_costs_what_its_vendor_asks_behind_a_private_gateway_too(tmp_path: Path):
    with serving() as server, open_desk(tmp_path, "off") as desk:
        (free,) = desk.line(endpoint_at(server, name="llama3.2:3b")).complete(QUESTION).calls
        (sold,) = desk.line(endpoint_at(server, name="openai/gpt-4o-mini")).complete(QUESTION).calls
    assert free.usd == 0.0
    assert sold.usd is not None
    assert sold.usd > 0
    with serving() as server, open_desk(tmp_path, "off", max_usd=0) as desk:
        assert failure_of(desk.line(endpoint_at(server, name="gpt-4o"))).reason == "max_usd of 0 reached"
        assert server.count == 0


def test_an_estimate_asks_nobody_and_tells_each_call_that_would_be_paid_once(tmp_path: Path):
    price = {"input": 1.0, "output": 10.0}
    with serving() as server:
        endpoint = endpoint_at(server, usd_per_million=price)
        with open_desk(tmp_path) as desk:
            desk.line(endpoint).complete(numbered(0))
        keyless = replace(endpoint, key_env="EVALFIRST_NOT_SET")
        with open_desk(tmp_path, foreseen=set()) as desk:
            line = desk.line(keyless)
            asked = [replace(numbered(n), max_tokens=300, expected_tokens=40) for n in (1, 2, 1)]
            done = [line.complete(request) for request in asked]
            kept = line.complete(numbered(0))
        assert server.count == 1
    assert kept.text == "Yes."
    assert [call.cached for each in done for call in each.calls] == [False, False, True]
    assert [call.usd for call in done[0].calls] == [pytest.approx((12 * 1 + 40 * 10) * 1e-6)]
    (one, two) = desk.estimates
    assert one == two
    assert (one.input_tokens, one.output_tokens, one.most_output_tokens) == (12, 40, 300)  # 8 and "Question 1?", 4
    assert (one.usd, one.most_usd) == (pytest.approx(412e-6), pytest.approx(3012e-6))
    assert done[0].finish == "stop"
    assert len(done[0].text.split()) == 40
    assert cached_texts(tmp_path) == ["Yes."]


def test_an_estimate_without_a_cache_counts_repeats_too(tmp_path: Path):
    with serving() as server, open_desk(tmp_path, "off", foreseen=set()) as desk:
        line = desk.line(endpoint_at(server))
        for _ in range(2):
            line.complete(QUESTION)
        assert len(desk.estimates) == 2


def test_what_an_earlier_run_of_the_same_start_asks_is_not_counted_again(tmp_path: Path):
    foreseen: set[str] = set()
    with serving() as server:
        for asked, new in ((1, 1), (1, 0), (2, 1)):
            with open_desk(tmp_path, foreseen=foreseen) as desk:
                desk.line(endpoint_at(server)).complete(numbered(asked))
                assert len(desk.estimates) == new


def test_a_structured_reply_is_not_made_up_by_an_estimate_but_billed(tmp_path: Path):
    with serving() as server, open_desk(tmp_path, foreseen=set()) as desk:
        failed = failure_of(desk.line(endpoint_at(server)), replace(QUESTION, schema={"type": "object"}))
        assert len(desk.estimates) == len(failed.calls) == 1


def test_a_reply_that_another_process_kept_meanwhile_is_the_one_that_stands(tmp_path: Path):
    with serving() as server:
        endpoint = endpoint_at(server)
        with open_desk(tmp_path) as desk:
            line = desk.line(endpoint)
            key = call_key(endpoint.identity(), QUESTION)
            CallCache(tmp_path).open().put(key, Kept("some-model", "No.", 1, 1, 1.0, None))
            # as if it had been kept between the look into the cache and the call
            assert desk._kept(key, Completion("Yes.", "stop", (Call("some-model", 1, 1, None, 1.0),))).text == "No."
            assert line.complete(QUESTION).text == "No."


def test_a_reply_that_was_of_no_use_is_asked_for_again(tmp_path: Path):
    with serving([Step("No JSON."), Step("{}")]) as server:
        endpoint = endpoint_at(server)
        with open_desk(tmp_path) as desk:
            line = desk.line(endpoint)
            assert line.complete(QUESTION).text == "No JSON."
            line.forget(QUESTION)
            assert line.complete(QUESTION).text == "{}"


def test_the_words_of_a_server_that_refuses_a_request_are_told_once(tmp_path: Path):
    with serving([Step(status=400, message="use json_object")]) as server, open_desk(tmp_path) as desk:
        for number in range(3):
            failure_of(desk.line(endpoint_at(server)), numbered(number))
        (note,) = desk.notes
    assert note.startswith("some-model: the request was refused (400): ")
    assert "use json_object" in note


def test_a_redirect_is_not_followed(tmp_path: Path):
    with serving() as other, serving([Step(status=307, headers={"Location": other.openai})]) as server:
        for kind in (OpenAICompatible, AnthropicMessages):
            with open_desk(tmp_path) as desk:
                told = failure_of(desk.line(endpoint_at(server, kind))).reason
            assert told == "the address redirects (307); its base_url must be the final one"
        assert other.count == 0
