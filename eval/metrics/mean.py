"""A mean and the ledger that says what went into it."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from eval.records import Unscored


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean over the scored values; ``None`` when nothing was scored.

    ``attempted`` counts every question that the measure applies to; ``unscored`` counts, by reason, those among them
    without a value. ``attempted == scored + sum(unscored.values())``.
    """

    value: float | None
    attempted: int
    scored: int
    unscored: Mapping[str, int] = field(default_factory=dict)

    @property
    def unscored_share(self) -> float:
        """Share of the attempted questions that have no value."""
        return (self.attempted - self.scored) / self.attempted if self.attempted else 0.0


def mean_of(values: Iterable[float | Unscored | None]) -> Mean:
    """Mean and ledger of values per question; ``None`` marks a question that the measure does not apply to.

    The sum is exact before its one rounding, so that no order of questions changes the result.
    """
    applicable = [value for value in values if value is not None]
    scored = [value for value in applicable if not isinstance(value, Unscored)]
    reasons = Counter(value.reason for value in applicable if isinstance(value, Unscored))
    value = math.fsum(scored) / len(scored) if scored else None
    return Mean(value, len(applicable), len(scored), dict(sorted(reasons.items())))
