"""A collection in the layout of the BEIR benchmark."""

from eval.component import component
from eval.golden.dataset import to_dataset
from eval.records import Dataset
from eval.sources.beir import read_beir
from runner.datasets.name import DatasetName, named
from runner.shipped import resolve


@component
class BeirDataset:
    """Documents, queries and the judgements of one ``split`` from the folder ``path``.

    Without a ``name`` the folder's counts. Paths: see ``runner.shipped.resolve``.
    """

    path: str
    name: DatasetName = None
    split: str = "test"

    def dataset_name(self) -> str:
        """The name given, or else the folder's; raise ``InputError`` if that cannot be one."""
        return named(self.name, resolve(self.path).resolve().name)

    def load(self) -> Dataset:
        """Read the folder; raise ``InputError`` with file and line for everything that is wrong in it."""
        folder = resolve(self.path)
        documents, questions = read_beir(folder, self.split)
        return to_dataset(self.dataset_name(), documents, questions)
