"""One import from its reader to the documents and questions that are kept."""

from dataclasses import dataclass

from eval.errors import InputError
from eval.importing.corpus import Corpus
from eval.importing.draft import Material
from eval.importing.ledger import Ledger
from eval.importing.questions import Questions, Sourced
from eval.records import Document


@dataclass(frozen=True)
class Imported:
    """A corpus, the questions on it, and the books of what became of the rest."""

    documents: tuple[Document, ...]
    questions: tuple[Sourced, ...]
    ledger: Ledger


def settle(material: Material, limit: int | None = None) -> Imported:
    """Apply our rules; of the usable questions only the first ``limit`` are kept, while the corpus stays whole.

    Raises:
        InputError: no question or no document is left; one line for each reason.
    """
    corpus = Corpus(material)
    questions = Questions(corpus, material.ledger, limit)
    for draft in material.questions:
        questions.add(draft)
    _drop_judgements(material, questions)
    if not questions.kept or not corpus.documents:
        raise InputError(*_nothing(material.ledger, "question" if not questions.kept else "document"))
    return Imported(tuple(corpus.documents), tuple(questions.kept), material.ledger)


def _drop_judgements(material: Material, questions: Questions) -> None:
    """A judgement goes with its question."""
    for key, places in material.judged.items():
        for where in places if key not in questions.keys else ():
            material.ledger.drop("judgements", "its question was dropped", where, key)


def _nothing(ledger: Ledger, what: str) -> list[str]:
    dropped = [
        f"{tally.count} {tally.thing} dropped: {tally.reason} (first: {tally.examples[0]})"
        for tally in ledger.tallies("dropped")
    ]
    return [f"no {what} can be used; is this the right format, and are these the right files?", *dropped]
