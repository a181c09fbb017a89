"""JSON lines: one object per line, lines end with ``\\n`` only."""

import json
from collections.abc import Callable
from pathlib import Path

from eval.errors import InputError
from eval.records import Document
from eval.sources.finding import Finding, WrongValueError, repeated
from eval.sources.identifier import identifier
from eval.sources.strict_json import BLANKS, Row, Rows, parse, row_of, syntax_error
from eval.sources.text_file import decoded, stated_form


def read_rows(path: Path, mended: Callable[[str], str] = str) -> Rows:
    """The objects of a file; blank lines are skipped, every other line that is not one object is an error.

    ``mended`` is given each line before it is read.

    Raises:
        InputError: the file cannot be read or decoded.
    """
    rows: list[Row] = []
    errors: list[Finding] = []
    for number, line in enumerate(decoded(path).split("\n"), start=1):
        found = _row(mended(line.strip(BLANKS)), f"{path}:{number}")
        if isinstance(found, Row):
            rows.append(found)
        else:
            errors.extend(found)
    return Rows(tuple(rows), tuple(errors))


def read_corpus(path: Path) -> list[Document]:
    """Documents from rows ``{"_id" or "id", "text", optional "title"}``; further keys are allowed.

    Raises:
        InputError: one line, with file and line, for everything that is wrong.
    """
    read = read_rows(path)
    errors = list(read.errors)
    placed: list[tuple[Document, str]] = []
    for row in read.rows:
        found = _document(row)
        if isinstance(found, Document):
            placed.append((found, row.where))
        else:
            errors.extend(found)
    errors.extend(repeated((document.id, where) for document, where in placed))
    if not placed and not errors:
        errors.append(Finding("error", str(path), "holds no document; write one JSON object per line"))
    if errors:
        raise InputError(*map(str, errors))
    return [document for document, _ in placed]


def row_id(row: Row) -> str:
    """The id of a row under ``_id`` or ``id``.

    Raises:
        WrongValueError: it is missing or cannot be an id.
    """
    key = "_id" if "_id" in row.value else "id"
    if key not in row.value:
        raise WrongValueError('key "_id" (or "id") is missing')
    try:
        return identifier(row.value[key])
    except WrongValueError as error:
        raise WrongValueError(f"{key} {error}") from error


def row_text(row: Row, key: str, default: str | None = None) -> str:
    """The text under ``key`` in the stated form; ``default``, where given, for a missing or null one.

    Raises:
        WrongValueError: it is missing or not text.
    """
    value = row.value.get(key)
    if value is None and default is not None:
        return default
    if key not in row.value:
        raise WrongValueError(f"key {json.dumps(key)} is missing")
    if not isinstance(value, str):
        raise WrongValueError(f"{key} must be text (got {json.dumps(value, ensure_ascii=False)[:40]})")
    return stated_form(value)


def _row(line: str, where: str) -> Row | list[Finding]:
    if not line:
        return []
    try:
        parsed = parse(line)
    except json.JSONDecodeError as error:
        return [syntax_error(error, where)]
    if line[parsed.end :].strip(BLANKS):
        rest = f"column {parsed.end + 1} begins something after the object; a line holds one object and no comma"
        return [Finding("error", where, rest)]
    return row_of(parsed, where)


def _document(row: Row) -> Document | list[Finding]:
    problems: list[str] = []
    values: list[str] = []
    readers: tuple[Callable[[], str], ...] = (
        lambda: row_id(row),
        lambda: row_text(row, "text"),
        lambda: row_text(row, "title", default=""),
    )
    for read in readers:
        try:
            values.append(read())
        except WrongValueError as error:
            problems.append(str(error))
    return [Finding("error", row.where, problem) for problem in problems] or Document(*values)
