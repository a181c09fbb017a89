"""Drafts of documents to a corpus that keeps every rule of ours."""

from eval.importing.draft import DraftDocument, Material
from eval.importing.ids import Names
from eval.importing.texts import whole
from eval.records import Document
from eval.sources.text_file import is_blank


class Corpus:
    """The documents in their order, the id that each key of the source was given, and the keys of blank passages.

    In a source's own corpus a blank document stays, as leaving it out would change what is searched; a blank passage
    beside a question is none.
    """

    def __init__(self, material: Material) -> None:
        self.documents: list[Document] = []
        self.ids: dict[str, str] = {}
        self.blank: set[str] = set()
        self._ledger, self._own = material.ledger, material.own_corpus
        self._names = Names("documents", "doc", material.ledger)
        self._first: dict[str, tuple[list[str], str]] = {}
        for draft in material.documents:
            self._add(draft)

    def _add(self, draft: DraftDocument) -> None:
        content = [whole(text, "documents", draft.where, self._ledger) for text in (draft.title, draft.text)]
        if draft.key in self._first:
            self._again(draft, content)
            return
        self._first[draft.key] = (content, draft.where)
        if is_blank(content[1]) and not self._own:
            self.blank.add(draft.key)
            self._ledger.drop("documents", "blank passage", draft.where)
            return
        if is_blank(content[1]):
            self._ledger.change("documents", "blank, kept as a part of the corpus; it gives no chunks", draft.where)
        name = self._names.give(draft.id, content, draft.where)
        self.ids[draft.key] = name
        self.documents.append(Document(name, content[1], content[0]))

    def _again(self, draft: DraftDocument, content: list[str]) -> None:
        known, where = self._first[draft.key]
        if known == content:
            self._ledger.drop(
                "documents", "the same document again, merged with the first", draft.where, f"see {where}"
            )
            return
        taken = f"{draft.id!r} is taken by {where}"
        self._ledger.drop("documents", "its id is taken by a document with another text", draft.where, taken)
