"""A context made ready for checking statements: analysed once, looked up for each statement."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from eval.judges.figures import Figure, words_and_figures
from eval.judges.names import names_in
from eval.judges.negation import Polarity, polarity
from eval.judges.opposites import Directions, directions
from eval.judges.order import tokens
from eval.text.analyzer import Analyzer, normalise
from eval.text.marks import bare, without_openers
from eval.text.sentences import sentences

_AS_GOOD = 0.9  # a sentence with this share of the best one's terms is evidence beside it


@dataclass(frozen=True)
class Sentence:
    """One sentence of a context, or a statement: its content terms other than figures, its figures, what it denies."""

    text: str
    terms: frozenset[str]
    polarity: Polarity
    figures: tuple[Figure, ...]
    readings: frozenset[str]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in it, as written."""
        return names_in(self.text)

    @cached_property
    def directions(self) -> Directions:
        """Its words that have a contrary."""
        return directions(self.text)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """All its words in their order."""
        return tokens(self.text)


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
        readings=frozenset[str]().union(*(figure.readings for figure in found)),
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentences of a context, and all of it in normalised form.

    What supports a statement has to stand in ``window`` neighbouring sentences.
    """

    sentences: tuple[Sentence, ...]
    window: int
    plain: str

    def share(self, terms: frozenset[str]) -> float:
        """The largest share of ``terms`` that one window holds, within 0 and 1; any window holds all of none."""
        return max(self._shares(terms), default=0.0)

    def figures(self, terms: frozenset[str], least: float) -> list[Figure]:
        """The figures in the windows that hold at least the share ``least`` of ``terms``, each once."""
        ends = [end for end, share in enumerate(self._shares(terms), 1) if share >= least]
        near = {place for end in ends for place in range(max(0, end - self.window), end)}
        return list(dict.fromkeys(figure for place in sorted(near) for figure in self.sentences[place].figures))

    def holds(self, name: str) -> bool:
        """Whether ``name`` stands anywhere in the context, in capitals or not."""
        return normalise(name) in self.plain

    def closest(self, statement: Sentence) -> list[Sentence]:
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
    found = tuple(analysed(sentence, analyzer) for sentence in sentences(context))
    return Evidence(found, window, normalise(context))
