"""The outputs of a natural-language-inference model, told by their names."""

import pytest

from eval.errors import InputError
from eval.judges.nli_labels import Labels, labels_of


@pytest.mark.parametrize(
    ("names", "place"),
    [
        (("entailment", "neutral", "contradiction"), 0),
        (("CONTRADICTION", "Neutral", "ENTAILMENT"), 2),
        (("contradiction", "entailment", "neutral"), 1),
        (("entailment", "not_entailment"), 0),
        (("not-entailment", "entailment"), 1),
        (("hallucinated", "consistent"), 1),
    ],
)
def test_entailment_is_found_in_whatever_order_and_case(names: tuple[str, ...], place: int) -> None:
    assert labels_of(dict(enumerate(names)), None).entailment == place


def test_places_decide_not_the_order_of_the_mapping() -> None:
    found = labels_of({2: "entailment", 0: "contradiction", 1: "not_entailment"}, None)
    assert found == Labels(("contradiction", "not entailment", "entailment"), 2)


@pytest.mark.parametrize(
    "names", [("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment", "supported"), ("entailment", "joy"), ("good", "bad")]
)
def test_names_that_do_not_tell_are_refused_with_the_remedy(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"judge\.entailment=…"):
        labels_of(dict(enumerate(names)), None)


def test_a_place_that_is_given_decides() -> None:
    assert labels_of({0: "LABEL_0", 1: "LABEL_1"}, 1) == Labels(("label 0", "label 1"), 1)


def test_a_place_that_the_model_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"must be below 2.*got 2"):
        labels_of({0: "LABEL_0", 1: "LABEL_1"}, 2)


def test_a_model_with_a_single_output_is_refused() -> None:
    with pytest.raises(InputError, match="one against it"):
        labels_of({0: "entailment"}, 0)
