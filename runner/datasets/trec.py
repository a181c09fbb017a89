"""A collection as TREC hands it out."""

from eval.component import component
from eval.golden.dataset import to_dataset
from eval.records import Dataset
from eval.sources.trec import read_trec
from runner.datasets.name import DatasetName, named
from runner.shipped import resolve


@component
class TrecDataset:
    """Documents from ``corpus``, questions from ``queries`` and their answers from ``qrels``, see ``read_trec``.

    ``corpus`` of ``None`` takes the judged documents, by their ids alone: enough to measure a run file's ranks.

    Without a ``name`` the qrels file's counts. Paths: see ``runner.shipped.resolve``.
    """

    queries: str
    qrels: str
    corpus: str | None = None
    name: DatasetName = None

    def dataset_name(self) -> str:
        """The name given, or else the qrels file's."""
        return named(self.name, resolve(self.qrels).stem)

    def load(self) -> Dataset:
        """Read all; raise ``InputError`` with file and line for everything that is wrong in them."""
        corpus = None if self.corpus is None else resolve(self.corpus)
        documents, questions = read_trec(corpus, resolve(self.queries), resolve(self.qrels))
        return to_dataset(self.dataset_name(), documents, questions)
