"""What a reader hands over: documents and questions in the words of their source, before any rule of ours."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval.importing.ledger import Ledger

# One document of every group answers the question: (("a", "b"), ("c",)) is (a or b) and c.
Needs = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class DraftDocument:
    """One text. ``key`` is what questions of the same source refer to, ``id`` the name it would like to have."""

    where: str
    key: str
    id: object
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class DraftQuestion:
    """One question.

    ``needs`` are keys of documents; a question without any must be ``unanswerable`` to be kept. ``declared_multi``
    where the source itself calls it multi-hop. ``guess`` says how the type was concluded where the source gives none.
    """

    where: str
    text: str
    needs: Needs
    id: object = None
    unanswerable: bool = False
    declared_multi: bool = False
    guess: str = ""
    answer: str = ""
    tags: tuple[str, ...] = ()


@dataclass
class Material:
    """Everything that a reader found, with its ledger; ``own_corpus`` where documents came as a corpus of their own.

    ``judged`` are the places of the judgements that make documents answers, by the id of their question as text.
    """

    ledger: Ledger
    documents: list[DraftDocument] = field(default_factory=list)
    questions: list[DraftQuestion] = field(default_factory=list)
    own_corpus: bool = True
    judged: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """What is to be read: files or folders, the corpus where it lies apart, and a format's options."""

    sources: tuple[Path, ...]
    corpus: Path | None = None
    split: str | None = None
    columns: tuple[tuple[str, str], ...] = ()


def any_of(keys: Iterable[str]) -> Needs:
    """Any one of the documents answers."""
    group = tuple(dict.fromkeys(keys))
    return (group,) if group else ()


def all_of(keys: Iterable[str]) -> Needs:
    """Every one of the documents is needed."""
    return tuple((key,) for key in dict.fromkeys(keys))
