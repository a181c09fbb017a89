"""Sections, code and tables: what the markdown chunker keeps together, and under which title."""

from itertools import pairwise

import pytest

from eval.records import Chunk, Document
from runner.chunkers.markdown import MarkdownChunker
from runner.chunkers.outline import blocks_of, sections_of
from runner.tokens import token_counter

COUNT = token_counter("o200k_base").count
HEADER = "| name | days |\n|------|------|"


def cut(text: str, size: int = 200, title: str = "") -> list[Chunk]:
    chunks = MarkdownChunker(size=size).chunk(Document("d", text, title))
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(COUNT(chunk.shown) <= size for chunk in chunks)
    return chunks


def titles(text: str, title: str = "") -> list[str]:
    return [chunk.title for chunk in cut(text, title=title)]


def table(rows: int) -> str:
    return HEADER + "\n" + "".join(f"| leave {n} | {n} |\n" for n in range(rows))


def test_sections_carry_the_path_of_their_headings() -> None:
    text = "before\n# A\nx\n## B\ny\n### C\nz\n## D\nw\n# E\nv\n"
    assert titles(text) == ["", "A", "A > B", "A > B > C", "A > D", "E"]


def test_a_level_may_be_left_out_and_returned_to() -> None:
    assert titles("### C\nx\n# A\ny\n### D\nz\n## B\nw\n") == ["C", "A", "A > D", "A > B"]


def test_headings_are_part_of_the_slices() -> None:
    assert [chunk.text for chunk in cut("# A\nx\n\n## B\ny\n")] == ["# A\nx", "## B\ny"]


def test_underlined_headings_count() -> None:
    assert titles("Title\n=====\nx\n\nPart\n----\ny\n") == ["Title", "Title > Part"]


def test_closing_marks_are_no_part_of_a_heading() -> None:
    assert titles("# A #\nx\n## B  ##\ny\n") == ["A", "A > B"]


def test_the_title_of_the_document_comes_first_unless_it_is_the_first_heading() -> None:
    assert titles("pre\n\n# A\nx\n", title="T") == ["T", "T > A"]
    assert titles("# T\nx\n## B\ny\n", title=" T\n") == ["T", "T > B"]


def test_a_path_too_long_for_half_of_the_size_loses_its_outermost_names() -> None:
    text = "# word word word\n## one two\n### end\n" + "word " * 30
    assert {chunk.title for chunk in cut(text, size=15)} == {"one two > end"}
    assert {chunk.title for chunk in cut(text, size=7)} == {"end"}
    assert {chunk.title for chunk in cut("# word word word\n" + "word " * 30, size=5)} == {""}


def test_a_heading_with_nothing_under_it_goes_with_the_deeper_one_below() -> None:
    chunks = cut("# A\n\n## B\n\n### C\nx\n\n## D\n## E\ny\n")
    assert [(chunk.title, chunk.text) for chunk in chunks] == [
        ("A > B > C", "# A\n\n## B\n\n### C\nx"),
        ("A > D", "## D"),
        ("A > E", "## E\ny"),
    ]


@pytest.mark.parametrize(
    "fence",
    [
        "```python\n# comment\nx = 1\n```",
        "~~~\n# comment\n~~~",
        "```\n# comment\n`````",
        "````\n```\n# not a heading\n```\n````",
        "   ```\n   # comment\n   ```",
        "```\n# comment\n~~~\n# still\n```",
    ],
)
def test_a_number_sign_in_a_fence_is_no_heading(fence: str) -> None:
    text = f"# A\n\nprose\n\n{fence}\n\nmore prose"
    assert [(chunk.title, chunk.text) for chunk in cut(text)] == [("A", text)]


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    text = "# A\n\n```\n# comment\n\n## no heading"
    assert [(chunk.title, chunk.text) for chunk in cut(text)] == [("A", text)]


def test_a_number_sign_in_a_fence_of_a_list_or_a_quote_is_no_heading() -> None:
    text = "# A\n\n- ```sh\n  # comment\n  ```\n\n> # quoted"
    assert titles(text) == ["A"]


def test_front_matter_makes_no_heading() -> None:
    text = "---\ntitle: Leave\ntags: [a, b]\n---\n# A\nx\n"
    assert [(chunk.title, chunk.text) for chunk in cut(text)] == [
        ("", "---\ntitle: Leave\ntags: [a, b]\n---"),
        ("A", "# A\nx"),
    ]
    assert titles("---\n# a comment\nk: v\n---\nx\n") == [""]


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert titles("---\n\n# A\nx\n\n---\n\n# B\ny\n") == ["", "A", "B"]


def test_small_blocks_under_one_heading_are_packed() -> None:
    blocks = ["word " * 7 + "word"] * 4  # 8 tokens each, and one for the blank line between two
    assert [chunk.text for chunk in cut("\n\n".join(blocks), size=17)] == ["\n\n".join(blocks[:2])] * 2


def test_a_long_table_is_cut_between_rows_under_its_header() -> None:
    rows = table(40).split("\n")[2:-1]
    chunks = cut("# Leave\n\n" + table(40), size=100)
    assert len(chunks) > 3
    assert chunks[0].text.startswith(f"# Leave\n\n{HEADER}\n{rows[0]}")
    assert {chunk.lead for chunk in chunks[1:]} == {HEADER}
    assert all(chunk.shown == f"Leave\n{HEADER}\n{chunk.text}" for chunk in chunks[1:])
    assert [row for chunk in chunks for row in chunk.text.split("\n") if row in rows] == rows


def test_the_rest_of_a_table_is_packed_with_what_follows() -> None:
    last = cut(table(12) + "\nAfter the table.", size=100)[-1]
    assert last.lead == HEADER
    assert last.text.endswith("| leave 11 | 11 |\n\nAfter the table.")


def test_a_table_that_fits_is_not_cut_to_fill_the_chunk_before() -> None:
    prose = "word " * 60
    assert [chunk.text for chunk in cut(f"{prose}\n\n{table(5)}", size=80)] == [prose.strip(), table(5).strip()]


def test_code_that_fits_is_not_cut_to_stay_with_its_heading() -> None:
    code = "```\n" + "x = 1\n" * 10 + "```"
    size = COUNT(f"H\n{code}") + 1
    assert [chunk.text for chunk in cut(f"# H\n\n{code}", size=size)] == ["# H", code]


def test_code_that_follows_a_link_definition_is_not_cut_if_it_fits() -> None:
    code = "```\n" + "x = 1\n" * 10 + "```"
    assert cut(f"[a]: http://example.org\n\n{code}", size=COUNT(code) + 1)[-1].text == code


def test_a_header_longer_than_half_of_the_size_is_not_repeated() -> None:
    wide = "| " + " | ".join(["column"] * 20) + " |\n" + "|---" * 20 + "|\n" + "| word |\n" * 30
    assert {chunk.lead for chunk in cut(wide, size=60)} == {""}


def test_long_code_is_cut_at_ends_of_lines() -> None:
    lines = [f"value_{n} = {n}" for n in range(60)]
    text = "# Code\n\n```python\n" + "\n".join(lines) + "\n```"
    chunks = cut(text, size=80)
    assert len(chunks) > 3
    assert "\n".join(chunk.text for chunk in chunks) == text
    assert chunks[-1].text.endswith("value_59 = 59\n```")


def test_a_long_list_is_cut_between_items_and_their_blocks() -> None:
    items = [f"- Step {n}\n\n  ```\n  # run {n}\n  ```" for n in range(20)]
    chunks = cut("\n\n".join(items), size=60)
    assert len(chunks) > 3
    assert all(chunk.text.count("```") % 2 == 0 for chunk in chunks)
    assert {chunk.title for chunk in chunks} == {""}


def test_a_long_paragraph_is_cut_after_sentences_then_anywhere() -> None:
    text = "年假每年十天。可以结转五天！" * 10 + "没有标点" * 40
    chunks = cut(text, size=30)
    assert all(chunk.text.endswith(("。", "！")) for chunk in chunks[:4])
    assert "".join(chunk.text for chunk in chunks) == text


def test_blocks_and_sections_have_exact_places() -> None:
    text = "---\nk: v\n---\nintro\n\n# A\n\n| a |\n|---|\n| 1 |\n\n- x\n\n      code\n"
    blocks = blocks_of(text)
    kinds = [(block.kind, block.depth, text[block.start : block.end].strip()) for block in blocks]
    assert kinds == [
        ("other", 0, "---\nk: v\n---"),
        ("other", 0, "intro"),
        ("heading", 0, "# A"),
        ("table", 0, "| a |\n|---|\n| 1 |"),
        ("other", 0, "- x\n\n      code"),
        ("other", 1, "- x\n\n      code"),
        ("other", 2, "- x"),
        ("fence", 2, "code"),
    ]
    sections = sections_of(text, blocks)
    assert [section.path for section in sections] == [(), ("A",)]
    assert all(before.end == after.start for before, after in pairwise(sections))
    assert (sections[0].start, sections[-1].end) == (0, len(text))
