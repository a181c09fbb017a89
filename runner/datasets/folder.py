"""A folder of Markdown or text files, with a golden set beside it."""

from eval.component import component
from eval.golden.dataset import read_both, to_dataset
from eval.golden.read import read_golden
from eval.records import Dataset
from eval.sources.folder import read_folder
from runner.datasets.name import DatasetName, named
from runner.shipped import resolve


@component
class FolderDataset:
    """Documents from ``path``, questions from ``golden`` (``.json`` or ``.jsonl``).

    Without a ``name`` the folder's counts. Paths: see ``runner.shipped.resolve``.
    """

    name: DatasetName
    path: str
    golden: str

    def dataset_name(self) -> str:
        """The name given, or else the folder's."""
        return named(self.name, resolve(self.path).resolve().name)

    def load(self) -> Dataset:
        """Read both; raise ``InputError`` with file and line for everything that is wrong in either."""
        folder, golden = resolve(self.path), resolve(self.golden)
        documents, questions = read_both(lambda: read_folder(folder), lambda: read_golden(golden))
        return to_dataset(self.dataset_name(), documents, questions)
