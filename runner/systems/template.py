"""A request to a deployed system, made from a template and a question."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator

from eval.fingerprints import canonical_json
from eval.records import Question

_PLACE = re.compile(r"\{(question|question_id)\}")


def filled(template: Any, question: Question) -> Any:
    """``template`` with ``{question}`` and ``{question_id}`` replaced in every text of it, names apart.

    All are replaced in one pass: what a question holds is never taken for a place, and all other braces stay.
    """
    if isinstance(template, Mapping):
        return {name: filled(value, question) for name, value in template.items()}
    if isinstance(template, list):
        return [filled(value, question) for value in template]
    if not isinstance(template, str):
        return template
    values = {"question": question.text, "question_id": question.id}
    return _PLACE.sub(lambda place: values[place[1]], template)


def _checked(template: dict[str, Any]) -> dict[str, Any]:
    try:
        canonical_json(template)
    except (TypeError, ValueError) as error:
        raise ValueError("must be plain JSON: texts, finite numbers, true, false, null, lists") from error
    if not _asks(template):
        raise ValueError("must hold {question} in one of its texts, or every question would be the same request")
    return template


def _asks(template: Any) -> bool:
    if isinstance(template, Mapping):
        return any(_asks(value) for value in template.values())
    if isinstance(template, list):
        return any(_asks(value) for value in template)
    return isinstance(template, str) and "{question}" in template


Template = Annotated[dict[str, Any], AfterValidator(_checked)]
"""A template, checked when a part with it is built."""
