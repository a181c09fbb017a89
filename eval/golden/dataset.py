"""A corpus and a golden set put together for a run."""

from collections.abc import Callable, Sequence

from eval.errors import InputError
from eval.golden.check import refusals, thin_multis
from eval.golden.entry import GoldenSet
from eval.records import Dataset, Document
from eval.sources.finding import some
from eval.sources.text_file import is_blank


def read_both(
    documents: Callable[[], Sequence[Document]], golden: Callable[[], GoldenSet]
) -> tuple[Sequence[Document], GoldenSet]:
    """What the two readers give; if one fails, what is wrong with the other is told as well.

    Raises:
        InputError: the problems of both.
    """
    problems: list[str] = []
    corpus: Sequence[Document] = ()
    try:
        corpus = documents()
    except InputError as error:
        problems.extend(error.problems)
    try:
        questions = golden()
    except InputError as error:
        raise InputError(*problems, *error.problems) from error
    if problems:
        raise InputError(*problems, *(str(found) for found in questions.findings if found.level == "error"))
    return corpus, questions


def to_dataset(name: str, documents: Sequence[Document], golden: GoldenSet) -> Dataset:
    """The dataset, with what is odd about it in its notes.

    Raises:
        InputError: one line for everything that would make the measures meaningless.
    """
    refused = refusals(golden, documents)
    if refused:
        raise InputError(*map(str, refused))
    notes = (*golden.notes, *_blank(documents), *_thin(golden), *map(str, golden.findings))
    return Dataset(name, tuple(documents), golden.questions, notes)


def _blank(documents: Sequence[Document]) -> list[str]:
    blank = [document.id for document in documents if is_blank(document.text)]
    if not blank:
        return []
    what = "1 blank document gives" if len(blank) == 1 else f"{len(blank)} blank documents give"
    return [f"{what} no chunks: {some(blank)}"]


def _thin(golden: GoldenSet) -> list[str]:
    thin = [entry.question.id for entry in thin_multis(golden)]
    return [f"multi questions with a single document, measured as they stand: {some(thin)}"] if thin else []
