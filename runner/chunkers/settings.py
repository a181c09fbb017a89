"""The values that chunkers share, with the rules they are checked by."""

from typing import Annotated

from pydantic import Field

Size = Annotated[int, Field(ge=1)]
"""Tokens of a chunk as it is shown, at most."""

Overlap = Annotated[int, Field(ge=0)]
"""Tokens of text that two neighbouring chunks share, at most."""


def check_overlap(overlap: int, size: int) -> None:
    """Refuse an overlap with which chunks would not move on.

    Raises:
        ValueError: ``overlap`` is not smaller than ``size``.
    """
    if overlap >= size:
        raise ValueError(f"overlap must be smaller than size (got overlap {overlap} and size {size})")
