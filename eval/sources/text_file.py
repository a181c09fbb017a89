"""One file to text, in the stated form that all offsets refer to."""

import codecs
from pathlib import Path

import regex

from eval.errors import InputError

_UTF_16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_VISIBLE = regex.compile(r"[^\s\p{Z}\p{Cc}\p{Cf}]")  # Cf holds the zero-width characters and the byte-order mark


def decoded(path: Path) -> str:
    """The text of a file in UTF-8, or in UTF-16 when it starts with that byte-order mark, which is left out.

    Raises:
        InputError: the file cannot be read, is in another encoding, or holds a NUL character.
    """
    body, encoding = _without_mark(_content(path))
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line_after(body[: error.start].decode(encoding))
        raise InputError(
            f"{path}:{line}: not {encoding.upper()} (byte {body[error.start]:#04x}); convert the file, for example "
            "iconv -f GB18030 -t UTF-8 for Chinese or iconv -f WINDOWS-1252 -t UTF-8 for Western text"
        ) from error
    if (nul := text.find("\0")) >= 0:
        line = _line_after(text[:nul])
        raise InputError(f"{path}:{line}: holds a NUL character; text has none: save the file as UTF-8 text")
    return text


def read_text(path: Path) -> str:
    """The text of a file in the stated form; raises as ``decoded`` does."""
    return stated_form(decoded(path))


def stated_form(text: str) -> str:
    """``text`` without a leading byte-order mark and with every line end as ``\\n``."""
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: blanks, line ends, control and zero-width characters only."""
    return _VISIBLE.search(text) is None


def unreadable(path: Path, error: OSError) -> str:
    """One line for a file or folder that the system does not hand out."""
    return f"{error.filename or path}: cannot be read ({error.strerror}); check the path and who may read it"


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(unreadable(path, error)) from error


def _without_mark(data: bytes) -> tuple[bytes, str]:
    for mark, encoding in _UTF_16:
        if data.startswith(mark):
            return data[len(mark) :], encoding
    return data.removeprefix(codecs.BOM_UTF8), "utf-8"


def _line_after(text: str) -> int:
    """The number of the line, from 1, in which the character after ``text`` stands."""
    return stated_form(text).count("\n") + 1
