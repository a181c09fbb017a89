"""Sections of markdown, under the path of their headings."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from eval.component import component
from eval.records import Chunk, Document
from eval.text.sentences import sentence_spans
from runner.chunkers.fitting import Fitting, Frame
from runner.chunkers.outline import Block, blocks_of, sections_of
from runner.chunkers.settings import Size
from runner.chunkers.slices import Slice, Slicer, ends_before, numbered
from runner.tokens import CounterName, token_counter

_TOP = Block(0, 0, "other")  # stands before the first block


@component
class MarkdownChunker:
    """Packs the blocks of a section up to ``size`` tokens, the path of headings included, which is the chunk's title.

    Code and tables stay whole where they fit. What is too long is cut between inner blocks, then between rows of a
    table, lines of code and sentences, then between tokens. A piece that starts within a table leads with its header.
    """

    size: Size = 200
    counter: CounterName = "o200k_base"

    def chunk(self, document: Document) -> list[Chunk]:
        """Slices in document order; none for a blank document."""
        fitting = Fitting(document.text, self.size, token_counter(self.counter))
        return numbered(document, _Page(document, fitting).slices())


class _Page:
    """One document while it is cut."""

    def __init__(self, document: Document, fitting: Fitting) -> None:
        self._document = document
        self._fitting = fitting
        self._blocks = blocks_of(document.text)
        self._sections = sections_of(document.text, self._blocks)
        self._section_starts = [section.start for section in self._sections]
        self._tables = [block for block in self._blocks if block.kind == "table" and block.inner]
        self._table_starts = [table.start for table in self._tables]
        self._frames: dict[tuple[int, int | None], Frame] = {}

    def slices(self) -> Iterator[Slice]:
        text = self._document.text
        slicer = Slicer(
            self._fitting,
            lambda: ends_before(text, self._outer_places()),
            lambda: ends_before(text, self._inner_places()),
            lambda: ends_before(text, _places_within(text, self._blocks)),
        )
        for section in self._sections:
            yield from slicer.slices(section.start, section.end, self._frame_at)

    def _frame_at(self, place: int) -> Frame:
        """The path of the section, and within the body of a table its header; made once for each: they may be long."""
        table = bisect_right(self._table_starts, place) - 1
        in_body = table >= 0 and self._tables[table].inner[0] <= place < self._tables[table].end
        key = (bisect_right(self._section_starts, place) - 1, table if in_body else None)
        if key not in self._frames:
            self._frames[key] = self._frame(*key)
        return self._frames[key]

    def _frame(self, section: int, table: int | None) -> Frame:
        title, path = " ".join(self._document.title.split()), self._sections[section].path
        names = path if path[:1] == (title,) else (title, *path)
        return self._fitting.framed(names, "" if table is None else self._header(self._tables[table]))

    def _header(self, table: Block) -> str:
        header = self._document.text[table.start : table.inner[0]].rstrip()
        return "\n".join(line.strip() for line in header.split("\n"))

    def _outer_places(self) -> list[int]:
        """Between blocks of the top level, but not after a heading, and between sections."""
        outer = [block for block in self._blocks if block.depth == 0]
        starts = {after.start for before, after in pairwise([_TOP, *outer]) if before.kind != "heading"}
        return sorted(starts.union(section.end for section in self._sections))

    def _inner_places(self) -> list[int]:
        """Between blocks within blocks; and after a heading, if that keeps the block below it whole."""
        within = {block.start for block in self._blocks if block.depth > 0}
        below = {after.start for before, after in pairwise(self._blocks) if self._part(before, after)}
        return sorted(within | below)

    def _part(self, heading: Block, below: Block) -> bool:
        return (
            heading.kind == "heading"
            and below.stays_whole
            and self._fitting.fits(below.start, below.end, self._frame_at(below.start))
        )


def _places_within(text: str, blocks: Sequence[Block]) -> list[int]:
    """Between rows of tables, lines of code, and sentences of all else."""
    places: list[int] = []
    last = 0
    for block in (*(block for block in blocks if block.stays_whole), None):
        places.extend(last + end for _, end in sentence_spans(text[last : block.start if block else len(text)]))
        if block:
            places.extend(block.inner)
            last = block.end
    return places
