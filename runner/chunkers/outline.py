"""The structure of a markdown text (CommonMark with tables): its blocks and its sections, with their exact places."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Metadata at the very top: a fenced run of lines that begins, after comments, with a key and a colon.
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:#.*\n)*[^\s#:][^\n:]*:(?:[ \t].*)?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_PARSER = MarkdownIt("commonmark").enable("table")
_INNER = frozenset({"inline", "thead_open", "tbody_open", "tr_open", "th_open", "td_open"})
_HEADER_LINES = 2  # of a table: names of columns, delimiter row

Kind = Literal["heading", "fence", "table", "other"]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of whole lines; ``depth`` 0 is the top level. A heading has a rank (1 to 6) and a name.

    ``inner`` are the places within a fence or a table, at starts of lines, where it may be cut if it must.
    """

    start: int
    end: int
    kind: Kind
    depth: int = 0
    rank: int = 0
    name: str = ""
    inner: tuple[int, ...] = ()

    @property
    def stays_whole(self) -> bool:
        """Whether it is not to be cut as long as it fits."""
        return self.kind in ("fence", "table")


@dataclass(frozen=True, slots=True)
class Section:
    """The text from a heading to the next one, with the names of the headings that it stands under, outermost first."""

    start: int
    end: int
    path: tuple[str, ...]


def blocks_of(text: str) -> list[Block]:
    """All blocks, in order of their starts, the outer before the inner ones; front matter is one of kind ``other``."""
    match = _FRONT_MATTER.match(text)
    offset = match.end() if match else 0
    tokens: list[Token] = []
    # The rules for blocks alone: they keep line numbers, while what the parser does before them rewrites characters.
    _PARSER.block.parse(text[offset:], _PARSER, {}, tokens)
    lines = [offset, *(found.end() for found in re.compile("\n").finditer(text, offset)), len(text)]
    front = [Block(0, offset, "other")] if offset else []
    return front + [
        _block(token, following, lines)
        for token, following in pairwise([*tokens, Token("end", "", 0)])
        if token.map and token.type not in _INNER
    ]


def _block(token: Token, following: Token, lines: Sequence[int]) -> Block:
    first, last = token.map or (0, 0)
    start, end = lines[first], lines[last]
    match token.type:
        case "heading_open":
            name = " ".join(following.content.split())
            return Block(start, end, "heading", token.level, int(token.tag[1:]), name)
        case "table_open":
            return Block(start, end, "table", token.level, inner=tuple(lines[first + _HEADER_LINES : last]))
        case "fence" | "code_block":  # a last line, which may be the closing fence, stays with the line before
            return Block(start, end, "fence", token.level, inner=tuple(lines[first + 1 : last - 1]))
        case _:
            return Block(start, end, "other", token.level)


def sections_of(text: str, blocks: Sequence[Block]) -> list[Section]:
    """The sections, in order; together they cover the text.

    A heading with nothing under it but a deeper heading opens no section of its own: the deeper one takes it in.
    """
    headings = [block for block in blocks if block.kind == "heading" and block.depth == 0]
    sections: list[Section] = []
    above: list[Block] = []
    start = 0
    if headings and text[: headings[0].start].strip():
        sections.append(Section(0, headings[0].start, ()))
        start = headings[0].start
    for heading, following in zip_longest(headings, headings[1:]):
        above = [*(block for block in above if block.rank < heading.rank), heading]
        end = following.start if following else len(text)
        if following and following.rank > heading.rank and not text[heading.end : end].strip():
            continue
        sections.append(Section(start, end, tuple(block.name for block in above)))
        start = end
    return sections or [Section(0, len(text), ())]
