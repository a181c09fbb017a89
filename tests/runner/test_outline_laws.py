"""The short cut for common blocks finds what the parser finds by all of its rules."""

from itertools import accumulate

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from runner.chunkers.outline import blocks_of

WORDS = [
    "a",
    "b | c",
    "t  ",
    "1",
    "1.",
    "-5",
    "x=",
    "**b** c",
    "__i__",
    "_x_",
    "~~x~~",
    "[x](y) z",
    "[x]",
    "'t'",
    "\u3000年",
]
ODD = [
    "*",
    "**",
    "***x***",
    "+",
    "_",
    "__",
    "\\[x]: u",
    "[a\nb]: /u",
    "[a",
    "]: /u",
    "[[x]]",
    "&#35; x",
    "\x0b",
    "\u2028y",
]
BLOCKS = [
    "# h",
    "## h | x",
    "#",
    "#x",
    "####### seven",
    "# a #",
    "===",
    "---",
    "= ",
    "* * *",
    "_ _ _",
    "[x]: /u",
    "<div>",
]
NESTED = [
    "- i",
    "* i",
    "  + j",
    "   - x",
    "1. x",
    "1)",
    "2. y",
    "> q",
    "> - q",
    "    code",
    "\tcode",
    "  two",
    "      six",
]
TABLES = [
    "|---|---|",
    "| a | b |",
    "| 1 | 2 |",
    ":-:|:-:",
    "```",
    "```py",
    "~~~",
    "``",
    "<!-- c",
    "-->",
    "",
    "",
    " ",
    "\t",
]
texts = st.lists(st.sampled_from(WORDS + ODD + BLOCKS + NESTED + TABLES), min_size=1, max_size=14).map("\n".join)
KINDS = {"heading_open": "heading", "table_open": "table", "fence": "fence", "code_block": "fence"}
PARTS = {"inline", "thead_open", "tbody_open", "tr_open", "th_open", "td_open"}


def by_all_rules(text: str) -> list[tuple[int, int, str, int, int, str]]:
    parser = MarkdownIt("commonmark").enable("table")
    tokens: list[Token] = []
    parser.block.parse(text, parser, {}, tokens)
    lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    found = []
    for place, token in enumerate(tokens):
        if token.map and token.type not in PARTS:
            kind = KINDS.get(token.type, "other")
            rank, name = (int(token.tag[1]), tokens[place + 1].content) if kind == "heading" else (0, "")
            start, end = (min(lines[line], len(text)) for line in token.map)
            found.append((start, end, kind, token.level, rank, " ".join(name.split())))
    return found


@settings(max_examples=100, deadline=None)
@given(texts)
@example("*")
@example("- ~~~\n- b\n\n  c\n d")
@example("1\n ")
@example("# a | b\n|---|---|\n```x|y\n|---|\n")
@example("- a\n  - b\n     - c\n          - no item\n")
def test_blocks_are_those_of_the_whole_parser(text: str) -> None:
    assume(not text.startswith("---"))  # may be metadata, which the parser does not know
    blocks = [(block.start, block.end, block.kind, block.depth, block.rank, block.name) for block in blocks_of(text)]
    assert blocks == by_all_rules(text)
