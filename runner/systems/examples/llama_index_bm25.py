"""LlamaIndex as the system: its splitter and its BM25 retriever.

pip install llama-index-core llama-index-retrievers-bm25
python -m runner dataset=folder dataset.path=my-docs dataset.golden=my-questions.json system=callable \
  system.target=runner.systems.examples.llama_index_bm25.LlamaIndexBm25 '+system.arguments.folder=my-docs'
"""

from llama_index.core.node_parser import TokenTextSplitter
from llama_index.core.schema import Document, NodeWithScore
from llama_index.retrievers.bm25 import BM25Retriever

from eval.sources.folder import read_folder
from runner.shipped import resolve


class LlamaIndexBm25:
    """Built once from a folder; called with each question's text."""

    def __init__(self, folder: str, k: int = 10, chunk_size: int = 200) -> None:
        whole = [Document(text=each.text, id_=each.id) for each in read_folder(resolve(folder))]
        splitter = TokenTextSplitter(chunk_size=chunk_size, chunk_overlap=0)
        nodes = splitter.get_nodes_from_documents(whole)
        self._retriever = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=min(k, len(nodes)))

    def __call__(self, question: str) -> list[NodeWithScore]:
        """Nodes with scores as LlamaIndex gives them; the node's ``ref_doc_id`` names where it is from."""
        found: list[NodeWithScore] = self._retriever.retrieve(question)
        return found
