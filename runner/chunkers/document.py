"""The whole document as one chunk."""

from eval.component import component
from eval.records import Chunk, Document
from runner.chunkers.fitting import Frame
from runner.chunkers.slices import Slice, numbered


@component
class DocumentChunker:
    """Leaves documents whole, whatever their size: the measure of what cutting costs or gains."""

    def chunk(self, document: Document) -> list[Chunk]:
        """One slice, without blanks at its edges; none for a blank document."""
        text = document.text
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        frame = Frame(title=" ".join(document.title.split()))
        return numbered(document, [Slice(start, end, frame)] if start < end else [])
