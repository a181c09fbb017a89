"""Whole sentences, packed."""

from eval.component import component
from eval.records import Chunk, Document
from eval.text.sentences import sentence_spans
from runner.chunkers.fitting import Fitting
from runner.chunkers.settings import Overlap, Size, check_overlap
from runner.chunkers.slices import Slicer, ends_before, numbered
from runner.tokens import CounterName, token_counter


@component
class SentenceChunker:
    """Packs whole sentences, English and Chinese, up to ``size`` tokens, title included.

    Neighbours share the whole sentences that are at most ``overlap`` tokens together. A sentence longer than the
    size is cut between tokens.
    """

    size: Size = 200
    overlap: Overlap = 0
    counter: CounterName = "o200k_base"

    def __post_init__(self) -> None:
        """Check overlap against size."""
        check_overlap(self.overlap, self.size)

    def chunk(self, document: Document) -> list[Chunk]:
        """Groups of sentences in document order; none for a blank document."""
        fitting = Fitting(document.text, self.size, token_counter(self.counter))
        frame = fitting.framed([document.title])
        slicer = Slicer(fitting, lambda: ends_before(document.text, (end for _, end in sentence_spans(document.text))))
        return numbered(document, slicer.slices(0, len(document.text), lambda _: frame, self.overlap))
