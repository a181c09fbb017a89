"""Text of others: fit for files and terminals, short where it is a reason, and without secrets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.chat.messages import Call
from eval.records import Unscored
from runner.foreign_text import RAW, REASON, cleaned, excerpt, reason, shown, told
from runner.records import Passage, Response
from runner.systems.border import received

SOME = "sk-test-1234567890abc"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("half \ud83c", "half \ufffd"),
        ("\ud83c\udf89", "🎉"),
        ("\x1b[2J \x00\x07 \x85", " [2J     "),
        ("\ufeffone\r\ntwo\rthree\tfour\n", "one\ntwo\nthree\tfour\n"),
        ("年假 🙂 e\u0301 \u200f", "年假 🙂 e\u0301 \u200f"),
    ],
)
def test_half_characters_and_control_characters_do_not_cross_the_border(text: str, clean: str):
    assert cleaned(text) == clean


def test_all_parts_of_a_response_are_cleaned_and_its_numbers_kept():
    calls = (Call("m", 1, 2, 0.5, 3.0),)
    half = "\ud83c"
    given_ = Response((Passage(half, half, half, half, 0.5), Passage(None)), half, calls)
    whole = "\ufffd"
    assert received(given_) == Response((Passage(whole, whole, whole, whole, 0.5), Passage(None)), whole, calls)
    assert received(Unscored(f"bad {half}\nkey {SOME}", f"raw\n{half} {SOME}", calls)) == Unscored(
        f"bad {whole} key ***", f"raw\n{whole} ***", calls
    )


@pytest.mark.parametrize(
    ("text", "masks"),
    [
        ("no db at postgres://user:pa@ss@host/db", "no db at postgres://***@host/db"),
        ("Incorrect API key provided: sk-proj-abc_1234567890", "Incorrect API key provided: ***"),
        ("{'api_key': 'hunter22', 'model': 'm'}", "{'api_key': '***', 'model': 'm'}"),
        ("Authorization: Bearer abc.def.123456", "Authorization: Bearer ***"),
        ("password=hunter, user=x", "password=***, user=x"),
        ("GET https://h/p?token=abcdefgh1&k=5", "GET https://h/p?token=***&k=5"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
    ],
)
def test_what_looks_like_a_secret_is_masked(text: str, masks: str):
    assert reason(text) == masks


@pytest.mark.parametrize(
    "text",
    [
        "no such key: user-17",
        "unexpected token: foo",
        "KeyError: 'token'",
        'duplicate key value violates unique constraint "pk_documents"',
        "max_tokens=500 is too many",
        "see https://host/a@b?page=1",
        "a risk-based-1234567 approach, error 0x80004005",
    ],
)
def test_what_only_sounds_like_a_secret_stays(text: str):
    assert reason(text) == text


def test_the_value_of_a_variable_that_is_named_like_a_key_is_masked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOME_API_KEY", "plainvalue7")
    monkeypatch.setenv("SOME_TOKEN", "lm-studio")  # a placeholder is no secret
    assert reason("got plainvalue7 from lm-studio") == "got *** from lm-studio"


def test_a_reason_is_one_short_line_that_is_the_same_in_every_run():
    assert reason("x" * 100_000) == f"{'x' * (REASON - 1)}…"
    assert len(excerpt("x\n" * 100_000)) == RAW
    assert reason("two\n lines of <Slots object at 0x7f3a5c0d1e20>") == "two lines of <Slots object at 0x…>"
    assert told(ValueError("no\nuse")) == "ValueError: no use"
    assert shown({"a": 1}) == "{'a': 1}"


@pytest.mark.parametrize("piece", ["sk-", "password=", "token: ", "://", "bearer ", "eyJ", "a@", "0x"])
def test_a_message_without_end_is_read_at_once(piece: str):
    assert len(reason(piece * 1_000_000)) <= REASON  # a search that is not linear would take hours


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters()))
def test_whatever_comes_can_be_written_and_is_clean_once_it_was_cleaned(text: str):
    clean = cleaned(text)
    clean.encode()
    assert cleaned(clean) == clean
