"""How tables and numbers are written in Markdown."""

import re
from collections.abc import Iterable, Sequence

import regex

from eval.metrics.mean import Mean

# What would be a link, a picture, emphasis or markup in text that people typed.
_MARKUP = re.compile(r"([\\`*_\[\]<>!#~|])")
_ESCAPED = str.maketrans({"|": "\\|", "\\": "\\\\"})
_CONTROL = regex.compile(r"\r\n|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; cells are escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: object) -> str:
    return in_line(str(value)).translate(_ESCAPED)


def in_line(text: str) -> str:
    """Blanks for line ends and other control characters, which would end a cell or an item, or steer a terminal."""
    return _CONTROL.sub(" ", text)


def shown(mean: Mean) -> str:
    """A mean for people: three decimals, or a dash where there is none."""
    return "–" if mean.value is None else f"{mean.value:.3f}"


def plain(text: str) -> str:
    """Text that somebody typed, on one line and without any meaning in Markdown."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
