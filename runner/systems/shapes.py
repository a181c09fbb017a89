"""Passages and answers read from the shapes in which the common tools give them, as JSON or as Python objects."""

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

from eval.sources.finding import WrongValueError
from eval.sources.text_file import is_blank
from runner.records import Passage

# The first of these that is there counts.
ANSWER = ("answer", "response", "output", "result")
CONTEXTS = ("contexts", "passages", "retrieved_contexts", "context", "documents", "source_documents", "source_nodes")
DOC_ID = ("doc_id", "document_id", "source", "ref_doc_id")
_TEXT = ("text", "page_content", "content")
_ID = ("id", "id_", "chunk_id", "passage_id")
_METADATA = ("metadata", "meta")
MOST_PASSAGES = 100_000  # for one question; a generator that never ends would fill the memory


def value_of(thing: Any, keys: Sequence[str]) -> Any:
    """The first value that ``thing`` has under one of the keys or attributes; ``None`` if it has none."""
    for key in keys:
        value = thing.get(key) if isinstance(thing, Mapping) else getattr(thing, key, None)
        if value is not None and not callable(value):
            return value
    return None


def has_any(thing: Any, keys: Sequence[str]) -> bool:
    """Whether ``thing`` has one of the keys or attributes, be it empty."""
    return any(key in thing if isinstance(thing, Mapping) else hasattr(thing, key) for key in keys)


def passages_of(values: Any, doc_id_keys: Sequence[str] = DOC_ID) -> tuple[Passage, ...]:
    """The passages of a list, best first.

    Raises:
        WrongValueError: it is no list, one of its members is no passage (says which), or they are more than
            ``MOST_PASSAGES``.
    """
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise WrongValueError(f"must be a list of passages (got {_kind(values)})")
    read = []
    for place, value in enumerate(values):
        if place == MOST_PASSAGES:
            raise WrongValueError(f"must be at most {MOST_PASSAGES} passages")
        try:
            read.append(passage_of(value, doc_id_keys))
        except WrongValueError as error:
            raise WrongValueError(f"[{place}] {error}") from error
    return tuple(read)


def passage_of(value: Any, doc_id_keys: Sequence[str] = DOC_ID) -> Passage:
    """A passage from text, ``(text, doc_id)``, ``(text, doc_id, score)``, ``(object, score)``, or an object.

    An object is a mapping, or has attributes: text (or ``page_content``, ``content``), id, score, title, and the id of
    its document under the first of ``doc_id_keys`` that is there; title and that id may stand in its ``metadata`` (or
    ``meta``). Without a text it stands for the whole of its document. One around a ``node``, as LlamaIndex gives it,
    is read from that node.

    Raises:
        WrongValueError: it is none of these.
    """
    if isinstance(value, Passage):
        return _of_object(value, ("doc_id",))
    if isinstance(value, str):
        return Passage(value)
    if isinstance(value, tuple):
        return _of_tuple(value, doc_id_keys)
    if value is None or isinstance(value, (bytes, list, Real)):
        raise WrongValueError(f"must be text or an object with text or a document's id (got {_kind(value)})")
    return _of_object(value, doc_id_keys)


def _of_tuple(value: tuple[Any, ...], doc_id_keys: Sequence[str]) -> Passage:
    first, *others = value or (None,)
    if isinstance(first, str) and len(others) <= 2:
        doc_id, score = (*others, None, None)[:2]
        return Passage(first, name_of(doc_id, "the second of a tuple"), score=score_of(score))
    if first is None or isinstance(first, str) or len(others) != 1:
        raise WrongValueError(f"must be (text, doc_id), (text, doc_id, score) or (object, score) (got {_kind(value)})")
    read = passage_of(first, doc_id_keys)
    return Passage(read.text, read.doc_id, read.id, read.title, score_of(others[0]))


def _of_object(value: Any, doc_id_keys: Sequence[str]) -> Passage:
    node = value_of(value, ("node",)) or value
    metadata = value_of(node, _METADATA) or {}
    content = getattr(node, "get_content", None)
    text = content() if callable(content) else value_of(node, _TEXT)
    ids = (value_of(holder, (key,)) for key in doc_id_keys for holder in (metadata, node))
    name = name_of(next((each for each in ids if each is not None), None), " or ".join(doc_id_keys))
    if text is not None and not isinstance(text, str):
        raise WrongValueError(f"has a text that is no text (got {_kind(text)})")
    if text is None and name is None:
        raise WrongValueError(f"has neither a text ({', '.join(_TEXT)}) nor a document's id ({', '.join(doc_id_keys)})")
    title = value_of(node, ("title",)) or value_of(metadata, ("title",)) or ""
    return Passage(text, name, name_of(value_of(node, _ID), "id"), str(title), score_of(value_of(value, ("score",))))


def name_of(value: Any, what: str) -> str | None:
    """An id as text; a number is taken as its digits, a blank one as none.

    Raises:
        WrongValueError: it can't be an id.
    """
    if value is None:
        return None
    if isinstance(value, (bool, float, Mapping, list, tuple)):
        raise WrongValueError(f"{what} must be an id (got {_kind(value)})")
    return None if is_blank(str(value)) else str(value)


def score_of(value: Any) -> float | None:
    """A score as a number, also where a library has a class of its own for that; ``None`` where there is none.

    Raises:
        WrongValueError: it is no number, or not finite.
    """
    if value is None:
        return None
    try:
        score = math.nan if isinstance(value, (bool, str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise WrongValueError(f"score must be a finite number (got {_kind(value)})")
    return score


def _kind(value: Any) -> str:
    shown = " ".join(repr(value).split())
    return f"{type(value).__name__} {shown[:40]}{'…' if len(shown) > 40 else ''}"
