"""Whether what a report says of a measure holds together: numbers where they are needed, and a ledger that fits."""

import math

from eval.gate.results import Results
from eval.gate.rule import ALIKE


def unsound_because(metric: str, side: Results, name: str) -> str:
    """What is no number where one is needed, by name; or a mean or ledger that the questions do not give.

    Args:
        metric: a measure that the side has in its metrics.
        side: a run's results.
        name: how the reason calls it.
    """
    stated = side.metrics[metric]
    asked = sum(question.applies(metric) for question in side.questions)
    if stated.attempted == asked == 0:
        return ""
    if problem := _wrong(stated.value):
        return f"{problem} in {name}"
    values = [float(question.values[metric] or 0) for question in side.questions if question.scored(metric)]
    if problem := next(filter(None, map(_wrong, values)), ""):
        return f"{problem} for a question of {name}"
    if asked < stated.attempted:
        return f"None, without a reason, for {stated.attempted - asked} of {stated.attempted} questions of {name}"
    if (asked, len(values)) != (stated.attempted, stated.scored) or not values:
        return f"the ledger that {name} states does not follow from its questions"
    if abs(math.fsum(values) / len(values) - float(stated.value or 0)) > ALIKE:
        return f"the mean that {name} states does not follow from its questions"
    return ""


def _wrong(value: float | None) -> str:
    if value is None:
        return "None (nothing was scored)"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    return "" if -ALIKE <= value <= 1 + ALIKE else f"{value:g}, which is not within 0 and 1,"
