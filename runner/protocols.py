"""What each stage must offer. A new part is one file with one of these and one YAML that names it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from eval.records import Answer, Chunk, Context, Dataset, Document, Question, Ranking, Unscored
from runner.records import Query, Reranked, Response


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
        """Rank for one query. A blank one finds nothing; by words, nor does one of which no word is known."""
        ...


@runtime_checkable
class Foresighted(Protocol):
    """An index that works faster when it knows all queries beforehand, as one that embeds them in batches does."""

    def foresee(self, queries: Sequence[str]) -> None:
        """These will be ranked for. Changes no ranking."""
        ...


@runtime_checkable
class Storable(Protocol):
    """An index that can be kept as arrays: what it computed from the chunks outlives the process that did.

    Its retriever is ``Restoring``: from the same settings, the same chunks and these arrays it makes an index that
    ranks bit by bit as this one does, without computing it anew.
    """

    def arrays(self) -> Mapping[str, NDArray[Any]] | None:
        """Everything that was computed, by name, as arrays of numbers or of text without Python objects in them.

        ``None`` where it can't be kept after all, as an index made of others can't when one of them is not storable.
        """
        ...


@runtime_checkable
class Restoring(Protocol):
    """A retriever whose index can be made again from its arrays."""

    def restore(self, chunks: Sequence[Chunk], arrays: Mapping[str, NDArray[Any]]) -> Index:
        """The index over ``chunks`` that gave ``arrays`` when it was built by these settings."""
        ...


class Retriever(Protocol):
    """Settings of a way to rank."""

    def build(self, chunks: Sequence[Chunk]) -> Index:
        """Index the chunks; their order is the corpus order that breaks ties."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. Two with an equal ``identity`` give equal vectors for equal texts."""

    @property
    def identity(self) -> str:
        """The model, its version, and whatever else its vectors follow from."""
        ...

    @property
    def batch(self) -> int:
        """Texts that it takes at a time."""
        ...

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched in, shape (n, dimensions); none of the texts is blank."""
        ...

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched for, shape (n, dimensions); none of the texts is blank."""
        ...


Search = Callable[[str, int], Sequence[Chunk]]
"""The best chunks for a query by the retriever that is measured, at most as many as the number says."""


class QueryMaker(Protocol):
    """Says what is searched for in a question's place."""

    def make(self, question: str, search: Search) -> Query | Unscored:
        """The query; unscored where it depends on a call that failed."""
        ...


class Reranker(Protocol):
    """Reads question and chunk together, and puts the head of a ranking in a better order."""

    @property
    def depth(self) -> int:
        """How many chunks from the head are reordered; 0 leaves every ranking as it is."""
        ...

    def score(self, question: str, chunks: Sequence[Chunk]) -> Reranked | Unscored:
        """A score for each chunk; unscored where it depends on a call that failed."""
        ...


class ForeignSystem(Protocol):
    """Somebody else's system, asked or recorded. It stands in the place of chunks, retriever and reranker."""

    @property
    def answers(self) -> bool:
        """Whether it writes answers itself; if not, the generator answers from what it found."""
        ...

    def ready(self, questions: Sequence[Question]) -> Sequence[str]:
        """Get ready for these questions, before any is timed; gives notes for the run.

        Raises:
            InputError: it can answer none of them.
        """
        ...

    def respond(self, question: Question) -> Response | Unscored:
        """What it gives for a question; unscored where it gave nothing that can be read."""
        ...


@runtime_checkable
class Reviewing(Protocol):
    """A system that can tell more of a run when it has been asked everything."""

    def review(self, responses: Sequence[Response | Unscored]) -> Sequence[str]:
        """Notes on what it gave for all questions."""
        ...


@runtime_checkable
class Stoppable(Protocol):
    """A system that can be asked no more: when a run's deadline is over, and at its end, however it ends."""

    def stop(self, reason: str) -> None:
        """Let every waiting thread go at once; what is asked then is unscored for this reason. From any thread."""
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
