"""A context made ready for checking statements: analysed once, looked up for each statement."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from eval.judges.figures import Figure, figures
from eval.judges.negation import is_negative, negated_terms
from eval.text.analyzer import Analyzer
from eval.text.marks import bare
from eval.text.sentences import sentences

_AS_GOOD = 0.9  # a sentence with this share of the best one's terms is evidence beside it


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a context, or a statement: its content terms, what it denies and whether it does, its figures."""

    text: str
    terms: frozenset[str]
    negated: frozenset[str]
    negative: bool
    figures: tuple[Figure, ...]

    @property
    def readings(self) -> frozenset[str]:
        """All readings of its figures."""
        return frozenset[str]().union(*(figure.readings for figure in self.figures))


def analysed(text: str, analyzer: Analyzer) -> Sentence:
    """``text`` as one sentence."""
    plain = bare(text)
    terms = frozenset(analyzer.content_terms(plain))
    return Sentence(plain, terms, negated_terms(plain, analyzer), is_negative(plain), tuple(figures(plain)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentences of a context, all of their terms, and all readings of their figures."""

    sentences: tuple[Sentence, ...]
    terms: frozenset[str]
    readings: frozenset[str]

    def share(self, terms: Collection[str]) -> float:
        """Share of ``terms`` that occur in the context, within 0 and 1; 0 without terms."""
        return len(self.terms.intersection(terms)) / len(terms) if terms else 0.0

    def closest(self, terms: frozenset[str]) -> Sequence[Sentence]:
        """The sentences that hold the most of ``terms``: the best, and those nearly as good; none if none holds any."""
        shared = [len(terms & sentence.terms) for sentence in self.sentences]
        best = max(shared, default=0)
        return [s for s, count in zip(self.sentences, shared, strict=True) if best and count >= _AS_GOOD * best]


def evidence_in(context: str, analyzer: Analyzer) -> Evidence:
    """Analyse ``context``."""
    found = tuple(analysed(sentence, analyzer) for sentence in sentences(context))
    terms = frozenset[str]().union(*(sentence.terms for sentence in found))
    return Evidence(found, terms, frozenset[str]().union(*(sentence.readings for sentence in found)))
