"""Which document a passage of somebody else's system is from.

The id that the system gives decides where the corpus holds it. Otherwise the text does:

- *exactly*: the whole text stands, blanks aside, in one document. Where it stands in several, as boilerplate does, the
  one of them that the system's id (as a path: its end, without the suffix), its own name for the passage or its title
  points at is taken; where they point at none or at several, it is *ambiguous* and belongs to no document.
- *nearly*: where it stands in none, the document that holds most of its runs of four words, if that is at least 0.7 of
  them, the text has four runs, and no other document comes within 0.1; if one does, they are told apart as above.

Runs of four, 0.7 and 0.1 were chosen on slices of six collections with marks stripped, blanks changed, words dropped,
ends cut off or a title put before: where the document was there, no mapping by nearness was wrong, and 94 of 100
slices were mapped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import normalize

from eval.records import Document
from eval.sources.folder import SUFFIXES
from runner.records import Passage
from runner.systems.notes import counted
from runner.systems.occurrences import Occurrence, occurrences

NEAR = 0.7  # share of the runs of words
MARGIN = 0.1  # by which the nearest document leads
FEWEST = 4  # runs of words below which nearness says nothing

Found = Literal["by id", "exactly", "nearly", "ambiguous", "unknown id", "not found"]

_SAID: dict[Found, str] = {
    "by id": "from the document that the system names",
    "exactly": "mapped to a document by their text, which stands in it exactly",
    "nearly": "mapped to a document by their text, most of which stands in it",
    "ambiguous": "mapped to no document: several hold their text",
    "unknown id": "mapped to no document: the corpus holds neither the id that the system names nor their text",
    "not found": "mapped to no document: no document holds their text",
}
_EXAMPLES = 3
_SHOWN = 50  # characters of an example


@dataclass(frozen=True, slots=True)
class Origin:
    """The document that a passage is from, ``""`` where that can't be said, and how it was found."""

    doc_id: str
    found: Found


def origins(passages: Sequence[Passage], documents: Sequence[Document]) -> list[Origin]:
    """The origin of each passage. The corpus is read through once if any must be found by its text, else not at all."""
    known = {document.id for document in documents}
    named = [normalize("NFC", passage.doc_id) if passage.doc_id else "" for passage in passages]
    by_text = [place for place, name in enumerate(named) if name not in known]
    texts = [passages[place].text or "" for place in by_text]
    found = occurrences(texts, documents, NEAR) if any(texts) else [[] for _ in texts]
    located = {place: _by_text(passages[place], seen, documents) for place, seen in zip(by_text, found, strict=True)}
    return [located.get(place, Origin(name, "by id")) for place, name in enumerate(named)]


def described(passages: Sequence[Passage], found: Sequence[Origin]) -> tuple[str, ...]:
    """A line for each way in which passages were mapped or not, with up to three examples; none where all have ids."""
    notes = []
    for way, said in _SAID.items():
        some = [passage for passage, origin in zip(passages, found, strict=True) if origin.found == way]
        if some and (way != "by id" or len(some) < len(passages)):
            examples = "; ".join(map(_example, some[:_EXAMPLES]))
            total = counted(len(passages), "passage", "passages")
            notes.append(f"{len(some)} of {total} {'is' if len(some) == 1 else 'are'} {said}: {examples}")
    return tuple(notes)


def _by_text(passage: Passage, seen: Sequence[Occurrence], documents: Sequence[Document]) -> Origin:
    whole = [each for each in seen if each.verbatim]
    candidates = whole or _nearest(seen)
    if not candidates:
        return Origin("", "unknown id" if passage.doc_id else "not found")
    held = [documents[each.document] for each in candidates]
    if len(held) > 1:
        held = _pointed_at(passage, held)
    return Origin(held[0].id, "exactly" if whole else "nearly") if len(held) == 1 else Origin("", "ambiguous")


def _nearest(seen: Sequence[Occurrence]) -> list[Occurrence]:
    best = max((each.share for each in seen), default=0.0)
    return [each for each in seen if each.runs >= FEWEST and each.share > best - MARGIN]


def _pointed_at(passage: Passage, candidates: Sequence[Document]) -> list[Document]:
    """Those of several documents that the passage's ids, or else its title, point at."""
    names = [_as_path(name) for name in (passage.doc_id, passage.id) if name]
    by_name = [each for each in candidates if any(f"/{name}".endswith(f"/{each.id}") for name in names)]
    title = _plain(passage.title)
    return by_name or [each for each in candidates if title and _plain(each.title) == title]


def _as_path(name: str) -> str:
    path = normalize("NFC", name).replace("\\", "/")
    return next((path.removesuffix(suffix) for suffix in SUFFIXES if path.endswith(suffix)), path)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _example(passage: Passage) -> str:
    name = passage.id or passage.doc_id
    text = " ".join((passage.text or "").split())
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return " ".join(part for part in (name, f'"{shown}"' if shown else "") if part) or "an empty passage"
