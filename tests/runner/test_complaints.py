"""A wrong command line is answered in one line, and a secret on it is not repeated."""

import re
import shlex

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import OverrideParseException

from eval.errors import InputError
from runner.command.complaints import complain_about, refuse_secrets


@pytest.mark.parametrize(
    "key", ["api_key", "+judge.api_key", "generator.token", "++x.client_secret", "password", "KEY"]
)
def test_a_secret_on_the_command_line_is_refused_without_showing_it(key: str):
    with pytest.raises(InputError) as refused:
        refuse_secrets(["chunker=fixed", f"{key}=sk-test-123"])
    assert "sk-test-123" not in str(refused.value)
    assert key.lstrip("+") in str(refused.value)


@pytest.mark.parametrize(
    "argument",
    ["budget.tokens=600", "generator.max_tokens=5", "judge.api_key_env=MY_KEY", "api_key=null", "--config-dir=key"],
)
def test_what_only_resembles_a_secret_is_let_through(argument: str):
    refuse_secrets([argument])


@pytest.mark.parametrize("value", ["年假", "a=b", "a#b", 'say "hi"', "it's"])
def test_a_value_that_cannot_be_parsed_is_answered_with_its_quoted_form(value: str):
    argument = f"name={value}"
    with pytest.raises(OverrideParseException) as unparsed:
        OverridesParser.create().parse_overrides([argument])
    complaint = complain_about(unparsed.value, ["chunker=fixed", argument])
    assert "\n" not in complaint
    assert complaint.startswith("the value of name can't be read")
    (shown,) = shlex.split(complaint.rsplit("as in ", 1)[1])
    assert OverridesParser.create().parse_overrides([shown])[0].value() == value


@pytest.mark.parametrize(
    "argument",
    [
        "generator.model.key_env=sk-planted-7f3a9c",
        "judge.model.key_env=gsk_1234567890abcdef",
        "judge.model.base_url=https://host/v1?api-key=abcdef",
        "judge.model.base_url=https://me:abcdef@host/v1",
        "+judge.model.extra_body={authorization: sk-planted-7f3a9c}",
        "sk-planted-7f3a9c",
    ],
)
def test_a_key_in_whatever_place_is_refused_and_not_shown(argument: str):
    with pytest.raises(InputError) as caught:
        refuse_secrets([argument])
    assert not {"sk-planted-7f3a9c", "gsk_1234567890abcdef", "abcdef"} & set(re.split(r"[\s=&@:/?]", str(caught.value)))


@pytest.mark.parametrize(
    "argument",
    [
        "dataset.path=risk-2026-assessment",
        "dataset.path=sk-learn-docs",
        "dataset.path=hf_datasets",
        "judge.model.key_env=OPENAI_API_KEY",
        "judge.model.base_url=http://127.0.0.1:8000/v1",
        "judge.model.name=org/model:free",
        "tracking.uri=postgresql://me@host:5432/runs",
        "judge.max_tokens=500",
    ],
)
def test_what_only_looks_a_little_like_a_key_is_left_alone(argument: str):
    refuse_secrets([argument])
