"""Our own pipeline as the system that is measured."""

from eval.component import component


@component
class Pipeline:
    """The chunker, query, retriever, reranker and generator of the configuration."""
