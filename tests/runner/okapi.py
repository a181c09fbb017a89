"""What our BM25 is held to: the package rank-bm25."""

from collections.abc import Mapping

from rank_bm25 import BM25Okapi

from runner.retrievers.bm25 import inverse_frequency


class LuceneOkapi(BM25Okapi):  # type: ignore[misc]  # rank-bm25 ships no types
    """``BM25Okapi`` with Lucene's inverse document frequency.

    The package's own is zero for a term in half of the documents and negative above; this one is always positive,
    so that a corpus of two documents ranks too.
    """

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        for term, documents in nd.items():
            self.idf[term] = inverse_frequency(self.corpus_size, documents)
