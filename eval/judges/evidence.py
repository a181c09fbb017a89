"""A context made ready for checking statements: analysed once, looked up for each statement."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from eval.judges.figures import Figure, words_and_figures
from eval.judges.negation import Polarity, polarity
from eval.text.analyzer import Analyzer
from eval.text.marks import bare, without_openers
from eval.text.sentences import sentences

_AS_GOOD = 0.9  # a sentence with this share of the best one's terms is evidence beside it


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a context, or a statement: its content terms other than figures, its figures, what it denies."""

    text: str
    terms: frozenset[str]
    polarity: Polarity
    figures: tuple[Figure, ...]
    readings: frozenset[str]


@lru_cache(maxsize=2**14)  # one chunk stands in the contexts of many questions
def analysed(text: str, analyzer: Analyzer) -> Sentence:
    """``text`` as one sentence."""
    plain = without_openers(bare(text))
    words, found = words_and_figures(plain)
    return Sentence(
        text=plain,
        terms=frozenset(analyzer.content_terms(words)),
        polarity=polarity(plain, analyzer),
        figures=tuple(found),
        readings=_union(figure.readings for figure in found),
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentences of a context. What supports a statement has to stand in ``window`` neighbouring ones."""

    sentences: tuple[Sentence, ...]
    window: int

    def share(self, terms: frozenset[str]) -> float:
        """The largest share of ``terms`` that one window holds, within 0 and 1; any window holds all of none."""
        return max(self._shares(terms), default=0.0)

    def readings(self, terms: frozenset[str], least: float) -> frozenset[str]:
        """The readings of all figures in the windows that hold at least the share ``least`` of ``terms``."""
        ends = [end for end, share in enumerate(self._shares(terms), 1) if share >= least]
        near = {place for end in ends for place in range(max(0, end - self.window), end)}
        return _union(self.sentences[place].readings for place in near)

    def closest(self, statement: Sentence) -> Sequence[Sentence]:
        """The sentences nearest to ``statement``, negations aside: the best, and those nearly as good.

        None if none has a term in common with it.
        """
        shared = [len(statement.polarity.affirmed & sentence.polarity.affirmed) for sentence in self.sentences]
        best = max(shared, default=0)
        return [s for s, count in zip(self.sentences, shared, strict=True) if best and count >= _AS_GOOD * best]

    def _shares(self, terms: frozenset[str]) -> list[float]:
        """For each sentence the share of ``terms`` in the window that ends with it."""
        last_seen: dict[str, int] = {}
        shares: list[float] = []
        for place, sentence in enumerate(self.sentences):
            last_seen.update(dict.fromkeys(terms & sentence.terms, place))
            held = sum(seen > place - self.window for seen in last_seen.values())
            shares.append(held / len(terms) if terms else 1.0)
        return shares


def evidence_in(context: str, analyzer: Analyzer, window: int) -> Evidence:
    """Analyse ``context``; ``window`` is a number of sentences."""
    return Evidence(tuple(analysed(sentence, analyzer) for sentence in sentences(context)), window)


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)
