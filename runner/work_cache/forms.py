"""Results of stages as arrays and back: no object is unpickled, so a file can be wrong but never run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from eval.records import Chunk, Document, Ranking
from runner.protocols import Index, Restoring, Retriever, Storable
from runner.records import Reranked
from runner.work_cache.store import Arrays

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """``arrays`` of a value, ``None`` where it can't be kept, and the ``value`` of arrays."""

    arrays: Callable[[T], Arrays | None]
    value: Callable[[Arrays], T]


NUMBERS: Form[NDArray[np.int64]] = Form(lambda numbers: {"numbers": numbers}, lambda arrays: arrays["numbers"])


def chunks_of(documents: Sequence[Document]) -> Form[list[Chunk]]:
    """Chunks as places in their documents; those that are no slices are not kept."""
    numbers = {document.id: number for number, document in enumerate(documents)}

    def arrays(chunks: list[Chunk]) -> Arrays | None:
        owners = [documents[numbers[chunk.doc_id]] for chunk in chunks]
        if any(owner.text[each.start : each.end] != each.text for owner, each in zip(owners, chunks, strict=True)):
            return None
        return {
            "owners": np.array([numbers[chunk.doc_id] for chunk in chunks], dtype=np.int32),
            "starts": np.array([chunk.start for chunk in chunks], dtype=np.int64),
            "ends": np.array([chunk.end for chunk in chunks], dtype=np.int64),
            **_texts("ids", [chunk.id for chunk in chunks]),
            **_texts("titles", [chunk.title for chunk in chunks]),
            **_texts("leads", [chunk.lead for chunk in chunks]),
        }

    def value(kept: Arrays) -> list[Chunk]:
        places = zip(*(kept[name].tolist() for name in ("owners", "starts", "ends")), strict=True)
        words = zip(*(_read_texts(name, kept) for name in ("ids", "titles", "leads")), strict=True)
        return [
            Chunk(name, documents[owner].id, start, end, documents[owner].text[start:end], title, lead)
            for (owner, start, end), (name, title, lead) in zip(places, words, strict=True)
        ]

    return Form(arrays, value)


def index_of(retriever: Retriever, chunks: Sequence[Chunk]) -> Form[Index]:
    """An index that can be kept, of a retriever that can restore it."""

    def arrays(index: Index) -> Arrays | None:
        return index.arrays() if isinstance(index, Storable) and isinstance(retriever, Restoring) else None

    def value(kept: Arrays) -> Index:
        if not isinstance(retriever, Restoring):
            raise TypeError(f"{type(retriever).__name__} kept an index that it can't restore")
        return retriever.restore(chunks, kept)

    return Form(arrays, value)


def _rankings(rankings: list[Ranking]) -> Arrays:
    return {
        "lengths": np.array([len(ranking.positions) for ranking in rankings], dtype=np.int64),
        "positions": np.concatenate([np.empty(0, np.int32), *(ranking.positions for ranking in rankings)]),
        "scores": np.concatenate([np.empty(0, np.float64), *(ranking.scores for ranking in rankings)]),
    }


def _read_rankings(kept: Arrays) -> list[Ranking]:
    return [Ranking(kept["positions"][part], kept["scores"][part]) for part in _parts(kept["lengths"])]


def _scores(reranked: list[Reranked]) -> Arrays | None:
    """What a model was paid for is kept with its bill, in the cache of calls."""
    if any(each.calls for each in reranked):
        return None
    return {
        "lengths": np.array([len(each.scores) for each in reranked], dtype=np.int64),
        "scores": np.concatenate([np.empty(0, np.float64), *(each.scores for each in reranked)]),
    }


def _read_scores(kept: Arrays) -> list[Reranked]:
    return [Reranked(kept["scores"][part]) for part in _parts(kept["lengths"])]


def _parts(lengths: NDArray[np.int64]) -> list[slice]:
    """Where pieces that stand one behind the other begin and end."""
    ends = np.cumsum(lengths).tolist()
    return [slice(end - length, end) for end, length in zip(ends, lengths.tolist(), strict=True)]


RANKINGS: Form[list[Ranking]] = Form(_rankings, _read_rankings)
SCORES: Form[list[Reranked]] = Form(_scores, _read_scores)


@cache
def records(kind: type[T]) -> Form[list[T]]:
    """A record for each question, as JSON; not where a model was asked for any: its replies are kept with their bills.

    Text that is no Unicode, of which JSON can't be, keeps a result from being kept.
    """
    adapter: TypeAdapter[list[T]] = TypeAdapter(list[kind])  # type: ignore[valid-type]  # a type at run time

    def arrays(values: list[T]) -> Arrays | None:
        if any(getattr(value, "calls", ()) for value in values):
            return None
        try:
            return {"json": np.frombuffer(adapter.dump_json(values), dtype=np.uint8)}
        except PydanticSerializationError:
            return None

    return Form(arrays, lambda kept: adapter.validate_json(kept["json"].tobytes()))


def _texts(name: str, texts: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Texts as one row of bytes and their lengths."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return {
        name: np.frombuffer(b"".join(encoded), dtype=np.uint8),
        f"{name}_lengths": np.array([len(text) for text in encoded], dtype=np.int64),
    }


def _read_texts(name: str, kept: Arrays) -> list[str]:
    whole = kept[name].tobytes()
    return [whole[part].decode("utf-8", "surrogatepass") for part in _parts(kept[f"{name}_lengths"])]
