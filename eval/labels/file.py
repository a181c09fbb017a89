"""The file that people fill in: one JSON object, read with every slip told at once."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from eval.errors import InputError
from eval.gate.results import read_object
from eval.labels.items import QUESTION, QUESTIONS, Labels, as_data, hash_of

FORMAT = 1
HOW_TO = {
    "yes": "it holds something that is not in the material",
    "no": "everything in it is in the material",
    "skip": "it can't be told",
    "null": "not labelled yet",
}
_MOST_PROBLEMS = 10
_LABELS: TypeAdapter[Labels] = TypeAdapter(Labels)


def to_text(labels: Labels) -> str:
    """The file's text; equal labels give equal texts."""
    data = {"format": FORMAT, "label": HOW_TO, **as_data(labels)}
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def read_labels(path: Path) -> Labels:
    """Read the file.

    Raises:
        InputError: it is no file of labels; a label is none; what was labelled was edited. One line per problem.
    """
    data = read_object(path)
    if data.get("format") != FORMAT:
        known = f"this version reads format {FORMAT} (got {data.get('format')!r})"
        raise InputError(f"{path} is no file of labels: {known}; python -m runner.labels sample RUN writes one")
    try:
        labels = _LABELS.validate_python({name: data[name] for name in data if name not in {"format", "label"}})
    except ValidationError as error:
        raise InputError(*_told(path, data, error)) from None
    if problems := list(_problems(labels)):
        raise InputError(*(f"{path}: {problem}" for problem in problems[:_MOST_PROBLEMS]))
    return labels


def _told(path: Path, data: Mapping[str, Any], error: ValidationError) -> Iterator[str]:
    found = error.errors()
    for each in found[:_MOST_PROBLEMS]:
        rule = each["msg"].replace("Input should", "must")
        if each["type"] == "literal_error" and each["loc"][-1] == "label":
            rule = f"must be yes, no, skip or null (got {each['input']!r})"
        yield f"{path}: {_place(each['loc'], data)}: {rule}"
    if len(found) > _MOST_PROBLEMS:
        yield f"{path}: and {len(found) - _MOST_PROBLEMS} more"


def _place(loc: tuple[int | str, ...], data: Mapping[str, Any]) -> str:
    """Where it is, with the question's id where there is one."""
    place = ".".join(map(str, loc))
    if len(loc) < 2 or loc[0] != "items" or not isinstance(loc[1], int):
        return place
    item = data["items"][loc[1]]
    return f"{place} ({item['id']})" if isinstance(item, dict) and "id" in item else place


def _problems(labels: Labels) -> Iterator[str]:
    if labels.question not in QUESTIONS:
        yield f"question was changed, and labels answer the one that was put: {QUESTION}; put it back"
    for item in labels.items:
        if item.answer_hash != hash_of(item.question, item.material, item.answer):
            told = "question, material or answer is not what it was when its hash was made"
            yield f"{item.id}: {told}; put it back, or delete the item"
    for (name, _), count in Counter(item.key for item in labels.items).items():
        if count > 1:
            yield f"{name}: the same answer stands {count} times; keep one of them"
