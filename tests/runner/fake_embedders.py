"""Embedders whose vectors are known, and that remember what they were asked."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from eval.records import Chunk

WORDS = ("fee", "leave", "api", "parking")


def chunks_of(*texts: str) -> list[Chunk]:
    return [Chunk(f"d{number}#0", f"d{number}", 0, len(text), text) for number, text in enumerate(texts, 1)]


@dataclass
class WordCounter:
    """A vector counts the words of its text; a text with none of them has no direction."""

    identity: str = "word-counter 1"
    batch: int = 2
    sent: list[list[str]] = field(default_factory=list)

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.sent.append(list(texts))
        assert len(texts) <= self.batch
        return np.array([[text.split().count(word) for word in WORDS] for text in texts], dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.documents(texts)


@dataclass
class Hashing:
    """A vector follows from identity, kind and text, as arbitrary as numbers get; any text has one."""

    identity: str = "hashing 1"
    batch: int = 3
    dimensions: int = 8
    sent: list[list[str]] = field(default_factory=list)

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._vectors("document", texts)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._vectors("query", texts)

    def _vectors(self, kind: str, texts: Sequence[str]) -> NDArray[np.float32]:
        self.sent.append(list(texts))
        assert len(texts) <= self.batch
        rows = [hashlib.sha256(f"{self.identity}|{kind}|{text}".encode()).digest()[: self.dimensions] for text in texts]
        return np.array([list(row) for row in rows], dtype=np.float32) - 127.5


@dataclass
class Fixed:
    """Gives the same array whatever it is asked."""

    vectors: NDArray[np.float32]
    identity: str = "fixed 1"
    batch: int = 100

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:  # noqa: ARG002 – the Protocol's name
        return self.vectors

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:  # noqa: ARG002 – as above
        return self.vectors
