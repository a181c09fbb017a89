"""The structure of a markdown text (CommonMark with tables): its blocks and its sections, with their exact places."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Literal

from markdown_it import MarkdownIt, rules_block
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

# Metadata at the very top: a fenced run of lines that begins, after comments, with a key and a colon.
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:#.*\n)*[^\s#:][^\n:]*:(?:[ \t].*)?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
# A line that opens nothing but a paragraph: no heading, list, quote, fence, HTML, reference, rule, underline or table.
_TEXT = (
    r"(?! {0,3}+(?:\Z|[#>~`<|:=+\-\s]|\[[^\n]*\\|\[[^\n\]]*(?:\n|\]:|\[)|\d+[.)]"
    r"|\*(?:\s|\Z|\*\s|\*\*)|_(?:\s|_\s|__)))[^\n]++(?:\n|\Z)"
)
_LINE = re.compile(_TEXT)
_PARAGRAPH = re.compile(rf"(?:{_TEXT})++(?=[ \t]*(?:\n|\Z)| {{0,3}}#{{1,6}}(?:[ \t\n]|\Z))")
_HEADING_OR_FENCE = re.compile(r" {0,3}(?:(#{1,6}(?:[ \t\n]|\Z))|```|~~~)[^\n]*\n(?! {0,3}[|:\-])")
_TABLE = re.compile(
    r" {0,3}(\|[^\n\\]*\|)[ \t]*\n {0,3}(\|(?:[ \t]*:?-+:?[ \t]*\|)+)[ \t]*(?:\n|\Z)"
    r"(?: {0,3}\|[^\n]*+(?:\n|\Z))*+(?=[ \t]*(?:\n|\Z))"
)
_MANY_CELLS = 2**16  # the parser ends a table where so many are missing
_BREAK = re.compile("\n")
_ITEM = re.compile(r"[-*+] \S")


def _common(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """A rule before all others, for what documents are made of: the parser tries eleven for every line.

    It takes paragraphs, headings, fences and tables that nothing else can be, where those rules would take them.
    """
    if silent:
        return False
    start, kind, found = state.bMarks[first], "text", None
    if state.parentType == "root" and state.level == 0:
        if found := _HEADING_OR_FENCE.match(state.src, start):
            return (rules_block.heading if found[1] else rules_block.fence)(state, first, last, silent)
        if not (found := _PARAGRAPH.match(state.src, start)) and (found := _whole_table(state.src, start)):
            kind = "table_open"
    if not found and not _short(state, first):
        return False
    state.line = first + 1 + (state.src.count("\n", start, found.end() - 1) if found else 0)
    state.push(kind, "", 0).map = [first, state.line]
    return True


def _whole_table(text: str, start: int) -> re.Match[str] | None:
    """A table with outer bars and as many columns in its header as below it."""
    found = _TABLE.match(text, start)
    if not found or (bars := found[1].count("|")) != found[2].count("|"):
        return None
    return found if bars * found[0].count("\n") < _MANY_CELLS else None


def _short(state: StateBlock, first: int) -> bool:
    """Whether a line is a paragraph, because it ends, or a blank line or an item of a list follows."""
    margin, below = state.blkIndent + 4, first + 1
    if state.sCount[first] >= margin or not _LINE.match(state.src, state.bMarks[first] + state.tShift[first]):
        return False
    if below >= state.lineMax or state.isEmpty(below):
        return True
    indent = state.sCount[below]
    if not 0 <= indent < margin or (indent < state.blkIndent and 0 <= state.listIndent <= indent - 4):
        return False
    return _ITEM.match(state.src, state.bMarks[below] + state.tShift[below]) is not None


_PARSER = MarkdownIt("commonmark").enable("table")
_PARSER.block.ruler.before("table", "common", _common)
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
    lines = [offset, *(found.end() for found in _BREAK.finditer(text, offset)), len(text)]
    front = [Block(0, offset, "other")] if offset else []
    return front + [
        _block(token, following, lines)
        for token, following in pairwise([*tokens, *tokens[-1:]])
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
