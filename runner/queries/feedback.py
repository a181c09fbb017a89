"""The question with words of the chunks that it finds behind it: pseudo-relevance feedback, offline."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated

from pydantic import Field

from eval.component import component
from eval.records import Chunk
from eval.text.analyzer import Analyzer
from runner.protocols import Search
from runner.records import Query


@component
class FeedbackExpansion:
    """RM3 (Abdul-Jaleel et al., TREC 2004) after the relevance model of Lavrenko & Croft (SIGIR 2001), as text.

    The best ``chunks`` for the question are taken to be relevant. A content term's weight is its share of the terms
    of each chunk, summed over the chunks with 1 / log2(rank + 1) in the place of a chunk's likelihood, as rankings of
    any retriever have ranks. The ``terms`` with the highest weight are searched for together with the question, which
    is repeated so often that about ``question_weight`` of all content terms are its own. The question's terms may be
    among the added ones. A term that only one of several chunks holds says more of that chunk than of the question,
    and is left out.

    A term is added as the word that most often stands for it in the chunks, so that the retriever's own analysis
    finds it again, stemmed or not.
    """

    chunks: Annotated[int, Field(ge=1, le=100)] = 10
    terms: Annotated[int, Field(ge=1, le=100)] = 20
    question_weight: Annotated[float, Field(gt=0, le=0.95)] = 0.8
    analyzer: Analyzer = Field(default_factory=Analyzer)

    def make(self, question: str, search: Search) -> Query:
        """The question, repeated, and the added words; as it was asked where it finds nothing to add."""
        words = self._words(search(question, self.chunks))
        return Query(" ".join([question] * self._times(question, len(words)) + words))

    def _times(self, question: str, added: int) -> int:
        """How often the question has to stand beside so many words to have its weight."""
        own = len(self.analyzer.content_terms(question)) or 1
        return max(1, round(self.question_weight / (1 - self.question_weight) * added / own))

    def _words(self, found: Sequence[Chunk]) -> list[str]:
        """The words to add, by falling weight of their terms, equals by term."""
        weights: defaultdict[str, float] = defaultdict(float)
        holders: Counter[str] = Counter()
        forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for rank, chunk in enumerate(found, 1):
            terms = self._terms_with_forms(chunk.shown)
            for term, count in Counter(term for term, _ in terms).items():
                weights[term] += count / len(terms) / math.log2(rank + 1)
                holders[term] += 1
            for term, form in terms:
                forms[term][form] += 1
        shared = (term for term in weights if holders[term] > 1 or len(found) == 1)
        best = sorted(shared, key=lambda term: (-weights[term], term))[: self.terms]
        return [min(forms[term], key=lambda form: (-forms[term][form], form)) for term in best]

    def _terms_with_forms(self, text: str) -> list[tuple[str, str]]:
        """Each content term with the word that stands for it in ``text``."""
        return list(zip(self.analyzer.content_terms(text), self._unstemmed.content_terms(text), strict=True))

    @cached_property
    def _unstemmed(self) -> Analyzer:
        return replace(self.analyzer, stemmer=None)
