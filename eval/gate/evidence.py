"""The evidence beside the rule: which questions changed, and how much that many changes can mean."""

from collections.abc import Sequence

from eval.gate.pairing import Pair, values_of
from eval.gate.rule import ALIKE
from eval.gate.verdict import Evidence, Flip
from eval.metrics.measures import Metric
from eval.statistics import (
    SIGNIFICANT,
    detectable_share,
    detectable_shift,
    fewest_changes,
    mcnemar_p,
    mean_interval,
    sign_flip_p,
)

RAREST = 0.0001  # a chance below it is not told exactly


def weigh(metric: Metric, pairs: Sequence[Pair]) -> Evidence:
    """Evidence for one measure over the pairs that have a value on both sides; at least one pair."""
    before, after = values_of(metric.name, pairs)
    # another machine's last digit is no change
    now = [former if abs(value - former) < ALIKE else value for former, value in zip(before, after, strict=True)]
    changes = [value - former for former, value in zip(before, now, strict=True)]
    better = 1 if metric.higher_is_better else -1
    gained = sum(change * better > 0 for change in changes)
    lost = sum(change * better < 0 for change in changes)
    binary = {*before, *now} <= {0.0, 1.0}
    exact = mcnemar_p(gained, lost) if binary else None
    p = sign_flip_p(now, before)
    return Evidence(
        questions=len(pairs),
        one_question=1 / len(pairs),
        gained=gained,
        lost=lost,
        interval=mean_interval(changes),
        p=p,
        mcnemar_p=exact,
        detectable=detectable_share(len(pairs)) if binary else detectable_shift(changes),
        words=_words(len(pairs), gained, lost, p if exact is None else exact),
        flips=tuple(flip for flip in map(_flip, pairs, before, now) if flip.baseline != flip.current),
    )


def _flip(pair: Pair, before: float, now: float) -> Flip:
    ranks = (pair.baseline.first_hit_rank, pair.current.first_hit_rank)
    return Flip(pair.current.id, before, now, *ranks, pair.documents_changed)


def _words(questions: int, gained: int, lost: int, p: float) -> str:
    """What the numbers mean, for somebody who meets them for the first time."""
    size = f"one question is {100 / questions:.4g} points here"
    if not gained and not lost:
        return f"no question changed; {size}"
    changed = f"{gained + lost} of {questions} questions changed ({gained} better, {lost} worse); {size}"
    if gained + lost < fewest_changes(1):
        return f"{changed}; so few changes can't be told from luck"
    share = f"{100 * p:.3g} %" if p >= RAREST else f"less than {100 * RAREST:g} %"
    luck = f"two equally good systems differ by this much in {share} of comparisons"
    return f"{changed}; {luck}: {'more than luck' if p < SIGNIFICANT else 'this may be luck'}"
