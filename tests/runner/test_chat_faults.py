"""What becomes of a question for each way in which a server can fail, over both protocols, whole and streamed."""

import logging
import os
import traceback
from dataclasses import replace
from pathlib import Path

import pytest

from eval.chat.messages import ChatRequest
from runner.chat.anthropic_messages import AnthropicMessages
from runner.chat.openai_compatible import OpenAICompatible
from tests.runner.chat_desks import QUESTION, Endpoint, cached_texts, endpoint_at, failure_of, open_desk
from tests.runner.chat_protocols import Fault
from tests.runner.chat_server import NO_QUOTA, RATE_LIMITED, Step, serving

KEY_VARIABLE, KEY = "EVALFIRST_TEST_KEY", "sk-planted-0123456789"
WAYS = [
    pytest.param(kind, stream, id=f"{kind.__name__}-{'streamed' if stream else 'whole'}")
    for kind in (OpenAICompatible, AnthropicMessages)
    for stream in (False, True)
]
every_way = pytest.mark.parametrize(("kind", "stream"), WAYS)


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(os.environ, KEY_VARIABLE, KEY)
    return KEY


REPLIES = [
    (Step("Yes."), "Yes."),
    (Step("是的 🙂"), "是的 🙂"),
    (Step("Yes, late.", delay_s=0.2), "Yes, late."),
    (Step("Yes.", thinking="Is it? It is."), "Yes."),
    (Step("<think>Is it?</think>\n\nYes."), "Yes."),
    (Step('```json\n{"a": 1}\n```'), '```json\n{"a": 1}\n```'),
    (Step("half a character: \ud83d"), "half a character: \ufffd"),
]


@every_way
def test_a_reply_is_its_text_and_is_asked_for_once(tmp_path: Path, kind: type[Endpoint], stream: bool):
    questions = [ChatRequest("", str(number), 5) for number, _ in enumerate(REPLIES)]
    with serving([step for step, _ in REPLIES]) as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server, kind, stream=stream))
        first, second = ([line.complete(question) for question in questions] for _ in range(2))
    assert [completion.text for completion in first] == [text for _, text in REPLIES]
    assert [(each.text, each.finish) for each in second] == [(each.text, "stop") for each in first]
    (paid, *_), (kept, *_) = first[0].calls, second[0].calls
    assert (paid.input_tokens, paid.output_tokens, paid.usd, paid.cached) == (11, 7, 0.0, False)
    assert kept == replace(paid, cached=True)
    assert server.count == len(REPLIES)


# What costs one question, and the reason that is given for it.
FAULTS = [
    (RATE_LIMITED, "rate limited after 1 try"),
    (Step(status=500), "server error 500 after 1 try"),
    (Step(status=529, error="overloaded_error"), "server error 529 after 1 try"),
    (Step(status=400, error="content_filter"), "stopped by the content filter"),
    (Step(status=400, message="the prompt is too long: 9 tokens > 8"), "the prompt is too long (400)"),
    (Step(status=422), "the request was refused (422)"),
    (Step(fault="reset"), "connection lost after 1 try"),
    (Step(fault="cut"), "connection lost after 1 try"),
    (Step(fault="malformed"), "malformed reply after 1 try"),
    (Step(fault="shapeless"), "malformed reply after 1 try"),
    (Step("The fee", fault="error first", error="overloaded_error"), "server error 529 after 1 try"),
    (Step("The fee", fault="error later", error="overloaded_error"), "server error 529 after 1 try"),
    (Step("The fee", fault="error later", error="rate_limit_error"), "rate limited after 1 try"),
    (Step("The fee", fault="error later", error="whatever"), "server error 500 after 1 try"),
    (Step(" \n"), "the model gave no text"),
    (Step("<think>and on"), "the model gave no text"),
    (Step("The fee", finish="content_filter"), "stopped by the content filter"),
]
# What costs the whole run.
ENDS = [
    (NO_QUOTA, "insufficient quota"),
    (Step(status=400, message="Your credit balance is too low to go on"), "insufficient quota"),
    (Step(status=402), "insufficient quota"),
    (Step(status=401), "the key was refused (401)"),
    (Step(status=403), "access was denied (403)"),
    (Step(status=404), "no such model or address (404)"),
]


@every_way
def test_a_fault_costs_its_question_gives_its_reason_and_leaves_nothing_in_the_cache(
    tmp_path: Path, kind: type[Endpoint], stream: bool
):
    questions = [ChatRequest("", str(number), 5) for number, _ in enumerate(FAULTS)]
    with serving([step for step, _ in FAULTS]) as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server, kind, stream=stream, tries=1))
        assert [failure_of(line, question).reason for question in questions] == [reason for _, reason in FAULTS]
        assert server.count == len(FAULTS)
        assert desk.stopped is None
    assert cached_texts(tmp_path) == []


@every_way
@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_reply_that_does_not_end_in_time_is_given_up(
    tmp_path: Path, kind: type[Endpoint], stream: bool, fault: Fault
):
    with serving([Step("word " * 99, fault=fault)]) as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server, kind, stream=stream, timeout_s=0.3, tries=1))
        assert failure_of(line).reason == "no reply within 0.3 s"
    assert cached_texts(tmp_path) == []


@pytest.mark.parametrize("kind", [OpenAICompatible, AnthropicMessages])
def test_after_a_fault_that_will_not_pass_nothing_is_asked_any_more(tmp_path: Path, kind: type[Endpoint]):
    for number, (step, reason) in enumerate(ENDS):
        with serving([step]) as server, open_desk(tmp_path / str(number)) as desk:
            line = desk.line(endpoint_at(server, kind))
            assert failure_of(line).reason == reason
            assert failure_of(line, ChatRequest("", "Another one?", 5)).reason == reason
            assert server.count == 1


@pytest.mark.parametrize(
    ("step", "reason", "requests"),
    [
        (RATE_LIMITED, "rate limited after 3 tries", 3),
        (Step(fault="hang"), "no reply within 0.2 s", 3),
        (Step(" "), "the model gave no text", 2),
        (NO_QUOTA, "insufficient quota", 1),
        (Step(status=400), "the request was refused (400)", 1),
    ],
)
def test_what_may_pass_is_tried_as_often_as_allowed_a_blank_twice_and_the_rest_once(
    tmp_path: Path, step: Step, reason: str, requests: int
):
    with serving([step]) as server, open_desk(tmp_path) as desk:
        patience = 0.2 if step.fault else 20
        assert failure_of(desk.line(endpoint_at(server, tries=3, timeout_s=patience))).reason == reason
        assert server.count == requests


@every_way
@pytest.mark.parametrize(
    "fault",
    [
        RATE_LIMITED,
        Step(fault="reset"),
        Step("The fee", fault="error later", error="overloaded_error"),
        Step("  "),
    ],
)
def test_after_a_passing_fault_the_second_try_gives_the_whole_reply(
    tmp_path: Path, kind: type[Endpoint], stream: bool, fault: Step
):
    with serving([fault, Step("Open.")]) as server, open_desk(tmp_path) as desk:
        completion = desk.line(endpoint_at(server, kind, stream=stream)).complete(QUESTION)
        assert completion.text == "Open."
        assert server.count == 2
        assert cached_texts(tmp_path) == ["Open."]


@every_way
def test_a_reply_that_was_cut_off_by_its_length_is_given_as_such_and_never_kept(
    tmp_path: Path, kind: type[Endpoint], stream: bool
):
    with serving([Step('{"score": 0.9, "rea', finish="length")]) as server, open_desk(tmp_path) as desk:
        line = desk.line(endpoint_at(server, kind, stream=stream))
        completions = [line.complete(QUESTION), line.complete(QUESTION)]
        assert [(each.text, each.finish) for each in completions] == [('{"score": 0.9, "rea', "length")] * 2
        assert server.count == 2
        assert cached_texts(tmp_path) == []


def test_thinking_that_took_all_the_room_is_a_reply_cut_off_and_not_a_blank_one(tmp_path: Path):
    with serving([Step("<think>and on and", finish="length")]) as server, open_desk(tmp_path) as desk:
        completion = desk.line(endpoint_at(server)).complete(QUESTION)
        assert (completion.text, completion.finish, server.count) == ("", "length", 1)


def test_calls_that_were_billed_and_failed_are_in_the_bill(tmp_path: Path):
    price = {"input": 1.0, "output": 2.0}
    with serving([Step(" "), Step("Open.")]) as server, open_desk(tmp_path) as desk:
        completion = desk.line(endpoint_at(server, usd_per_million=price)).complete(QUESTION)
        assert [call.usd for call in completion.calls] == [25e-6, 25e-6]  # 11 * 1 + 7 * 2 millionths, twice
        assert desk.spent_usd == 50e-6
    with serving([Step("The fee", finish="content_filter")]) as server, open_desk(tmp_path / "other") as desk:
        failed = failure_of(desk.line(endpoint_at(server, usd_per_million=price)))
        assert [call.usd for call in failed.calls] == [25e-6]
        assert failed.raw == "The fee"


def test_a_refusal_beside_the_text_is_a_filter_at_work(tmp_path: Path):
    with serving([Step(refusal="I can't help with that.")]) as server, open_desk(tmp_path) as desk:
        failed = failure_of(desk.line(endpoint_at(server)))
    assert (failed.reason, failed.raw) == ("stopped by the content filter", "I can't help with that.")


def test_a_server_that_is_not_there_is_told_apart_from_one_that_hangs_up(tmp_path: Path):
    with serving() as server:
        endpoint = endpoint_at(server)
    with open_desk(tmp_path) as desk:
        assert failure_of(desk.line(endpoint)).reason == "no connection to the server after 2 tries"
        again = replace(QUESTION, user="Another one?")
        assert failure_of(desk.line(endpoint), again).reason == "no connection to the server after 2 tries"


def test_tokens_that_a_server_does_not_count_are_estimated(tmp_path: Path):
    with serving([Step("Yes.", usage=None)]) as server, open_desk(tmp_path) as desk:
        (call,) = desk.line(endpoint_at(server)).complete(QUESTION).calls
    assert call.output_tokens == 2  # "Yes" and "."
    assert call.input_tokens == 8 + 4 + 4  # the frame, "You are brief." and "Is it open?"


def test_half_a_character_in_a_question_is_told_and_never_sent(tmp_path: Path):
    with serving() as server, open_desk(tmp_path) as desk:
        failed = failure_of(desk.line(endpoint_at(server)), ChatRequest("", "\ud83d", 5))
        assert failed.reason == "the request holds half characters, which can't be sent"
        assert server.count == 0


@every_way
def test_a_planted_key_is_in_no_exception_no_reply_no_log_no_note_and_not_in_the_cache(
    tmp_path: Path, kind: type[Endpoint], stream: bool, key: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    echoing = [
        Step(f"Your key is {key}."),
        Step(status=400, echo_key=True),
        Step(status=500, echo_key=True),
        Step(fault="error later", error=key, echo_key=True),
        Step(fault="reset"),
        Step(status=401, echo_key=True),
    ]
    with serving(echoing) as server, open_desk(tmp_path) as desk:
        endpoint = endpoint_at(server, kind, stream=stream, key_env=KEY_VARIABLE, tries=1)
        line = desk.line(endpoint)
        assert line.complete(QUESTION).text == "Your key is ***."
        told = [repr(endpoint), str(endpoint.identity()), repr(line)]
        for number in range(5):
            failed = failure_of(line, ChatRequest("", str(number), 5))
            told += [failed.reason, failed.raw, *traceback.format_exception(failed), *_contexts(failed)]
        told += [*desk.notes, str(desk.stopped), caplog.text]
        assert server.asked[0].key == key
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert key not in "\n".join(told)
    assert key.encode() not in kept


def _contexts(error: BaseException | None) -> list[str]:
    """The exceptions that led to this one, also where a traceback leaves them out."""
    found = []
    while error is not None:
        found.append(repr(error))
        error = error.__context__
    return found
