"""Settings of endpoints: what is refused before anything is asked, and what is sent."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from eval.chat.messages import ChatRequest
from eval.errors import InputError
from runner.chat.access import without
from runner.chat.anthropic_messages import AnthropicMessages
from runner.chat.endpoint import Endpoint as EndpointProtocol
from runner.chat.endpoint import Exhausted, Overloaded, Refused
from runner.chat.failures import failure, retry_after, said
from runner.chat.openai_compatible import OpenAICompatible
from runner.chat.thinking import without_thinking
from runner.chat.vendors import vendor_of
from runner.config.parts import rule_of
from tests.runner.chat_desks import QUESTION, Endpoint, endpoint_at, open_desk
from tests.runner.chat_server import serving
from tests.runner.commands import ROOT

KINDS = pytest.mark.parametrize("kind", [OpenAICompatible, AnthropicMessages])
SECRET = "sk-planted-0123456789"  # noqa: S105  # nobody's
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
STRUCTURED = ChatRequest("You judge.", "Is it so?", 100, SCHEMA)


def rules(kind: type[Endpoint], **settings: Any) -> list[str]:
    """What is told of settings that are refused."""
    with pytest.raises(ValidationError) as refused:
        kind(**{"name": "m", "key_env": None, **settings})
    return [rule_of(finding) for finding in refused.value.errors()]


@KINDS
def test_every_endpoint_offers_what_the_desk_needs(kind: type[Endpoint]):
    assert isinstance(kind(name="m"), EndpointProtocol)


@KINDS
@pytest.mark.parametrize("typed", [SECRET, "sk_live_1", "AIzaSyA123", "", "MY KEY", "MY-KEY", "x" * 65])
def test_a_key_in_place_of_its_variable_s_name_is_refused_and_not_shown(kind: type[Endpoint], typed: str):
    assert rules(kind, key_env=typed) == [
        "must be the NAME of an environment variable, in capitals, such as OPENAI_API_KEY"
    ]


@KINDS
@pytest.mark.parametrize(
    ("base_url", "rule"),
    [
        (f"https://me:{SECRET}@example.com/v1", "holds a user or a password"),
        (f"https://{SECRET}@example.com/v1", "holds a user or a password"),
        (f"https://example.com/v1?api_key={SECRET}", "holds a key in its query"),
        (f"https://example.com/v1?x=1&Access-Token={SECRET}", "holds a key in its query"),
        (f"https://example.com/v1?key={SECRET}", "holds a key in its query"),
        ("example.com/v1", "must be an address such as"),
        ("ftp://example.com", "must be an address such as"),
        ("http://127.0.0.1:99999/v1", "must be an address such as"),
        (SECRET, "must be an address such as"),
    ],
)
def test_an_address_that_holds_a_secret_or_is_none_is_refused_and_not_shown(
    kind: type[Endpoint], base_url: str, rule: str
):
    (told,) = rules(kind, base_url=base_url)
    assert told.startswith(rule)
    assert SECRET not in told


@KINDS
@pytest.mark.parametrize(
    "settings",
    [
        {"temperature": -0.1},
        {"temperature": 2.1},
        {"concurrency": 0},
        {"timeout_s": 0},
        {"tries": 0},
        {"name": ""},
        {"usd_per_million": {"input": 1.0}},
        {"usd_per_million": {"input": 1.0, "output": -1.0}},
        {"extra_body": {"stream": True}},
        {"extra_body": {"messages": []}},
        {"extra_body": {"x": {1, 2}}},
        {"extra_body": {"x": float("nan")}},
        {"structured": "maybe"},
    ],
)
def test_values_out_of_range_are_refused(kind: type[Endpoint], settings: dict[str, Any]):
    assert len(rules(kind, **settings)) == 1


@KINDS
def test_a_missing_key_is_told_before_anything_is_asked_by_the_name_of_its_variable(
    tmp_path: Path, kind: type[Endpoint], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(os.environ, "EVALFIRST_BLANK", " ")
    monkeypatch.setitem(os.environ, "EVALFIRST_BROKEN", f"{SECRET} and\nmore")
    with serving() as server, open_desk(tmp_path) as desk:
        for variable in ("EVALFIRST_NOT_SET", "EVALFIRST_BLANK", "EVALFIRST_BROKEN"):
            with pytest.raises(InputError, match=f"the environment variable {variable} holds no key") as refused:
                desk.line(endpoint_at(server, kind, key_env=variable))
            assert SECRET not in str(refused.value)
        assert server.count == 0


@KINDS
def test_the_line_s_end_behind_a_key_is_no_part_of_it(
    tmp_path: Path, kind: type[Endpoint], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(os.environ, "EVALFIRST_KEY", f"{SECRET}\n")
    with serving() as server, open_desk(tmp_path) as desk:
        desk.line(endpoint_at(server, kind, key_env="EVALFIRST_KEY")).complete(QUESTION)
        assert [asked.key for asked in server.asked] == [SECRET]


def test_a_short_placeholder_of_a_key_is_left_in_texts():
    assert without("none", "There is none.") == "There is none."
    assert without(None, "There is none.") == "There is none."
    assert without("sk-test-123", "Key sk-test-123 is wrong") == "Key *** is wrong"


@KINDS
def test_what_the_environment_says_to_the_vendor_s_library_changes_nothing(
    tmp_path: Path, kind: type[Endpoint], monkeypatch: pytest.MonkeyPatch
):
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.setitem(os.environ, name, "http://127.0.0.1:1")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setitem(os.environ, name, SECRET)
    with serving() as server, open_desk(tmp_path) as desk:
        desk.line(endpoint_at(server, kind)).complete(QUESTION)
        assert [asked.key for asked in server.asked] == ["none"]


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ({}, {"temperature": 0.0, "max_tokens": 100, "response_format": "schema"}),
        ({"temperature": None, "structured": "json"}, {"max_tokens": 100, "response_format": {"type": "json_object"}}),
        (
            {"structured": "none", "extra_body": {"seed": 7}, "max_tokens_name": "max_completion_tokens"},
            {"temperature": 0.0, "max_completion_tokens": 100, "seed": 7},
        ),
        (
            {"stream": True, "structured": "none"},
            {"temperature": 0.0, "max_tokens": 100, "stream": True, "stream_options": {"include_usage": True}},
        ),
    ],
)
def test_openai_s_request_holds_the_settings(tmp_path: Path, settings: dict[str, Any], sent: dict[str, Any]):
    schema = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}
    messages = [{"role": "system", "content": "You judge."}, {"role": "user", "content": "Is it so?"}]
    expected = {"model": "some-model", "messages": messages, **sent}
    if expected.get("response_format") == "schema":
        expected["response_format"] = schema
    with serving() as server, open_desk(tmp_path) as desk:
        desk.line(endpoint_at(server, **settings)).complete(STRUCTURED)
        assert server.asked[0].body == expected
        assert server.asked[0].path == "/v1/chat/completions"


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ({}, {"temperature": 0.0, "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}),
        ({"temperature": None, "structured": "none", "extra_body": {"top_k": 1}}, {"top_k": 1}),
    ],
)
def test_anthropic_s_request_holds_the_settings(tmp_path: Path, settings: dict[str, Any], sent: dict[str, Any]):
    messages = [{"role": "user", "content": "Is it so?"}]
    expected = {"model": "some-model", "max_tokens": 100, "system": "You judge.", "messages": messages, **sent}
    with serving() as server, open_desk(tmp_path) as desk:
        desk.line(endpoint_at(server, AnthropicMessages, **settings)).complete(STRUCTURED)
        assert server.asked[0].body == expected
        assert server.asked[0].path == "/v1/messages"


def test_openai_itself_is_told_the_length_by_its_newer_name():
    request = ChatRequest("", "Is it so?", 100)
    body = OpenAICompatible(name="gpt-5-mini").body(request)
    assert (body["max_completion_tokens"], "max_tokens" in body) == (100, False)
    assert body["messages"] == [{"role": "user", "content": "Is it so?"}]
    azure = OpenAICompatible(name="m", base_url="https://me.openai.azure.com/openai/v1")
    assert azure.body(request)["max_completion_tokens"] == 100


@pytest.mark.parametrize(("package", "part"), [("openai", "OpenAICompatible"), ("anthropic", "AnthropicMessages")])
def test_a_missing_package_is_told_when_the_part_is_built_with_its_extra(package: str, part: str):
    module = "openai_compatible" if package == "openai" else "anthropic_messages"
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"from runner.chat.{module} import {part}\n"
        f"from eval.errors import MissingExtraError\n"
        f"try: {part}(name='m')\nexcept MissingExtraError as error: print(error)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert f"needs the package {package}: pip install 'evalfirst[{package}]'" in done.stdout


def test_building_endpoints_and_a_desk_loads_no_vendor_s_library():
    program = (
        "import sys, runner.chat.desk, runner.chat.openai_compatible as o, runner.chat.anthropic_messages as a\n"
        "o.OpenAICompatible(name='m'); a.AnthropicMessages(name='m')\n"
        "print(sorted({'openai', 'anthropic', 'httpx2', 'genai_prices'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Yes.", "Yes."),
        ("<think>no</think>Yes.", "Yes."),
        ("\n<think>\nno\n</think>\n\nYes.", "Yes."),
        ("<think>a</think><think>b</think>Yes.", "Yes."),
        ("<Thinking>no</Thinking> Yes.", "Yes."),
        ("<think>it goes on", ""),
        ("<think></think>", ""),
        ("<think>a</thinking>b</think>Yes.", "Yes."),
        ('{"verdict": "no"} Note: it says </think>{"verdict": "yes"}',) * 2,
        ("Thoughts stand before </think> in the log.",) * 2,
        ("The tag <think> opens and </think> closes.", "The tag <think> opens and </think> closes."),
        ("<thinker>Rodin</thinker>", "<thinker>Rodin</thinker>"),
        ("", ""),
    ],
)
def test_thinking_at_the_beginning_is_taken_off(text: str, left: str):
    assert without_thinking(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no, wait\n</think>\nYes.", "Yes."),
        ("<think>no</think>Yes.", "Yes."),
        ("Yes.", "Yes."),
        ("a</THINK>b</think>c", "b</think>c"),
    ],
)
def test_thinking_that_the_template_opened_ends_at_the_first_closing_tag(text: str, left: str):
    assert without_thinking(text, "untagged") == left


@pytest.mark.parametrize(
    ("model", "base_url", "vendor"),
    [
        ("gpt-4o-mini", "", "openai"),
        ("openai/gpt-4o:extended", "", "openai"),
        ("ft:gpt-4o-mini:acme::id", "", "openai"),
        ("o3-mini", "", "openai"),
        ("gpt-oss-20b", "", "openai"),
        ("claude-sonnet-4-5", "", "anthropic"),
        ("us.anthropic.claude-3-haiku-20240307-v1:0", "", "anthropic"),
        ("models/gemini-2.5-flash", "", "google"),
        ("google/gemma-3-27b-it", "", "google"),
        ("meta-llama/Llama-3.3-70B-Instruct", "", "meta"),
        ("llama3.2:3b", "", "meta"),
        ("Qwen/Qwen2.5-7B-Instruct", "", "alibaba"),
        ("qwen-max", "", "alibaba"),
        ("mistral-large-latest", "", "mistral"),
        ("mixtral:8x7b", "", "mistral"),
        ("deepseek/deepseek-chat", "", "deepseek"),
        ("grok-4", "", "xai"),
        ("glm-4.6", "", "zhipu"),
        ("kimi-k2", "", "moonshot"),
        ("my-model", "https://api.mistral.ai/v1", "mistral"),
        ("my-model", "http://127.0.0.1:8000/v1", ""),
        ("olmo-2", "http://127.0.0.1:8000/v1", "ai2"),
        ("opus", "http://127.0.0.1:8000/v1", ""),
    ],
)
def test_a_model_s_vendor_is_told_by_its_name_or_its_place(model: str, base_url: str, vendor: str):
    assert vendor_of(model, base_url) == vendor


@pytest.mark.parametrize(
    ("status", "body", "kind", "reason"),
    [
        (429, {"error": {"message": "Slow down. See account/billing", "code": ""}}, Overloaded, "rate limited"),
        (429, [{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}], Overloaded, "rate limited"),
        (429, {"error": {"type": "insufficient_quota"}}, Exhausted, "insufficient quota"),
        (402, {"error": {"message": "Insufficient Balance"}}, Exhausted, "insufficient quota"),
        (403, {"error": {"message": "insufficient credits"}}, Exhausted, "insufficient quota"),
        (500, "<html>oops</html>", Overloaded, "server error 500"),
        (503, None, Overloaded, "server error 503"),
        (400, {"detail": "no"}, Refused, "the request was refused (400)"),
        (400, {"error": "context length exceeded"}, Refused, "the prompt is too long (400)"),
        (413, None, Refused, "the prompt is too long (413)"),
        (404, None, Exhausted, "no such model or address (404)"),
        (400, {"code": "unsupported_value", "param": "n"}, Exhausted, "the model refuses the option n (400)"),
        (200, {"error": {"code": 502, "message": "upstream"}}, Overloaded, "server error 502"),
        (200, {"type": "error", "error": {"type": "authentication_error"}}, Exhausted, "the key was refused (401)"),
    ],
)  # fmt: skip
def test_servers_of_all_kinds_are_understood(status: int, body: Any, kind: type[Exception], reason: str):
    found = failure(said(status, body))
    assert (type(found), found.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-1"}, 0.0),
        ({"retry-after": "2", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "inf"}, float("inf")),
    ],
)
def test_the_wait_is_read_from_every_form_of_its_header(headers: dict[str, str], seconds: float | None):
    assert retry_after(headers) == seconds
