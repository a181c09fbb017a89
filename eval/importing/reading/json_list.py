"""A JSON list of objects, each with its line and its number: a data set of one line has all of them on that line."""

import json
from collections.abc import Iterator
from pathlib import Path

import regex

from eval.sources.finding import Finding
from eval.sources.strict_json import Parsed, Row, Rows, parse, row_of, syntax_error

_OPENING = regex.compile(r"[ \t\r\n]*\[[ \t\r\n]*")
_BETWEEN = regex.compile(r"[ \t\r\n]*(?:(?P<comma>,)[ \t\r\n]*|\][ \t\r\n]*)")


def read_list(path: Path, text: str) -> Rows:
    """The objects of the list that ``text`` is, at ``file:line[number]`` with numbers from 0.

    What is no object is an error at its place; a slip in the syntax is one that ends the reading there.
    """
    rows: list[Row] = []
    errors: list[Finding] = []
    try:
        for number, (line, parsed) in enumerate(_elements(text)):
            found = row_of(parsed, f"{path}:{line}[{number}]")
            if isinstance(found, Row):
                rows.append(found)
            else:
                errors.extend(found)
    except json.JSONDecodeError as error:
        errors.append(syntax_error(error, f"{path}:{error.lineno}"))
    return Rows(tuple(rows), tuple(errors))


def _elements(text: str) -> Iterator[tuple[int, Parsed]]:
    """Each element with its line, counted from 1."""
    opening = _OPENING.match(text)
    if opening is None:
        raise json.JSONDecodeError("a list in [] or an object in {} is expected", text, 0)
    place, line, counted = opening.end(), 1, 0
    more = not text.startswith("]", place)
    place = place if more else _end(text, place)
    while more:
        line += text.count("\n", counted, place)
        counted = place
        parsed = parse(text, place)
        yield line, parsed
        between = _BETWEEN.match(text, parsed.end)
        if between is None:
            raise json.JSONDecodeError("a comma or the end of the list is expected", text, parsed.end)
        place, more = between.end(), bool(between["comma"])
    if place < len(text):
        raise json.JSONDecodeError("nothing may follow the list", text, place)


def _end(text: str, place: int) -> int:
    """The place after the bracket at ``place`` and the blanks behind it."""
    found = _BETWEEN.match(text, place)
    return found.end() if found else place
