"""A JSON file that is one list of objects, read with the line of every element."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.sources.finding import Finding
from eval.sources.strict_json import BLANKS, Parsed, Row, Rows, parse, row_of, syntax_error
from eval.sources.text_file import read_text


def read_array(path: Path) -> Rows:
    """The objects of the list; a slip in the syntax is an error that ends the reading there.

    Raises:
        InputError: the file cannot be read or decoded.
    """
    return read_list(path, read_text(path), numbered=False)


def read_list(path: Path, text: str, *, numbered: bool = True) -> Rows:
    """The objects of the list that ``text`` is, at ``file:line[number]`` with numbers from 0, or at ``file:line``.

    A data set of one line has all of its objects there, so that only numbers tell them apart.
    """
    rows: list[Row] = []
    errors: list[Finding] = []
    try:
        for number, (line, parsed) in enumerate(_elements(text)):
            found = row_of(parsed, f"{path}:{line}[{number}]" if numbered else f"{path}:{line}")
            if isinstance(found, Row):
                rows.append(found)
            else:
                errors.extend(found)
    except json.JSONDecodeError as error:
        errors.append(syntax_error(error, f"{path}:{error.lineno}"))
    return Rows(tuple(rows), tuple(errors))


def _elements(text: str) -> Iterator[tuple[int, Parsed]]:
    """Each element with its line, counted from 1."""
    cursor = _Cursor(text)
    if not cursor.take("["):
        raise cursor.error("a list in [] is expected; a file with one object per line is named .jsonl")
    closed = cursor.take("]")
    while not closed:
        line = cursor.line
        parsed = parse(text, cursor.place)
        yield line, parsed
        cursor.move_to(parsed.end)
        closed = cursor.take("]")
        if not closed and not cursor.take(","):
            raise cursor.error("a comma or the end of the list is expected")
    if cursor.place < len(text):
        raise cursor.error("nothing may follow the list")


@dataclass
class _Cursor:
    """A place in a text that always stands on something to read, and its line."""

    text: str
    place: int = 0
    line: int = 1

    def __post_init__(self) -> None:
        self.move_to(0)

    def move_to(self, place: int) -> None:
        """Go forward to ``place`` and on over blanks."""
        while place < len(self.text) and self.text[place] in BLANKS:
            place += 1
        self.line += self.text.count("\n", self.place, place)
        self.place = place

    def take(self, mark: str) -> bool:
        """Go past ``mark`` if it stands here."""
        found = self.text.startswith(mark, self.place)
        if found:
            self.move_to(self.place + len(mark))
        return found

    def error(self, message: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(message, self.text, self.place)
