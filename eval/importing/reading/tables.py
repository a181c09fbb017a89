"""Tables with a header: commas, semicolons or tabs between the cells, quotes around cells that hold line breaks."""

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from eval.errors import InputError
from eval.importing.reading.kinds import require_text
from eval.sources.finding import Finding, some
from eval.sources.strict_json import Row, Rows
from eval.sources.text_file import decoded, stated_form

SUFFIXES = (".csv", ".tsv")
_LONGEST_SHOWN = 40


def read_table(path: Path) -> Rows:
    """Each record as an object of its cells by column, with the line that it begins on; empty lines are skipped.

    Raises:
        InputError: the file cannot be read or decoded, a quote is left open, the header is empty or repeats a name.
    """
    require_text(path)
    text = stated_form(decoded(path))
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # the module's own limit is shorter than a long document
    records = _records(path, text)
    line, header = next(records, (1, []))
    header = [name.strip().lstrip("\ufeff") for name in header]
    _check_header(path, text, header)
    rows: list[Row] = []
    errors: list[Finding] = []
    for line, cells in records:
        if not any(cells):
            continue
        if len(cells) != len(header):
            message = (
                f"has {len(cells)} cells, the header {len(header)}; a cell with a separator in it stands in quotes"
            )
            errors.append(Finding("error", f"{path}:{line}", message))
            continue
        rows.append(Row(f"{path}:{line}", dict(zip(header, cells, strict=True))))
    return Rows(tuple(rows), tuple(errors))


def shown_header(header: Sequence[str]) -> str:
    """The names of columns as a message shows them; what is no table may have a text for a name."""
    return some([name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…" for name in header])


def _check_header(path: Path, text: str, header: list[str]) -> None:
    if text.lstrip().startswith(("{", "[")):
        raise InputError(f"{path}:1: begins like JSON; a table begins with a line of column names")
    twice = sorted({name for name in header if header.count(name) > 1})
    if not header or twice:
        told = f"names columns twice: {', '.join(map(repr, twice))}" if twice else "is empty"
        raise InputError(f"{path}:1: the header {told}; name every column once")


def _records(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line that it begins on. Strict, as a quote left open swallows the lines after it."""
    reader = csv.reader(io.StringIO(text), delimiter=_delimiter(path, text), strict=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        told = f"cannot be read as a record ({error}); a quote inside of quotes is written twice"
        raise InputError(f"{path}:{begins}: {told}") from error


def _delimiter(path: Path, text: str) -> str:
    """Tabs in a ``.tsv``; else what the header line holds most of: spreadsheets of many countries write semicolons."""
    if path.suffix.lower() == ".tsv":
        return "\t"
    header = text.split("\n", 1)[0]
    return max(",;\t", key=header.count)
