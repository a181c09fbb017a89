"""Which questions and documents two runs have in common, and what was added, removed or edited."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.gate.results import QuestionResult, Results


@dataclass(frozen=True)
class Pair:
    """One question as both runs met it; ``documents_changed`` where the text of an answer document is another now."""

    baseline: QuestionResult
    current: QuestionResult
    documents_changed: bool = False


@dataclass(frozen=True)
class Changes:
    """Ids that one side lacks, or that mean something else there; sorted."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.added or self.removed or self.edited)


@dataclass(frozen=True)
class Pairing:
    """Questions with equal fingerprints on both sides, in the current run's order.

    ``renamed`` maps a question's id in the baseline to its id now. ``corpus_replaced`` where no document is the same
    as far as is known; ``corpus_unknown`` where the corpus changed and one side does not list all of its documents.
    """

    pairs: tuple[Pair, ...]
    questions: Changes
    renamed: Mapping[str, str]
    documents: Changes
    corpus_replaced: bool
    corpus_unknown: bool


def pair_up(baseline: Results, current: Results) -> Pairing:
    """Pair the questions of two runs, and compare their golden sets and corpora."""
    former = _partners(baseline.questions, current.questions)
    documents, replaced, unknown = _documents(baseline, current)
    moved = {*documents.added, *documents.removed, *documents.edited}
    pairs = tuple(
        Pair(former[question.id], question, not moved.isdisjoint(question.answer_doc_ids))
        for question in current.questions
        if question.id in former
    )
    gone = {question.id for question in baseline.questions} - {pair.baseline.id for pair in pairs}
    new = {question.id for question in current.questions} - former.keys()
    changes = Changes(tuple(sorted(new - gone)), tuple(sorted(gone - new)), tuple(sorted(gone & new)))
    renamed = {pair.baseline.id: pair.current.id for pair in pairs if pair.baseline.id != pair.current.id}
    return Pairing(pairs, changes, renamed, documents, replaced, unknown)


def _partners(before: Sequence[QuestionResult], now: Sequence[QuestionResult]) -> dict[str, QuestionResult]:
    """The baseline's question by the id that it has now: the same id, or else the only one that asks the same."""
    by_id = {question.id: question for question in before}
    same = {
        question.id: by_id[question.id]
        for question in now
        if question.id in by_id and by_id[question.id].fingerprint == question.fingerprint
    }
    old, new = (_once([question for question in side if question.id not in same]) for side in (before, now))
    return same | {question.id: old[print_] for print_, question in new.items() if print_ in old}


def _once(questions: Sequence[QuestionResult]) -> dict[str, QuestionResult]:
    """By fingerprint, the questions that nobody else asks."""
    counts = Counter(question.fingerprint for question in questions)
    return {question.fingerprint: question for question in questions if counts[question.fingerprint] == 1}


def _documents(baseline: Results, current: Results) -> tuple[Changes, bool, bool]:
    known = baseline.fingerprints.get("corpus")
    if known is not None and known == current.fingerprints.get("corpus"):
        return Changes(), False, False
    before, now = dict(baseline.documents), dict(current.documents)
    unknown = len(before) < baseline.documents_total or len(now) < current.documents_total
    if unknown:  # only what both sides would list is told apart
        wanted = _answers(baseline) & _answers(current)
        before = {name: print_ for name, print_ in before.items() if name in wanted}
        now = {name: print_ for name, print_ in now.items() if name in wanted}
    shared = before.keys() & now.keys()
    edited = tuple(sorted(name for name in shared if before[name] != now[name]))
    changes = Changes(tuple(sorted(now.keys() - before.keys())), tuple(sorted(before.keys() - now.keys())), edited)
    return changes, len(edited) == len(shared), unknown


def _answers(results: Results) -> set[str]:
    return {name for question in results.questions for name in question.answer_doc_ids}


def comparable(metric: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs that have a value for the measure on both sides."""
    return [pair for pair in pairs if pair.baseline.scored(metric) and pair.current.scored(metric)]


def values_of(metric: str, pairs: Sequence[Pair]) -> tuple[list[float], list[float]]:
    """The measure's values per question, of the baseline and of the run; for pairs that have both."""
    before = [float(pair.baseline.values[metric] or 0) for pair in pairs]
    return before, [float(pair.current.values[metric] or 0) for pair in pairs]
