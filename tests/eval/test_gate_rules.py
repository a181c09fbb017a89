"""What may be asked of the gate, and how slips in asking are told."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from eval.gate.rules import Gate


def test_the_defaults_are_the_agreed_ones():
    rules = Gate()
    assert (rules.mode, rules.tolerance, rules.min_shared, rules.source) == ("report", 0.01, 0.5, "auto")
    assert rules.watched == ["answer_relevancy", "false_refusal_rate"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"tolerance": -0.01}, "greater than or equal to 0"),
        ({"tolerance": 1.0}, "less than 1"),
        ({"tolerance": float("nan")}, "finite number"),
        ({"tolerance": "0.02"}, "valid number"),
        ({"tolerances": {"recal": 0.02}}, "recal is no measure; there are: recall, mrr"),
        ({"tolerances": {"recall": 2.0}}, "less than 1"),
        ({"watched": ["recall"]}, "recall can't be watched; gated already are: recall, mrr"),
        ({"watched": ["relevancy"]}, "relevancy can't be watched"),
        ({"min_shared": 0.0}, "greater than 0"),
        ({"min_shared": 1.01}, "less than or equal to 1"),
        ({"mode": "strict"}, "'report', 'enforce' or 'off'"),
        ({"source": "cloud"}, "'auto', 'registry' or 'anchor'"),
        ({"tolerence": 0.02}, "tolerence"),
    ],
)
def test_a_slip_is_told_with_what_is_allowed(given: dict[str, Any], told: str):
    with pytest.raises(ValidationError, match=told):
        Gate(**given)


def test_a_tolerance_that_is_put_in_later_is_checked_too():
    with pytest.raises(ValidationError, match="less than 1"):
        replace(Gate(), tolerance=3.0)


def test_zero_is_a_tolerance_and_null_is_the_common_one():
    rules = Gate(tolerance=0.02, tolerances={"recall": 0.0, "mrr": None})
    assert [rules.tolerance_of(name) for name in ("recall", "mrr", "ndcg_at_10")] == [0.0, 0.02, 0.02]


def test_the_rules_of_a_run_are_read_from_its_configuration():
    written = {"_target_": "eval.gate.rules.Gate", "mode": "enforce", "tolerance": 0.05, "watched": []}
    rules = Gate.of({"gate": written})
    assert (rules.mode, rules.tolerance, rules.watched) == ("enforce", 0.05, [])


@pytest.mark.parametrize(
    "config", [{}, {"gate": {}}, {"gate": None}, {"gate": "wide"}, {"gate": {"tolerance": "wide"}}, {"gate": {"x": 1}}]
)
def test_a_configuration_that_does_not_say_is_read_with_the_defaults(config: dict[str, Any]):
    assert Gate.of(config) == Gate()
