"""Windows of a fixed number of tokens."""

from eval.component import component
from eval.records import Chunk, Document
from runner.chunkers.fitting import Fitting
from runner.chunkers.settings import Overlap, Size, check_overlap
from runner.chunkers.slices import Slicer, numbered
from runner.tokens import CounterName, token_counter


@component
class FixedChunker:
    """Cuts wherever ``size`` tokens, title included, are full; neighbours share up to ``overlap`` tokens of text.

    Cuts go between tokens of the document, never through a grapheme that fits.
    """

    size: Size = 200
    overlap: Overlap = 0
    counter: CounterName = "o200k_base"

    def __post_init__(self) -> None:
        """Check overlap against size."""
        check_overlap(self.overlap, self.size)

    def chunk(self, document: Document) -> list[Chunk]:
        """Windows in document order; none for a blank document."""
        fitting = Fitting(document.text, self.size, token_counter(self.counter))
        frame = fitting.framed([document.title])
        slices = Slicer(fitting).slices(0, len(document.text), lambda _: frame, self.overlap)
        return numbered(document, slices)
