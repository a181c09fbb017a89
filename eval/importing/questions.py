"""Drafts of questions to entries that keep every rule of ours; what can't is dropped with its reason."""

import unicodedata
from dataclasses import dataclass

from eval.importing.corpus import Corpus
from eval.importing.draft import DraftQuestion, Needs
from eval.importing.ids import Names
from eval.importing.ledger import Ledger, UnusableError
from eval.importing.needs import as_rule
from eval.importing.texts import whole
from eval.records import Question, QuestionType
from eval.sources.finding import some
from eval.sources.text_file import is_blank


@dataclass(frozen=True, slots=True)
class Sourced:
    """A question and where it comes from: the file's name and the place in it, without folders."""

    question: Question
    source: str


class Questions:
    """The questions that are kept, at most ``limit``, in their order."""

    def __init__(self, corpus: Corpus, ledger: Ledger, limit: int | None) -> None:
        self.kept: list[Sourced] = []
        self._corpus, self._ledger, self._limit = corpus, ledger, limit
        self._names = Names("questions", "q", ledger)
        self.keys: set[str] = set()  # what judgements call those that are kept
        self._first: dict[object, tuple[object, str]] = {}

    def add(self, draft: DraftQuestion) -> None:
        """Keep one more, or tell the ledger why not."""
        try:
            self._keep(draft)
        except UnusableError as unusable:
            self._ledger.drop("questions", unusable.reason, draft.where, unusable.detail)

    def _keep(self, draft: DraftQuestion) -> None:
        text = whole(draft.text, "questions", draft.where, self._ledger)
        if is_blank(text):
            raise UnusableError("blank question")
        kind, documents = _rule(draft, self._corpus)
        self._once(draft, (text, kind, documents))
        if self._limit is not None and len(self.kept) >= self._limit:
            raise UnusableError(f"beyond the first {self._limit} that --limit asks for")
        name = self._names.give(draft.id, [text], draft.where)
        self.keys.add(unicodedata.normalize("NFC", str(draft.id)))
        self._tell(draft, name, kind)
        answer = whole(draft.answer, "questions", draft.where, self._ledger)
        question = Question(name, text, kind, documents, None if is_blank(answer) else answer, draft.tags)
        self.kept.append(Sourced(question, draft.where.replace("\\", "/").rsplit("/", 1)[-1]))

    def _once(self, draft: DraftQuestion, content: object) -> None:
        """A question with an id is known by it, one without by what it asks."""
        key = content if draft.id is None else str(draft.id)
        if key not in self._first:
            self._first[key] = (content, draft.where)
            return
        known, where = self._first[key]
        if known == content:
            raise UnusableError("the same question again, merged with the first", f"see {where}")
        raise UnusableError("its id is taken by another question", f"{draft.id!r} is taken by {where}")

    def _tell(self, draft: DraftQuestion, name: str, kind: QuestionType) -> None:
        if draft.guess:
            self._ledger.change("questions", f"type concluded: {draft.guess}", draft.where, f"{name} is {kind}")
        if draft.declared_multi and kind == "single":
            reason = "multi with one document is now single, as there is no second hop"
            self._ledger.change("questions", reason, draft.where, name)


def _rule(draft: DraftQuestion, corpus: Corpus) -> tuple[QuestionType, tuple[str, ...]]:
    keys = list(dict.fromkeys(key for group in draft.needs for key in group))
    if draft.unanswerable and keys:
        raise UnusableError("is said to have no answer, yet lists documents", some(keys))
    if draft.unanswerable:
        return "none", ()
    if not keys:
        raise UnusableError("lists no document, and nothing says that none answers it")
    if not corpus.blank.isdisjoint(keys):
        raise UnusableError("its passage is blank")
    if unknown := [key for key in keys if key not in corpus.ids]:
        raise UnusableError("lists documents that are not in the corpus or were dropped", some(unknown))
    needs: Needs = tuple(tuple(corpus.ids[key] for key in group) for group in draft.needs)
    rule = as_rule(needs)
    if rule is None:
        shown = " and ".join(f"({' or '.join(group)})" for group in needs)
        raise UnusableError("needs several documents, one of them from alternatives; no rule of ours says that", shown)
    return rule
