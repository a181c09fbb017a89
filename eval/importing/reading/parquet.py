"""Tables in Apache Parquet, read by pyarrow where it is installed."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from eval.errors import InputError, MissingExtraError
from eval.sources.strict_json import Row


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> list[Row]:
    """Each row as an object of the given columns or of all, lists as lists; its place is ``file: row n``, from 1.

    Raises:
        MissingExtraError: pyarrow is not installed.
        InputError: the file cannot be read, or lacks a column.
    """
    if find_spec("pyarrow") is None:
        raise MissingExtraError("reading Parquet files", "pyarrow", "parquet")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    try:
        held = parquet.read_schema(path).names
        missing = [name for name in columns or () if name not in held]
        if missing:
            raise InputError(f"{path}: has no column {', '.join(missing)}; its columns are {', '.join(held)}")
        values = parquet.read_table(path, columns=None if columns is None else list(columns)).to_pylist()
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: cannot be read as Parquet ({first_line}); write it anew") from error
    return [Row(f"{path}: row {number}", value) for number, value in enumerate(values, 1)]
