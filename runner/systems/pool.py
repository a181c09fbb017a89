"""From what somebody else's system gave for all questions to chunks and rankings, as the stages after it need them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.records import Chunk, Document, Ranking, Unscored
from eval.sources.finding import some
from runner.records import Passage, Response
from runner.systems.mapping import Found, Origin, described, origins
from runner.systems.notes import counted

_Key = tuple[str | None, str, bool, str]
_Source = tuple[str | None, str | None, str | None, str]


@dataclass(frozen=True, eq=False)
class Pool:
    """The distinct passages of all responses, and each question's ranking of them.

    ``chunks`` stand in corpus order: by document, then by place in it; those that no document is known for stand last,
    in the order in which they first came. ``origins`` has one for each. ``rankings`` has one for each question, in the
    order that the system gave: equal scores stand as they came, and a question without a response has an empty one.

    A chunk is what the system showed, so two things that a ``Chunk`` promises hold only in part. ``doc_id`` is ``""``
    where the document is not known. ``document.text[start:end] == text`` holds where the text stands in its document to
    the letter (at the first such place); a text that the system cleaned up or cut is kept as it showed it, with
    ``start`` and ``end`` 0. A passage without text is the whole of its document.
    """

    chunks: list[Chunk]
    origins: tuple[Origin, ...]
    rankings: list[Ranking]
    notes: tuple[str, ...]

    @property
    def counts(self) -> Mapping[Found, int]:
        """How many chunks were mapped in which way."""
        return Counter(origin.found for origin in self.origins)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A passage with its origin, and where it stands there; equal ``key`` means the same chunk."""

    passage: Passage
    origin: Origin
    text: str
    start: int
    end: int
    title: str

    @property
    def key(self) -> _Key:
        """Its own id, the document (where it is not known: the system's name for it) and the text."""
        known = bool(self.origin.doc_id)
        return (self.passage.id, self.origin.doc_id or self.passage.doc_id or "", known, self.text)


def pool_of(responses: Sequence[Response | Unscored], documents: Sequence[Document]) -> Pool:
    """Put the passages of all responses, one for each question, into one sequence of chunks with rankings over it."""
    given = [response.passages if isinstance(response, Response) else () for response in responses]
    pieces = _pieces([passage for passages in given for passage in passages], documents)
    distinct: dict[_Key, _Piece] = {}
    for piece in pieces.values():
        distinct.setdefault(piece.key, piece)
    ordered = _in_corpus_order(list(distinct.values()), documents)
    positions = {piece.key: position for position, piece in enumerate(ordered)}
    listed = [[(positions[pieces[_source(each)].key], each.score) for each in passages] for passages in given]
    found = tuple(piece.origin for piece in ordered)
    notes = (*described([piece.passage for piece in ordered], found), *_repeats(listed))
    return Pool(_chunks(ordered), found, [_ranking(ranked) for ranked in listed], notes)


def _pieces(passages: Sequence[Passage], documents: Sequence[Document]) -> dict[_Source, _Piece]:
    """One piece for each passage that differs from the others in more than its score."""
    first: dict[_Source, Passage] = {}
    for passage in passages:
        first.setdefault(_source(passage), passage)
    by_id = {document.id: document for document in documents}
    found = zip(first.items(), origins(list(first.values()), documents), strict=True)
    return {source: _piece(passage, origin, by_id.get(origin.doc_id)) for (source, passage), origin in found}


def _source(passage: Passage) -> _Source:
    return (passage.doc_id, passage.id, passage.text, passage.title)


def _piece(passage: Passage, origin: Origin, document: Document | None) -> _Piece:
    if passage.text is None and document:
        title = passage.title or " ".join(document.title.split())
        return _Piece(passage, origin, document.text, 0, len(document.text), title)
    text = passage.text or ""
    start = document.text.find(text) if document else -1
    return _Piece(passage, origin, text, max(start, 0), start + len(text) if start >= 0 else 0, passage.title)


def _in_corpus_order(pieces: list[_Piece], documents: Sequence[Document]) -> list[_Piece]:
    numbers = {document.id: number for number, document in enumerate(documents)}
    return sorted(pieces, key=lambda piece: (numbers.get(piece.origin.doc_id, len(numbers)), piece.start))


def _chunks(pieces: Sequence[_Piece]) -> list[Chunk]:
    """The pieces as chunks; each has an id of its own, even where the system gave one id to several texts."""
    taken: set[str] = set()
    chunks = []
    numbers: Counter[str] = Counter()
    for piece in pieces:
        owner = piece.origin.doc_id
        name = piece.passage.id or f"{owner or 'unmapped'}#{numbers[owner]}"
        numbers[owner] += 1
        own, again = name, 1
        while own in taken:
            again += 1
            own = f"{name} ({again})"
        taken.add(own)
        chunks.append(Chunk(own, owner, piece.start, piece.end, piece.text, piece.title))
    return chunks


def _ranking(listed: Sequence[tuple[int, float | None]]) -> Ranking:
    """Each chunk at its first rank; the system's own scores where all have one and none rises, else 1/rank."""
    first: dict[int, float | None] = {}
    for position, score in listed:
        first.setdefault(position, score)
    own = np.array([np.nan if score is None else score for score in first.values()], dtype=np.float64)
    usable = np.isfinite(own).all() and (np.diff(own) <= 0).all()
    scores = own if usable else 1.0 / np.arange(1, len(own) + 1)
    return Ranking(np.array(list(first), dtype=np.int32), scores)


def _repeats(listed: Sequence[Sequence[tuple[int, float | None]]]) -> tuple[str, ...]:
    counts = [len(ranked) - len({position for position, _ in ranked}) for ranked in listed]
    rankings = [str(number) for number, count in enumerate(counts, start=1) if count]
    repeats = counted(
        sum(counts),
        "passage repeats an earlier one of the same ranking and counts",
        "passages repeat an earlier one of the same ranking and count",
    )
    return (f"{repeats} at the first rank only, in the questions at place {some(rankings)}",) if rankings else ()
