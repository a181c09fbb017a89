"""What kind of file it is, by its first bytes: a name may say otherwise, and only text can be read as text."""

from pathlib import Path

from eval.errors import InputError
from eval.sources.finding import some
from eval.sources.text_file import unreadable

_PARQUET = b"PAR1"
_PACKED = {
    _PARQUET: "is a Parquet file, and this format is read from text; save it as CSV or JSON lines",
    b"ARROW1": "is an Arrow file; save it as Parquet or JSON lines",
    b"PK\x03\x04": "is a zip archive or a spreadsheet (.xlsx); unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "is a spreadsheet in an old binary form (.xls); save it as CSV",
    b"\x1f\x8b": "is packed with gzip; unpack it first",
    b"BZh": "is packed with bzip2; unpack it first",
    b"\xfd7zXZ\x00": "is packed with xz; unpack it first",
    b"\x28\xb5\x2f\xfd": "is packed with zstd; unpack it first",
    b"SQLite format 3\x00": "is an SQLite database; save the table as CSV",
    b"\x80\x04\x95": "is a Python pickle; save it as JSON lines",
    b"\x80\x05\x95": "is a Python pickle; save it as JSON lines",
}


def is_parquet(path: Path) -> bool:
    """Whether the file is Apache Parquet, whatever its name.

    Raises:
        InputError: it cannot be read, or is a folder.
    """
    return _head(path).startswith(_PARQUET)


def require_text(path: Path) -> None:
    """Refuse what cannot be text, with the way to make text of it.

    Raises:
        InputError: it is a folder, cannot be read, or is of a known kind that is no text.
    """
    head = _head(path)
    for mark, told in _PACKED.items():
        if head.startswith(mark):
            raise InputError(f"{path}: {told}")


def listing(folder: Path) -> str:
    """The names in a folder, for a message that looks for others."""
    if not folder.is_dir():
        return "nothing, as it is no folder"
    return some(sorted(path.name for path in folder.iterdir())) or "nothing"


def _head(path: Path) -> bytes:
    if path.is_dir():
        raise InputError(f"{path}: is a folder, and this is read from files; name them (it holds {listing(path)})")
    try:
        with path.open("rb") as file:
            return file.read(max(map(len, _PACKED)))
    except OSError as error:
        raise InputError(unreadable(path, error)) from error
