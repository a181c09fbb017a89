"""What the runner's stages hand to each other besides the vocabulary of ``eval.records``."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.chat.messages import Call


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for in a question's place, and the calls of a model that it took to say so."""

    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Reranked:
    """Scores of the chunks that a reranker was given, shape (n,), in their order; the higher the better."""

    scores: NDArray[np.float64]
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that somebody else's system used or found.

    ``doc_id`` is the document that it says it is from, ``None`` where it says nothing; ``text`` ``None`` stands for the
    whole of that document. ``id`` is the system's own name for it, ``score`` its own score.
    """

    text: str | None
    doc_id: str | None = None
    id: str | None = None
    title: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What somebody else's system gave for one question: passages, best first, and an answer if it writes one."""

    passages: tuple[Passage, ...]
    answer: str | None = None
    calls: tuple[Call, ...] = ()
