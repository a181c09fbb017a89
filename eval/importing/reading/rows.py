"""Objects from files in the shapes in which test sets are kept: JSON lines, a list, a list under one key, Parquet."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from eval.errors import InputError
from eval.importing.ledger import Ledger, Thing, UnusableError
from eval.importing.reading.kinds import is_parquet, require_text
from eval.importing.reading.parquet import read_parquet
from eval.sources.finding import Finding
from eval.sources.json_array import read_list
from eval.sources.jsonl import read_rows
from eval.sources.strict_json import BLANKS, Parsed, Row, Rows, parse, row_of, syntax_error
from eval.sources.text_file import read_text

T = TypeVar("T")


def read_objects(path: Path, keys: Sequence[str] = ()) -> Rows:
    """The objects of JSON lines, of a JSON list, of the list under the first of ``keys`` that is there, or of Parquet.

    JSON lines are known by the suffix ``.jsonl``, or by a second object after the first: data-set hubs write them
    into files that are named ``.json``.

    Raises:
        InputError: the file cannot be read, or is a JSON value of another shape.
    """
    if is_parquet(path):
        return Rows(tuple(read_parquet(path)), ())
    require_text(path)
    if path.suffix.lower() in {".jsonl", ".ndjson"}:
        return read_rows(path)
    text = read_text(path)
    if not text.lstrip(BLANKS).startswith("{"):
        return read_list(path, text)
    if is_json_lines(text):
        return read_rows(path)
    whole = _object(path, text)
    key = next((key for key in keys if isinstance(whole.get(key), list)), None)
    if key is None:
        known = " or ".join(f"an object with the list {key!r}" for key in keys)
        raise InputError(f"{path}: is one JSON object; a list of objects is expected{f', or {known}' if known else ''}")
    return _members(path, key, whole[key])


def read_object(path: Path) -> dict[str, Any]:
    """The one JSON object of a file.

    Raises:
        InputError: it cannot be read, is no object, or holds what readers disagree on, such as a key twice.
    """
    require_text(path)
    return _object(path, read_text(path))


def is_json_lines(text: str) -> bool:
    """Whether the first line is a whole object, and another begins on a line after it."""
    first, _, rest = text.lstrip(BLANKS).partition("\n")
    if not rest.lstrip(BLANKS).startswith("{") or not first.rstrip(BLANKS).endswith("}"):
        return False
    try:
        return isinstance(parse(first).value, dict)
    except json.JSONDecodeError:
        return False


def drop_errors(rows: Rows, thing: Thing, ledger: Ledger) -> None:
    """What could not be read as an object, told once for each place."""
    told: dict[str, list[str]] = {}
    for finding in rows.errors:
        told.setdefault(finding.where, []).append(finding.message)
    for where, messages in told.items():
        ledger.count(thing)
        ledger.drop(thing, "cannot be read", where, "; ".join(messages))


def usable(rows: Iterable[Row], read: Callable[[Row], T], thing: Thing, ledger: Ledger) -> Iterator[T]:
    """What ``read`` makes of each row; a row that it finds unusable is dropped with the reason."""
    for row in rows:
        ledger.count(thing)
        try:
            yield read(row)
        except UnusableError as unusable_row:
            ledger.drop(thing, unusable_row.reason, row.where, unusable_row.detail)


def _object(path: Path, text: str) -> dict[str, Any]:
    try:
        parsed = parse(text, len(text) - len(text.lstrip(BLANKS)))
    except json.JSONDecodeError as error:
        raise InputError(str(syntax_error(error, f"{path}:{error.lineno}"))) from error
    if text[parsed.end :].strip(BLANKS):
        line = text.count("\n", 0, parsed.end) + 1
        raise InputError(f"{path}:{line}: something follows the object; a file holds one JSON value")
    found = row_of(parsed, str(path))
    if isinstance(found, Row):
        return found.value
    raise InputError(*map(str, found))


def _members(path: Path, key: str, values: Sequence[Any]) -> Rows:
    rows: list[Row] = []
    errors: list[Finding] = []
    for place, value in enumerate(values):
        found = row_of(Parsed(value, 0, ()), f"{path}: {key}[{place}]")
        if isinstance(found, Row):
            rows.append(found)
        else:
            errors.extend(found)
    return Rows(tuple(rows), tuple(errors))
