"""What many preferences say together: how often each run is better, and how far the judge goes by places."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval.chat.messages import Call
from eval.judges.pairwise import DISAGREED, Preference
from eval.records import Unscored
from eval.statistics import mcnemar_p

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How often the answer that stood first was chosen, out of the calls that chose one.

    A judge that goes by content alone chooses the first in half of them. ``interval`` is Wilson's (JASA 22, 1927) of
    95 %; it takes calls for independent, and is too wide for a judge that agrees with itself. ``p`` is the two-sided
    exact sign test over the pairs in which one place was chosen more often than the other.
    """

    first: int
    second: int
    interval: tuple[float, float] | None
    p: float

    @property
    def share(self) -> float | None:
        """Share of the first place; ``None`` if no call chose."""
        return self.first / (self.first + self.second) if self.first + self.second else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side. ``p`` is the two-sided exact sign test of ``better_a`` against ``better_b``.

    ``draws`` and ``unscored`` are counted by reason, most frequent first. ``refused_a`` counts the pairs in which
    run A alone refuses, ``refused_b`` those of run B.
    """

    pairs: int
    better_a: int
    better_b: int
    draws: Counts
    unscored: Counts
    refused_a: int
    refused_b: int
    p: float
    position: PositionBias
    calls: tuple[Call, ...]

    @property
    def disagreements(self) -> int:
        """Pairs in which the judge did not say the same in both orders."""
        return dict(self.draws).get(DISAGREED, 0)


def summary(preferences: Sequence[Preference]) -> Comparison:
    """The preferences counted, in whatever order they come."""
    outcomes = Counter(each.outcome for each in preferences if not isinstance(each.outcome, Unscored))
    return Comparison(
        pairs=len(preferences),
        better_a=outcomes["a"],
        better_b=outcomes["b"],
        draws=_counted(each.why for each in preferences if each.outcome == "draw"),
        unscored=_counted(each.outcome.reason for each in preferences if isinstance(each.outcome, Unscored)),
        refused_a=sum(each.refused == (True, False) for each in preferences),
        refused_b=sum(each.refused == (False, True) for each in preferences),
        p=mcnemar_p(outcomes["a"], outcomes["b"]),
        position=_position_bias(preferences),
        calls=tuple(call for each in preferences for call in each.calls),
    )


def _position_bias(preferences: Sequence[Preference]) -> PositionBias:
    # a pair of which only one order was judged would count the place alone
    pairs = [each.places for each in preferences if len(each.places) == 2]
    first, second = (sum(places.count(place) for places in pairs) for place in ("first", "second"))
    leanings = [places.count("first") - places.count("second") for places in pairs]
    p = mcnemar_p(sum(lean > 0 for lean in leanings), sum(lean < 0 for lean in leanings))
    return PositionBias(first, second, _wilson(first, first + second), p)


def _wilson(hits: int, of: int) -> tuple[float, float] | None:
    from scipy.stats import binomtest  # late: half a second that runs without a comparison need not pay

    if not of:
        return None
    interval = binomtest(hits, of).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


def _counted(reasons: Iterable[str]) -> Counts:
    return tuple(sorted(Counter(reasons).items(), key=lambda each: (-each[1], each[0])))
