"""Values of rows, or why a row can't be used."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from eval.importing.ledger import UnusableError
from eval.sources.finding import some


def text_of(value: Mapping[str, Any], *keys: str) -> str:
    """The text under the first of ``keys`` that is there and not null.

    Raises:
        UnusableError: none is, or it is no text.
    """
    found = first_of(value, *keys)
    if found is None:
        raise UnusableError(f"has no {' or '.join(keys)}", f"it has {some(list(map(str, value)))}")
    if not isinstance(found, str):
        raise UnusableError(f"{' or '.join(keys)} is no text", f"got {_short(found)}")
    return found


def optional_text(value: Mapping[str, Any], *keys: str) -> str:
    """The same, or nothing where it is not there; a list gives its first text, a number is written out.

    Raises:
        UnusableError: it is a number beyond all bounds.
    """
    found = first_of(value, *keys)
    if isinstance(found, Sequence) and not isinstance(found, str) and found:
        found = found[0]
    if isinstance(found, float) and not math.isfinite(found):
        raise UnusableError(f"{' or '.join(keys)} is no finite number; write a text", f"got {found}")
    if isinstance(found, int | float) and not isinstance(found, bool):
        found = str(found)
    return found if isinstance(found, str) else ""


def first_of(value: Mapping[str, Any], *keys: str) -> Any:
    """What stands under the first of ``keys`` that is there and not null; data frames write NaN for null."""
    return next((value[key] for key in keys if not _is_null(value.get(key))), None)


def texts_of(found: Any, name: str) -> list[str]:
    """A list of texts; one text alone is a list of one, null is none.

    Raises:
        UnusableError: it is neither.
    """
    if _is_null(found):
        return []
    items = [found] if isinstance(found, str) else found
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise UnusableError(f"{name} is no list of texts", f"got {_short(found)}")
    return items


def _is_null(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
