"""Haystack as the system: its splitter, its document store in memory and its BM25 retriever.

pip install haystack-ai
python -m runner dataset=folder dataset.path=my-docs dataset.golden=my-questions.json system=callable \
  system.target=runner.systems.examples.haystack_bm25.HaystackBm25 '+system.arguments.folder=my-docs'
"""

from haystack import Document
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from eval.sources.folder import read_folder
from runner.shipped import resolve


class HaystackBm25:
    """Built once from a folder; called with each question's text."""

    def __init__(self, folder: str, k: int = 10, words: int = 120) -> None:
        whole = [Document(content=each.text, meta={"doc_id": each.id}) for each in read_folder(resolve(folder))]
        splitter = DocumentSplitter(split_by="word", split_length=words)
        store = InMemoryDocumentStore()
        store.write_documents(splitter.run(documents=whole)["documents"])
        self._retriever = InMemoryBM25Retriever(store, top_k=k)

    def __call__(self, question: str) -> list[Document]:
        """Documents as Haystack gives them; ``meta["doc_id"]`` names where each is from."""
        found: list[Document] = self._retriever.run(query=question)["documents"]
        return found
