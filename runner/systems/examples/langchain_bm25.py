"""LangChain as the system: its splitter and its BM25 retriever.

pip install langchain-community langchain-text-splitters rank-bm25
python -m runner dataset=folder dataset.path=my-docs dataset.golden=my-questions.json system=callable \
  system.target=runner.systems.examples.langchain_bm25.LangChainBm25 '+system.arguments.folder=my-docs'
"""

from langchain_community.retrievers import BM25Retriever
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter

from eval.sources.folder import read_folder
from runner.shipped import resolve


class LangChainBm25:
    """Built once from a folder; called with each question's text."""

    def __init__(self, folder: str, k: int = 10, chunk_size: int = 800) -> None:
        whole = [
            Document(page_content=each.text, metadata={"doc_id": each.id}) for each in read_folder(resolve(folder))
        ]
        splitter = RecursiveCharacterTextSplitter(chunk_size=chunk_size, chunk_overlap=0)
        self._retriever = BM25Retriever.from_documents(
            splitter.split_documents(whole), preprocess_func=lambda text: text.casefold().split(), k=k
        )

    def __call__(self, question: str) -> list[Document]:
        """Documents as LangChain gives them; ``metadata["doc_id"]`` names where each is from."""
        found: list[Document] = self._retriever.invoke(question)
        return found
