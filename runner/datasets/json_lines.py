"""A corpus as JSON lines, with a golden set beside it."""

from eval.component import component
from eval.golden.dataset import read_both, to_dataset
from eval.golden.read import read_golden
from eval.records import Dataset
from eval.sources.jsonl import read_corpus
from runner.datasets.name import DatasetName, named
from runner.shipped import resolve


@component
class JsonLinesDataset:
    """Documents ``{"_id", "text", "title"}`` from ``corpus``, questions from ``golden`` (``.json`` or ``.jsonl``).

    Without a ``name`` the corpus file's counts. Paths: see ``runner.shipped.resolve``.
    """

    name: DatasetName
    corpus: str
    golden: str

    def dataset_name(self) -> str:
        """The name given, or else the corpus file's."""
        return named(self.name, resolve(self.corpus).stem)

    def load(self) -> Dataset:
        """Read both; raise ``InputError`` with file and line for everything that is wrong in either."""
        corpus, golden = resolve(self.corpus), resolve(self.golden)
        documents, questions = read_both(lambda: read_corpus(corpus), lambda: read_golden(golden))
        return to_dataset(self.dataset_name(), documents, questions)
