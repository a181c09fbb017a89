"""Any embedder, with a memory: no text is embedded twice, and no vector that is none gets through."""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from eval.errors import EvalfirstError
from eval.sources.text_file import is_blank
from runner.progress import Progress, unwatched
from runner.protocols import Embedder
from runner.vector_store import Role, VectorStore
from runner.vectors import unit_vectors

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Known = dict[str, NDArray[np.float32]]


class RememberedEmbedder:
    """Fulfils ``Embedder`` for any number of texts, in batches of the size that ``embedder`` takes.

    Vectors have length 1. A text that repeats or that ``store`` knows is not embedded; each batch is kept at once, so
    that what interrupts a run loses one batch at most. A blank text is never sent; its row is zeros. What no encoder
    takes (halves of a character pair, NUL) is replaced before. May be used from several threads.
    """

    def __init__(self, embedder: Embedder, store: VectorStore, progress: Progress = unwatched) -> None:
        self._embedder, self._store, self._progress = embedder, store, progress
        self._lock = threading.Lock()
        self._asked: Known = {}  # queries are few, and asked for again
        self._dimensions: int | None = None

    @property
    def identity(self) -> str:
        """The embedder's."""
        return self._embedder.identity

    @property
    def batch(self) -> int:
        """The embedder's; any number of texts is taken."""
        return self._embedder.batch

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched in, shape (texts, dimensions).

        Raises:
            EvalfirstError: a vector is missing, has no direction, or has other dimensions than those before.
        """
        wanted = [_sendable(text) for text in texts]
        with self._lock:
            known = self._known("document", self._embedder.documents, wanted)
            return self._rows(wanted, known)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts that are searched for, shape (texts, dimensions); raises as ``documents``."""
        wanted = [_sendable(text) for text in texts]
        with self._lock:
            new = [text for text in wanted if text not in self._asked]
            self._asked |= self._known("query", self._embedder.queries, new)
            return self._rows(wanted, self._asked)

    def _known(self, role: Role, embed: Embed, texts: Sequence[str]) -> Known:
        """A vector for each text that is not blank."""
        wanted = [text for text in dict.fromkeys(texts) if not is_blank(text)]
        known = self._store.get(self.identity, role, wanted)
        missing = [text for text in wanted if text not in known]
        if getattr(self._embedder, "only_estimates", False):
            self._count(role, embed, missing)
            return self._made_up(wanted, known)
        self._check_dimensions(known.values())
        if missing:
            with self._store.making(self.identity):
                known |= self._store.get(self.identity, role, missing)  # another process may have made them meanwhile
                self._check_dimensions(known.values())
                missing = [text for text in missing if text not in known]
                self._in_batches(missing, lambda batch: known.update(self._made(role, embed, batch)))
        return known

    def _in_batches(self, texts: Sequence[str], do: Callable[[Sequence[str]], None]) -> None:
        """Do it for all texts; whoever watches is told of each batch, where there are several."""
        batches = [texts[start : start + self.batch] for start in range(0, len(texts), self.batch)]
        watch = self._progress if len(batches) > 1 else unwatched
        with watch("embed", len(batches)) as done:
            for batch in batches:
                do(batch)
                done()

    def _made(self, role: Role, embed: Embed, batch: Sequence[str]) -> Known:
        vectors = unit_vectors(np.asarray(embed(batch)), batch, self.identity)
        self._check_dimensions(vectors[:1])
        made = dict(zip(batch, vectors, strict=True))
        self._store.put(self.identity, role, made)
        return made

    def _count(self, role: Role, embed: Embed, missing: Sequence[str]) -> None:
        """Have the calls counted that would be made: none for what would be kept by then."""

        def count(batch: Sequence[str]) -> None:
            with suppress(EvalfirstError):
                embed(batch)

        self._in_batches(self._store.foresee(self.identity, role, missing), count)

    def _made_up(self, texts: Sequence[str], known: Known) -> Known:
        """Any vectors for what is not known, kept nowhere, and for what does not go with those that were made up."""
        if self._dimensions is None:
            self._dimensions = next((len(vector) for vector in known.values()), 1)
        vector = np.eye(1, self._dimensions, dtype=np.float32)[0]
        return {text: found if len(found := known.get(text, vector)) == self._dimensions else vector for text in texts}

    def _check_dimensions(self, vectors: Iterable[NDArray[np.float32]]) -> None:
        for vector in vectors:
            if self._dimensions is None:
                self._dimensions = len(vector)
            if len(vector) != self._dimensions:
                raise EvalfirstError(
                    f"the model {self.identity} gave vectors of {self._dimensions} and of {len(vector)} dimensions, "
                    "which can't be compared: it has changed under its name; name its version, or delete what is kept "
                    f"of it ({self._store.place})"
                )

    def _rows(self, texts: Sequence[str], known: Known) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self._dimensions or 0), dtype=np.float32)
        for place, text in enumerate(texts):
            if text in known:
                rows[place] = known[text]
        return rows


def _sendable(text: str) -> str:
    """``text`` as every encoder takes it: NUL would end it for some, and half of a character pair is no character."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", " ")
