"""The gate's rule: when a measure counts as worse than the baseline's."""

DECIMALS = 4
TOLERANCE = 0.01


def delta(baseline: float, current: float) -> float:
    """``current - baseline`` rounded to four decimals, so that 0.86 - 0.87 is -0.01 and not a little less."""
    return round(current - baseline, DECIMALS)


def regressed(baseline: float, current: float, tolerance: float = TOLERANCE) -> bool:
    """Whether a measure fell by more than ``tolerance``; a fall of exactly the tolerance has not."""
    return delta(baseline, current) < -tolerance
