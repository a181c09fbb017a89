"""A collection in the layout of the BEIR benchmark."""

from dataclasses import replace

from eval.component import component
from eval.golden.dataset import to_dataset
from eval.records import Dataset
from eval.sources.beir import read_beir
from runner.datasets.name import DatasetName, named
from runner.shipped import resolve


@component
class BeirDataset:
    """Documents, queries and the judgements of one ``split`` from the folder ``path``.

    Some collections call a question ``multi`` when several passages were judged, any of which answers it:
    ``any_document_answers`` then reads every answerable question as ``single``.

    Without a ``name`` the folder's counts. Paths: see ``runner.shipped.resolve``.
    """

    path: str
    name: DatasetName = None
    split: str = "test"
    any_document_answers: bool = False

    def dataset_name(self) -> str:
        """The name given, or else the folder's."""
        return named(self.name, resolve(self.path).resolve().name)

    def load(self) -> Dataset:
        """Read the folder; raise ``InputError`` with file and line for everything that is wrong in it."""
        folder = resolve(self.path)
        documents, questions = read_beir(folder, self.split)
        dataset = to_dataset(self.dataset_name(), documents, questions)
        return _any_answers(dataset) if self.any_document_answers else dataset


def _any_answers(dataset: Dataset) -> Dataset:
    multi = [question for question in dataset.questions if question.type == "multi"]
    questions = tuple(
        replace(question, type="single") if question.type == "multi" else question for question in dataset.questions
    )
    note = f"{len(multi)} multi questions are read as single: any document answers"
    return replace(dataset, questions=questions, notes=(*dataset.notes, note))
