"""Passages that stand beside a question: made into documents, or found again in the documents of a corpus."""

from collections.abc import Sequence

import regex

from eval.fingerprints import fingerprint
from eval.importing.draft import DraftDocument, Material, Needs
from eval.importing.ledger import UnusableError
from eval.importing.lookup import Holders
from eval.importing.needs import condensed
from eval.records import Document
from eval.sources.finding import some
from eval.sources.text_file import is_blank, stated_form
from eval.text.analyzer import normalise

_SEVERAL = "passage found in several documents of the corpus; any of them counts"
_TOGETHER = "one document holds all of its passages"
_OTHER = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


class Contexts:
    """Gives for each passage the keys of the documents that hold it, any one of which will do.

    Without a corpus a passage is a document of its own. With one it is looked up by its letters and digits, whatever
    its case, blanks and punctuation: splitters of texts mend and cut just these.
    """

    def __init__(self, material: Material, corpus: Sequence[Document] | None) -> None:
        self._material = material
        self._ids = None if corpus is None else [document.id for document in corpus]
        self._holders = Holders([_comparable(f"{document.title}\n{document.text}") for document in corpus or ()])
        self._known: dict[str, tuple[str, ...]] = {}
        material.own_corpus = corpus is not None
        for document in corpus or ():
            self._add(DraftDocument(f"corpus, {document.id}", document.id, document.id, document.text, document.title))

    @property
    def in_corpus(self) -> bool:
        """Whether passages are looked up, and make no documents."""
        return self._ids is not None

    def needs(self, passages: Sequence[str], where: str) -> Needs:
        """One group for each passage that is not blank.

        Raises:
            UnusableError: a passage is in no document of the corpus.
        """
        groups: list[tuple[str, ...]] = []
        for place, passage in enumerate(passages):
            if is_blank(passage):
                self._material.ledger.change("questions", "blank passage left out", where, f"passage {place + 1}")
                continue
            groups.append(self._found(passage) if self.in_corpus else self._own(passage, where))
            if len(groups[-1]) > 1:
                self._material.ledger.change("questions", _SEVERAL, where, some(groups[-1]))
        return tuple(groups)

    def _own(self, passage: str, where: str) -> tuple[str, ...]:
        key = fingerprint(stated_form(passage))
        self._add(DraftDocument(where, key, None, passage))
        return (key,)

    def _add(self, document: DraftDocument) -> None:
        self._material.ledger.count("documents")
        self._material.documents.append(document)

    def _found(self, passage: str) -> tuple[str, ...]:
        wanted = _comparable(passage)
        if wanted not in self._known:
            ids = self._ids or ()
            self._known[wanted] = tuple(ids[number] for number in self._holders.find(wanted))
        if not wanted or not self._known[wanted]:
            raise UnusableError("a passage of it is in no document of the corpus", repr(passage[:60]))
        return self._known[wanted]


def concluded(needs: Needs, all_needed: str) -> str:
    """How the type was concluded where a question has several passages and its source says nothing of hops.

    ``all_needed`` holds where they are in several documents; one document that has all of them answers alone.
    """
    if len(needs) < 2:
        return ""
    return all_needed if len(condensed(needs)) > 1 else _TOGETHER


def _comparable(text: str) -> str:
    return _OTHER.sub("", normalise(text))
