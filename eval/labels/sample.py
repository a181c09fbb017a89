"""Which answers people are asked about: a few of every kind, the same ones whenever a run is sampled."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from eval.errors import InputError
from eval.fingerprints import fingerprint
from eval.labels.answers import Answers, Candidate
from eval.labels.items import Labels, question_for

ENOUGH = 10


@dataclass(frozen=True)
class Sampled:
    """The labels with the answers that were added; ``open`` counts this run's answers that wait for a label."""

    labels: Labels
    added: int
    open: int


def sample(labels: Labels | None, answers: Answers, n: int = ENOUGH) -> Sampled:
    """Draw answers of a run until ``n`` of them wait for a label; what was labelled before is kept.

    Half are drawn from those with a faithfulness of 1, half from those below, within each as evenly as can be from
    all kinds: the question's type, and whether retrieval was a hit. Within a kind the order follows from the run's
    fingerprints.

    Raises:
        InputError: ``n`` is below 1; the run has no answers to label; the labels are of another dataset.
    """
    answers.check()
    if n < 1:
        raise InputError(f"--n must be at least 1 (got {n})")
    labels = labels or Labels(answers.dataset, question_for("".join(each.question for each in answers.asked)))
    check_dataset(labels, answers)
    held = {item.key for item in labels.items}
    known = [each for each in answers.candidates if each.item.key in held]
    waiting = {item.key for item in labels.open}
    still_open = sum(each.item.key in waiting for each in known)
    fresh = [each for each in answers.candidates if each.item.key not in held]
    drawn = _draw(known, _in_order(fresh, answers), max(0, n - still_open))
    added = replace(labels, items=(*labels.items, *(each.item for each in drawn)))
    return Sampled(added.with_opinions(answers.judge, answers.opinions), len(drawn), still_open + len(drawn))


def check_dataset(labels: Labels, answers: Answers) -> None:
    """Refuse labels of other data.

    Raises:
        InputError: they are.
    """
    if labels.dataset != answers.dataset:
        raise InputError(f"the labels are about {labels.dataset}, the run is of {answers.dataset}; give another --file")


def _in_order(candidates: Sequence[Candidate], answers: Answers) -> list[Candidate]:
    """In an order that only the run's fingerprints and the answers decide."""
    seed = dict(answers.seed)
    return sorted(candidates, key=lambda each: fingerprint([seed, *each.item.key]))


def _draw(known: Sequence[Candidate], fresh: Sequence[Candidate], n: int) -> list[Candidate]:
    """Each time one of the half, and in it of the kind, that has been drawn from least."""
    taken = [*known]
    left = [*fresh]
    while left and len(taken) - len(known) < n:
        halves, kinds = Counter(map(_half, taken)), Counter(map(_kind, taken))
        chosen = min(left, key=lambda each: (halves[_half(each)], _half(each), kinds[_kind(each)], _kind(each)))
        taken.append(chosen)
        left.remove(chosen)
    return taken[len(known) :]


def _half(candidate: Candidate) -> bool:
    return not candidate.opinion.unsupported


def _kind(candidate: Candidate) -> tuple[bool, str, str]:
    return _half(candidate), candidate.type, str(candidate.hit)
