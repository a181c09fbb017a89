"""What may name a document or a question."""

import unicodedata
from typing import Any

import regex

from eval.sources.finding import WrongValueError
from eval.sources.text_file import is_blank

_UNPRINTABLE = regex.compile(r"[\p{Cc}\p{Cs}]")


def identifier(value: Any) -> str:
    """``value`` as an id: text in Unicode normal form C, so that it does not matter how an accent was typed.

    Raises:
        WrongValueError: it is not text, is blank, or holds control characters or broken ones.
    """
    if not isinstance(value, str):
        raise WrongValueError(f'must be text (got {value!r}); write it in quotes, like "{_example(value)}"')
    if is_blank(value):
        raise WrongValueError(f"must not be blank (got {value!r})")
    if _UNPRINTABLE.search(value):
        raise WrongValueError(f"must not hold control or broken characters (got {value!r})")
    return unicodedata.normalize("NFC", value)


def _example(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if number else "doc-001"
