"""What each stage must offer. A new part is one file with one of these and one YAML that names it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from eval.records import Answer, Chunk, Context, Dataset, Document, Question, Ranking, Unscored


class DatasetLoader(Protocol):
    """Reads a corpus and its golden set."""

    def dataset_name(self) -> str:
        """Its name, known without reading it: it names the tracking experiment."""
        ...

    def load(self) -> Dataset:
        """Read everything; raise ``eval.errors.InputError`` naming file and line of all that is wrong."""
        ...


class Chunker(Protocol):
    """Cuts a document into slices."""

    def chunk(self, document: Document) -> list[Chunk]:
        """Slices in document order; none for a blank document."""
        ...


class Index(Protocol):
    """Chunks made searchable."""

    def rank(self, query: str) -> Ranking:
        """Rank for one question; an unknown query gives an empty ranking."""
        ...


class Retriever(Protocol):
    """Settings of a way to rank."""

    def build(self, chunks: Sequence[Chunk]) -> Index:
        """Index the chunks; their order is the corpus order that breaks ties."""
        ...


class Generator(Protocol):
    """Writes an answer from a context."""

    def generate(self, question: Question, context: Context) -> Answer | Unscored:
        """Answer from the context alone."""
        ...


class Logged(Protocol):
    """Where a run can be looked at."""

    @property
    def run_id(self) -> str:
        """Id in the tracking database."""
        ...

    @property
    def url(self) -> str:
        """Address of its page."""
        ...

    @property
    def uri(self) -> str:
        """Database or server that has it."""
        ...


class Tracking(Protocol):
    """Keeps runs side by side. It is given folders that already hold everything."""

    def check(self, experiment: str) -> None:
        """Open the experiment; raise ``EvalfirstError`` if runs can't be kept in it."""
        ...

    def log_run(self, folder: Path) -> Logged | None:
        """Log a finished run's folder; ``None`` where nothing is tracked."""
        ...

    def log_sweep(self, folder: Path) -> Logged | None:
        """Create or update the parent of a sweep's runs from its folder."""
        ...
