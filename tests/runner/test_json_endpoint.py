"""Endpoints that take JSON and give JSON: what is refused, what is sent, and what becomes of each failure."""

import json
import logging
import os
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from eval.errors import InputError
from runner.chat.cache import call_key
from runner.chat.endpoint import Endpoint
from runner.chat.openai_compatible import OpenAICompatible
from runner.chat.prices import Price
from runner.config.parts import rule_of
from tests.runner.chat_desks import QUESTION, cached_texts, failure_of, open_desk
from tests.runner.commands import ROOT
from tests.runner.json_endpoints import EMBEDDINGS, KINDS, RERANK, SYSTEM, Kind, request_of
from tests.runner.json_server import Given, Posted, posting

VARIABLE, KEY = "EVALFIRST_TEST_KEY", "sk-planted-0123456789"
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.make.__name__)
AT = {"name": "m", "base_url": "http://127.0.0.1:1", "key_env": None}


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(os.environ, VARIABLE, KEY)
    return KEY


def rules(kind: Kind, **settings: Any) -> list[str]:
    """What is told of settings that are refused."""
    with pytest.raises(ValidationError) as refused:
        kind.make(**{**AT, **settings})
    return [rule_of(finding) for finding in refused.value.errors()]


@every_kind
def test_every_endpoint_offers_what_the_desk_needs(kind: Kind):
    assert isinstance(kind.make(**AT), Endpoint)


@every_kind
@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"key_env": KEY}, "must be the NAME of an environment variable"),
        ({"base_url": f"https://example.com/?api_key={KEY}"}, "holds a key in its query"),
        ({"key_header": f"X: {KEY}"}, "must be the name of a header"),
        ({"headers": {"X-Api-Key": "1234"}}, "must not hold X-Api-Key: a key is named by key_env"),
        ({"headers": {"Cookie": "a=b"}}, "must not hold Cookie"),
        ({"headers": {"X-Team": f"Bearer {KEY}"}}, "must not hold X-Team"),
        ({"headers": {"X-Team": KEY}}, "must not hold X-Team"),
        ({"headers": {"Host": "example.com"}}, "must not hold Host: it is set by how a request is sent"),
        ({"headers": {"X-Team": "a\nb"}}, "holds signs under X-Team that no header has"),
        ({"headers": {"X Team": "a"}}, "must be the name of a header"),
        ({"concurrency": 0}, "must be greater than or equal to 1"),
        ({"usd_per_call": -1.0}, "must be greater than or equal to 0"),
    ],
)
def test_a_secret_in_the_settings_and_a_value_out_of_range_are_refused_and_the_secret_not_shown(
    kind: Kind, settings: dict[str, Any], rule: str
):
    (told,) = rules(kind, **settings)
    assert told.startswith(rule)
    assert KEY not in told


@pytest.mark.parametrize("kind", [EMBEDDINGS, RERANK], ids=["embeddings", "rerank"])
def test_what_has_an_option_of_its_own_is_refused_in_the_extra_body(kind: Kind):
    assert rules(kind, extra_body={"model": "other"}) == [
        "extra_body must not hold model: an option or the request itself sets that"
    ]


@pytest.mark.parametrize("kind", [RERANK, SYSTEM], ids=["rerank", "system"])
def test_an_endpoint_that_no_vendor_has_needs_an_address(kind: Kind):
    assert rules(kind, base_url=None) == ["base_url is not set: give the address of the server"]


@every_kind
def test_options_of_chat_models_mean_nothing_here_and_are_refused(kind: Kind):
    assert len(rules(kind, temperature=0.0, stream=True, structured="json")) == 3


@every_kind
def test_a_request_is_posted_with_its_key_and_headers_and_without_cookies(tmp_path: Path, kind: Kind, key: str):
    good = Given(kind.given, headers={"Set-Cookie": "session=1; Path=/"})
    with posting([good]) as server, open_desk(tmp_path, "off") as desk:
        line = desk.line(kind.at(server, key_env=VARIABLE, headers={"X-Team": "search"}))
        other = desk.line(kind.at(server, key_env=VARIABLE, key_header="api-key"))
        for each in (line, line, other):
            each.complete(kind.request)
        first, second, third = server.asked
    assert first.path == kind.path
    assert {name: first.headers.get(name) for name in ("authorization", "content-type", "x-team", "api-key")} == {
        "authorization": f"Bearer {key}", "content-type": "application/json", "x-team": "search", "api-key": None
    }  # fmt: skip
    assert "cookie" not in second.headers
    assert (third.headers.get("api-key"), third.headers.get("authorization")) == (key, None)


def test_bodies_hold_the_options(tmp_path: Path):
    def reply(posted: Posted) -> Any:
        return RERANK.given if "rerank" in posted.path else EMBEDDINGS.given

    with posting(reply) as server, open_desk(tmp_path, "off") as desk:
        desk.line(EMBEDDINGS.at(server, dimensions=2, extra_body={"truncate": 1})).complete(EMBEDDINGS.request)
        desk.line(RERANK.at(server)).complete(RERANK.request)
        desk.line(RERANK.at(server, documents_name="texts")).complete(RERANK.request)
        assert [posted.body for posted in server.asked] == [
            {
                "input": ["one", "two"], "model": "some-model",
                "truncate": 1, "encoding_format": "float", "dimensions": 2,
            },
            {"query": "open?", "documents": ["one", "two"], "top_n": 2, "model": "some-model"},
            {"query": "open?", "texts": ["one", "two"], "model": "some-model"},
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        ("http://h/v1", "http://h/v1/embeddings"),
        ("http://h/v1/", "http://h/v1/embeddings"),
        ("http://h/v1/embeddings", "http://h/v1/embeddings"),
        ("http://h/d/x?api-version=1", "http://h/d/x/embeddings?api-version=1"),
        (None, "https://api.openai.com/v1/embeddings"),
    ],
)
def test_the_path_is_put_behind_the_address_once_and_before_its_query(base_url: str | None, url: str):
    assert EMBEDDINGS.make(**{**AT, "base_url": base_url}).url == url


def test_chinese_emoji_and_braces_arrive_as_they_are(tmp_path: Path):
    question = '年假有几天？🙂 {"a": {question}} {0}'

    def echo(posted: Posted) -> Any:
        return {"answer": posted.body["question"], "half": "\ud83d"}

    with posting(echo) as server, open_desk(tmp_path) as desk:
        text = desk.line(SYSTEM.at(server)).complete(request_of({"question": question})).text
        assert server.asked[0].body == {"question": question}
    assert json.loads(text) == {"answer": question, "half": "\ufffd"}


def test_a_reply_of_megabytes_is_taken(tmp_path: Path):
    with posting([Given({"answer": "word " * 400_000})]) as server, open_desk(tmp_path) as desk:
        assert len(desk.line(SYSTEM.at(server)).complete(SYSTEM.request).text) > 2_000_000


DEEP = b"[" * 200_000
FAULTS = [
    (Given(status=429), "rate limited after 1 try"),
    (Given(status=503, raw=b"<html>busy</html>"), "server error 503 after 1 try"),
    (Given(status=422, body={"detail": [{"msg": "no"}]}), "the request was refused (422)"),
    (Given(status=400, body={"error": {"message": "maximum context length is 8192"}}), "the prompt is too long (400)"),
    (Given(status=401), "the key was refused (401)"),
    (Given(status=429, body={"error": {"code": "insufficient_quota"}}), "insufficient quota"),
    (Given(fault="reset"), "connection lost after 1 try"),
    (Given({"data": "x" * 1000}, fault="cut"), "connection lost after 1 try"),
    (Given(raw=b'{"data": ['), "malformed reply after 1 try"),
    (Given(raw=b""), "malformed reply after 1 try"),
    (Given(raw=DEEP), "malformed reply after 1 try"),
    (Given(raw=b'{"data": NaN, "results": NaN}'), "malformed reply after 1 try"),
    (Given(fault="hang"), "no reply within 0.5 s"),
]


@every_kind
@pytest.mark.parametrize(("given", "reason"), FAULTS, ids=[reason for _, reason in FAULTS])
def test_a_fault_gives_its_reason_and_leaves_nothing_in_the_cache(
    tmp_path: Path, kind: Kind, given: Given, reason: str
):
    with posting([given]) as server, open_desk(tmp_path) as desk:
        line = desk.line(kind.at(server, tries=1, timeout_s=0.5 if given.fault == "hang" else 20))
        assert failure_of(line, kind.request).reason == reason
        assert server.count == 1
    assert cached_texts(tmp_path) == []


@every_kind
@pytest.mark.parametrize(
    "given", [Given(status=500), Given(raw=b"{"), Given(fault="reset")], ids=["500", "json", "cut"]
)
def test_what_may_pass_is_tried_again(tmp_path: Path, kind: Kind, given: Given):
    with posting([given, Given(kind.given)]) as server, open_desk(tmp_path) as desk:
        desk.line(kind.at(server)).complete(kind.request)
        assert server.count == 2


@every_kind
def test_a_rate_limit_is_waited_out_as_long_as_the_server_asks(tmp_path: Path, kind: Kind):
    busy = Given(status=429, headers={"Retry-After": "0.4"})
    with posting([busy, Given(kind.given)]) as server, open_desk(tmp_path) as desk:
        desk.line(kind.at(server)).complete(kind.request)
        assert server.at[1] - server.at[0] >= 0.4


@every_kind
def test_a_redirect_is_not_followed(tmp_path: Path, kind: Kind):
    with posting([Given(kind.given)]) as other:
        away = Given(status=307, headers={"Location": other.url})
        with posting([away]) as server, open_desk(tmp_path) as desk:
            failed = failure_of(desk.line(kind.at(server)), kind.request)
        assert failed.reason == "the address redirects (307); its base_url must be the final one"
        assert other.count == 0


def test_nobody_at_the_address_is_told_as_such(tmp_path: Path):
    with posting([Given()]) as server:
        endpoint = SYSTEM.at(server, tries=1)
    with open_desk(tmp_path) as desk:
        assert failure_of(desk.line(endpoint), SYSTEM.request).reason == "no connection to the server after 1 try"


@every_kind
@pytest.mark.parametrize("status", [400, 401, 429, 500, 302])
def test_the_key_shows_up_nowhere_though_the_server_echoes_it(
    tmp_path: Path, kind: Kind, status: int, key: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)

    def echo(posted: Posted) -> Given:
        said = {"error": {"message": f"bad key {posted.headers['authorization']}", "code": "x"}}
        return Given(said, status=status, headers={"X-Key": key})

    with posting(echo) as server, open_desk(tmp_path) as desk:
        endpoint = kind.at(server, key_env=VARIABLE, tries=1)
        line = desk.line(endpoint)
        failed = failure_of(line, kind.request)
        told = "".join(traceback.format_exception(failed)) + repr(failed) + failed.raw
        shown = [told, *desk.notes, repr(endpoint), repr(line), repr(line.identity), repr(endpoint.connect())]
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("httpcore")]
    assert not [text for text in (*shown, *ours) if key in text]


def test_an_echoed_key_is_masked_in_a_reply_too(tmp_path: Path, key: str):
    def echo(posted: Posted) -> Any:
        return {"answer": f"you are {posted.headers['authorization']}"}

    with posting(echo) as server, open_desk(tmp_path) as desk:
        text = desk.line(SYSTEM.at(server, key_env=VARIABLE)).complete(SYSTEM.request).text
        assert server.asked[0].headers["authorization"] == f"Bearer {key}"
    assert text == '{"answer": "you are Bearer ***"}'


@pytest.mark.parametrize("kind", [EMBEDDINGS, RERANK], ids=["embeddings", "rerank"])
def test_a_repeat_is_taken_from_the_cache(tmp_path: Path, kind: Kind):
    with posting([Given(kind.given)]) as server:
        for cached in (False, True):
            with open_desk(tmp_path) as desk:
                completion = desk.line(kind.at(server)).complete(kind.request)
                assert [call.cached for call in completion.calls] == [cached]
        with open_desk(tmp_path, "only") as desk:
            assert desk.line(kind.at(server)).complete(kind.request).text == completion.text
        assert server.count == 1


def test_a_deployed_system_is_asked_anew_each_time_and_nothing_of_it_is_kept(tmp_path: Path):
    answers = [Given({"answer": "Yes."}), Given({"answer": "No, since Monday."})]
    with posting(answers) as server, open_desk(tmp_path) as desk:
        line = desk.line(SYSTEM.at(server))
        texts = [line.complete(SYSTEM.request).text for _ in answers]
    assert texts == ['{"answer": "Yes."}', '{"answer": "No, since Monday."}']
    assert cached_texts(tmp_path) == []


def test_a_deployed_system_can_t_be_asked_with_cache_only(tmp_path: Path):
    with posting([Given()]) as server, open_desk(tmp_path, "only") as desk:
        with pytest.raises(InputError, match=r"^'some-model' can't be asked with cache=only: it may change"):
            desk.line(SYSTEM.at(server))
        assert server.count == 0


def test_every_setting_that_a_reply_follows_from_makes_another_key_and_patience_does_not():
    model = EMBEDDINGS.make(**AT)
    patient = {"concurrency": 2, "timeout_s": 5, "tries": 1, "key_header": "api-key", "usd_per_call": 1.0}
    others = [
        replace(model, name="n"),
        replace(model, dimensions=3),
        replace(model, base_url="http://127.0.0.1:2"),
        replace(model, extra_body={"a": 1}),
        replace(model, headers={"X-Version": "2"}),
    ]
    keys = [call_key(each.identity(), EMBEDDINGS.request) for each in (model, *others)]
    assert len(set(keys)) == len(keys)
    assert call_key(replace(model, **patient).identity(), EMBEDDINGS.request) == keys[0]


def test_the_key_of_a_chat_model_s_reply_is_the_one_that_it_always_was():
    identity = OpenAICompatible(name="m", base_url="http://127.0.0.1:1/v1", key_env=None).identity()
    assert identity == {
        "api": "openai-chat", "address": "http://127.0.0.1:1/v1", "structured": "schema", "thinking": "tagged",
        "options": {"model": "m", "temperature": 0.0},
    }  # fmt: skip
    assert call_key(identity, QUESTION) == "32f0fc7c5a8003d8ca7639c6aedce93d7319f6850e9a8387c07d3329f979e319"


@every_kind
def test_calls_are_made_as_many_at_a_time_as_the_endpoint_allows(tmp_path: Path, kind: Kind):
    together = threading.Barrier(4, timeout=30)

    def reply(_: Posted) -> Any:
        together.wait()
        return kind.given

    with posting(reply) as server, open_desk(tmp_path, "off") as desk, ThreadPoolExecutor(8) as pool:
        line = desk.line(kind.at(server, concurrency=4))
        list(pool.map(lambda _: line.complete(kind.request), range(8)))
        assert server.count == 8


def test_a_price_for_each_call_is_billed_and_capped_before_the_call(tmp_path: Path):
    with posting([Given(SYSTEM.given)]) as server, open_desk(tmp_path, max_usd=0.5) as desk:
        line = desk.line(SYSTEM.at(server, usd_per_call=0.2))
        bills = [line.complete(SYSTEM.request).calls for _ in range(2)]
        assert failure_of(line, SYSTEM.request).reason == "max_usd of 0.5 reached"
        assert server.count == 2
        assert desk.spent_usd == pytest.approx(0.4)
    assert [(call.usd, call.input_tokens, call.output_tokens) for calls in bills for call in calls] == [(0.2, 0, 0)] * 2


def test_what_a_system_spends_is_not_known_and_so_not_capped_without_a_price(tmp_path: Path):
    with posting([Given(SYSTEM.given)]) as server:
        with open_desk(tmp_path) as desk:
            (call,) = desk.line(SYSTEM.at(server)).complete(SYSTEM.request).calls
        assert call.usd is None
        with open_desk(tmp_path, max_usd=1.0) as desk, pytest.raises(InputError, match=r"usd_per_call"):
            desk.line(SYSTEM.at(server))


def test_a_reranker_billed_by_call_and_by_token_pays_both(tmp_path: Path):
    given = {**RERANK.given, "usage": {"total_tokens": 1000}}
    with posting([Given(given)]) as server, open_desk(tmp_path) as desk:
        prices = {"usd_per_call": 0.002, "usd_per_million": {"input": 20.0, "output": 0.0}}
        (call,) = desk.line(RERANK.at(server, **prices)).complete(RERANK.request).calls
    assert (call.input_tokens, call.output_tokens, call.usd) == (1000, 0, pytest.approx(0.022))


@pytest.mark.parametrize("base_url", [None, "http://127.0.0.1:4000/v1"])
def test_an_embedding_model_has_the_table_s_price_behind_a_private_gateway_too(base_url: str | None):
    price = EMBEDDINGS.make(name="text-embedding-3-small", base_url=base_url).price()
    assert price is not None
    assert (price.input, price.output, price.call) == (pytest.approx(0.02), 0.0, 0.0)


def test_a_model_on_this_machine_is_free_and_a_reranker_that_is_only_sold_has_no_known_price():
    assert EMBEDDINGS.make(**AT).price() == RERANK.make(**AT).price() == Price(0.0, 0.0)
    assert RERANK.make(**{**AT, "name": "rerank-v3.5"}).price() is None


def test_an_estimate_counts_the_calls_of_a_system_and_says_that_their_tokens_are_not_known(tmp_path: Path):
    with posting([Given()]) as server, open_desk(tmp_path, foreseen=set()) as desk:
        line = desk.line(SYSTEM.at(server, key_env="EVALFIRST_NOT_SET", usd_per_call=0.2))
        failed = [failure_of(line, SYSTEM.request) for _ in range(2)]
        assert {each.reason for each in failed} == {"nobody was asked (estimate=true)"}
        assert [(each.input_tokens, each.usd, each.most_usd) for each in desk.estimates] == [(0, 0.2, 0.2)] * 2
        assert desk.notes == ("some-model: only its calls are estimated; nobody can tell what they will spend",)
        assert server.count == 0


def test_a_model_that_a_run_leaves_out_needs_neither_key_nor_price_and_is_never_asked(tmp_path: Path):
    with posting([Given()]) as server, open_desk(tmp_path, max_usd=1.0) as desk:
        line: Any = desk.unasked(RERANK.at(server, name="nobody-knows", key_env="EVALFIRST_NOT_SET"))
        assert failure_of(line, RERANK.request).reason == "nobody was asked (estimate=true)"
        assert desk.unasked("no endpoint") == "no endpoint"
        assert (desk.estimates, server.count) == ((), 0)


def test_half_a_character_is_refused_before_it_is_sent(tmp_path: Path):
    with posting([Given()]) as server, open_desk(tmp_path) as desk:
        failed = failure_of(desk.line(SYSTEM.at(server)), request_of({"question": "\ud83d"}))
        assert (failed.reason, server.count) == ("the request holds half characters, which can't be sent", 0)


def test_the_package_is_loaded_late_and_its_absence_told_when_the_part_is_built():
    program = (
        "import sys\nfrom runner.chat import desk, rerank_endpoint, system_endpoint\n"
        "settings = dict(name='m', base_url='http://127.0.0.1:1')\n"
        "system_endpoint.SystemEndpoint(**settings)\nprint('httpx2' in sys.modules)\n"
        "sys.modules['httpx2'] = None\n"
        "from eval.errors import MissingExtraError\n"
        "try: rerank_endpoint.RerankEndpoint(**settings)\nexcept MissingExtraError as error: print(error)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "False\nRerankEndpoint needs the package httpx2: pip install 'evalfirst[http]'\n"
