"""JSON without what Python's reader lets pass in silence: repeated keys, NaN, half characters."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import regex

from eval.sources.finding import Finding

BLANKS = " \t\r\n"  # JSON's own, fewer than Python's
_SUSPECT = regex.compile(r"\\u(?:[dD][89a-fA-F]|0000)")  # may be half of a character, or NUL
_BROKEN = regex.compile(r"[\ud800-\udfff\0]")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value, the place after it, and what is wrong with it although it could be read."""

    value: Any
    end: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON object and where it stands, as ``file:line``."""

    where: str
    value: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """The objects of a file in their order, and an error for everything else in it."""

    rows: tuple[Row, ...]
    errors: tuple[Finding, ...]


def parse(text: str, start: int = 0) -> Parsed:
    """The value that begins at ``start``.

    Raises:
        json.JSONDecodeError: there is no JSON value there.
    """
    problems: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = sorted({key for key in keys if keys.count(key) > 1})
            problems.extend(f"key {key!r} stands twice in one object; keep one" for key in twice)
        return value

    def constant(name: str) -> None:
        problems.append(f"{name} is not JSON; write null")

    decoder = json.JSONDecoder(object_pairs_hook=members, parse_constant=constant)
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError) as error:  # nested thousands deep; a number of thousands of digits
        raise json.JSONDecodeError(f"Beyond reason ({error})", text, start) from error
    if _SUSPECT.search(text, start, end):
        problems.extend(_broken_strings(value))
    return Parsed(value, end, tuple(problems))


def row_of(parsed: Parsed, where: str) -> Row | list[Finding]:
    """The value as a row, or the errors that keep it from being one."""
    errors = [Finding("error", where, problem) for problem in parsed.problems]
    if not isinstance(parsed.value, dict):
        errors.append(Finding("error", where, f"must be an object in {{}} (got {_kind(parsed.value)})"))
    return errors or Row(where, parsed.value)


def syntax_error(error: json.JSONDecodeError, where: str) -> Finding:
    """What Python's reader found, with the column."""
    return Finding("error", where, f"cannot be read from column {error.colno} on: {error.msg}")


def _broken_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str) and (broken := _BROKEN.search(value)):
        what = "a NUL character" if broken[0] == "\0" else "half of a character (a lone surrogate)"
        yield f"holds \\u{ord(broken[0]):04x}, {what}; remove it or write the whole character"
    elif isinstance(value, list):
        for item in value:
            yield from _broken_strings(item)
    elif isinstance(value, dict):
        for item in [*value, *value.values()]:
            yield from _broken_strings(item)


def _kind(value: Any) -> str:
    names = {list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")
