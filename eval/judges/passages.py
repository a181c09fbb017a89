"""The parts of a context that are shown to a model with a narrow view: the ones most alike to a statement."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval.text.analyzer import Analyzer


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentences ``start`` to ``end`` (half open) of a context, and the share of a statement's terms in them."""

    start: int
    end: int
    share: float


def best_passages(
    statement: str,
    sentences: Sequence[str],
    lengths: Sequence[int],
    room: int,
    count: int,
    analyzer: Analyzer,
) -> list[str]:
    """At most ``count`` runs of neighbouring sentences, the most alike to ``statement`` first, none inside another.

    Each is as long as ``room`` allows (in the unit of ``lengths``), a single sentence that is longer stands alone.
    Equal ones keep the order of the context.
    """
    terms = frozenset(analyzer.content_terms(statement))
    held = [terms & frozenset(analyzer.content_terms(sentence)) for sentence in sentences]
    passages = [Passage(start, end, _share(terms, held[start:end])) for start, end in _runs(lengths, room)]
    chosen: list[Passage] = []
    for passage in sorted(passages, key=lambda each: (-each.share, each.start)):
        if len(chosen) < count and not any(_inside(passage, other) for other in chosen):
            chosen.append(passage)
    return [" ".join(sentences[passage.start : passage.end]) for passage in chosen]


def _runs(lengths: Sequence[int], room: int) -> list[tuple[int, int]]:
    """For each sentence the longest run that starts with it and fits."""
    runs: list[tuple[int, int]] = []
    end = total = 0
    for start, length in enumerate(lengths):
        while end < len(lengths) and (end <= start or total + lengths[end] <= room):
            total += lengths[end]
            end += 1
        runs.append((start, end))
        total -= length
    return runs


def _share(terms: frozenset[str], held: Sequence[frozenset[str]]) -> float:
    return len(frozenset[str]().union(*held)) / len(terms) if terms else 0.0


def _inside(one: Passage, other: Passage) -> bool:
    return other.start <= one.start and one.end <= other.end
