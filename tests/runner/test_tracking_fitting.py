"""What is logged is what MLflow takes; nothing is dropped, cut or garbled in silence."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlflow.exceptions import MlflowException
from mlflow.utils.validation import _validate_metric, _validate_param, _validate_tag

from eval.errors import InputError
from runner.tracking.fitting import fit


def test_one_bad_metric_name_is_told_with_all_others_instead_of_dropping_the_batch() -> None:
    bad = ["recall@5", "a=b", "a[b]", "x (judge)", "a//b", "/a", "..", "", "recall\n"]
    with pytest.raises(InputError) as raised:
        fit({"chunker size": 1, "a,b": 2}, dict.fromkeys([*bad, "retrieval/recall"], 0.5), {"t?": "x"})
    assert len(raised.value.problems) == len(bad) + 2
    assert all(any(repr(name) in problem for problem in raised.value.problems) for name in [*bad, "a,b", "t?"])
    assert "recall_at_5" in raised.value.problems[0]


def test_names_with_letters_of_any_script_colons_blanks_and_slashes_are_taken() -> None:
    metrics = {"准确率": 0.5, "a:b": 1.0, "retrieval/recall at 5": 0.25, "x.y-z_1": 2}
    assert fit({}, metrics, {}).metrics == metrics


@given(st.text(alphabet="aé年0_-.:/ @=\n(", max_size=6))
def test_every_name_that_passes_is_taken_by_mlflow(name: str) -> None:
    try:
        fit({name: 1}, {name: 1.0}, {name: "x"})
    except InputError:
        return
    _validate_metric(name, 1.0, 0, 0)
    _validate_param(name, "1")
    _validate_tag(name, "x")


@given(st.text(alphabet="aé年0_-.:/ @=(", min_size=1, max_size=6))
def test_every_name_that_mlflow_takes_passes(name: str) -> None:
    try:
        _validate_metric(name, 1.0, 0, 0)
    except MlflowException:
        return
    assert fit({}, {name: 1.0}, {}).metrics == {name: 1.0}


def test_a_metric_without_a_finite_value_is_absent_and_named_in_a_tag() -> None:
    values = fit({}, {"b": math.nan, "a": None, "c": math.inf, "d": 0.0}, {})
    assert values.metrics == {"d": 0.0}
    assert json.loads(values.tags["evalfirst.unlogged_metrics"]) == ["a", "b", "c"]


def test_no_tag_speaks_of_unlogged_metrics_when_all_have_values() -> None:
    assert fit({}, {"a": 1.0}, {}).tags == {}


def test_two_long_parameters_that_differ_only_at_the_end_are_told_apart() -> None:
    one, two = (fit({"prompt": "x" * 7000 + end}, {}, {}) for end in "ab")
    assert len(one.params["prompt"]) == len(two.params["prompt"]) == 6000
    assert one.params["prompt"] != two.params["prompt"]
    assert one.tags["evalfirst.cut"] != two.tags["evalfirst.cut"]
    assert list(json.loads(one.tags["evalfirst.cut"])) == ["prompt"]


def test_texts_at_the_limits_are_whole() -> None:
    values = fit({"p": "x" * 6000}, {}, {"t": "y" * 8000})
    assert values.params == {"p": "x" * 6000}
    assert values.tags == {"t": "y" * 8000}


def test_a_long_tag_is_cut_and_named() -> None:
    tags = fit({}, {}, {"note": "y" * 8001}).tags
    assert len(tags["note"]) == 8000
    assert list(json.loads(tags["evalfirst.cut"])) == ["note"]


def test_a_key_of_more_than_250_characters_is_refused_and_one_of_250_is_not() -> None:
    assert len(fit({"k" * 250: 1}, {}, {}).params) == 1
    with pytest.raises(InputError, match="251 characters"):
        fit({"k" * 251: 1}, {}, {})


def test_parameters_are_written_as_in_yaml_so_that_none_is_null_and_numbers_stay_numbers() -> None:
    params = {"none": None, "size": 200, "share": 0.1, "on": True, "text": "007", "list": [1, "年"]}
    expected = {"none": "null", "size": "200", "share": "0.1", "on": "true", "text": "007", "list": '[1, "年"]'}
    assert fit(params, {}, {}).params == expected
