"""Whether an unanswerable question is a test at all: easy to refuse is what resembles nothing in the corpus."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from eval.golden.entry import Entry
from eval.records import Document
from eval.sources.finding import Finding
from eval.text.analyzer import Analyzer

_ANALYZER = Analyzer()


def distractor_warnings(entries: Sequence[Entry], documents: Iterable[Document]) -> list[Finding]:
    """One warning for each ``none`` question of which no document holds two different content terms.

    A question with a single content term needs one document that holds it; one without any has no distractor.
    """
    asked = {
        place: frozenset(_ANALYZER.content_terms(entry.question.text))
        for place, entry in enumerate(entries)
        if not entry.question.answerable
    }
    holders = _holders(frozenset[str]().union(*asked.values()), documents)
    return [
        Finding("warning", entries[place].where, f"{entries[place].question.id} is none and {_WEAK}")
        for place, terms in asked.items()
        if not _met([holders[term] for term in sorted(terms)])
    ]


_WEAK = "no document holds two of its words, so refusing is easy; ask for what the corpus nearly says"


def _holders(wanted: frozenset[str], documents: Iterable[Document]) -> dict[str, set[int]]:
    """For each wanted term the places of the documents that hold it."""
    holders: defaultdict[str, set[int]] = defaultdict(set)
    if wanted:
        for place, document in enumerate(documents):
            for term in wanted.intersection(_ANALYZER.content_terms(f"{document.title}\n{document.text}")):
                holders[term].add(place)
    return holders


def _met(holders: Collection[set[int]]) -> bool:
    """Whether one document is held by two terms, or by the only one."""
    if len(holders) == 1:
        return any(holders)
    seen: set[int] = set()
    for places in holders:
        if not seen.isdisjoint(places):
            return True
        seen |= places
    return False
