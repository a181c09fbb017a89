"""The gate's rule: when a measure counts as worse than the baseline's."""

DECIMALS = 4
TOLERANCE = 0.01
ALIKE = 1e-9  # two values closer than this are one value, worked out by two machines or in two orders


def delta(baseline: float, current: float) -> float:
    """``current - baseline`` rounded to four decimals, so that 0.86 - 0.87 is -0.01 and not a little less."""
    return round(current - baseline, DECIMALS) + 0.0  # no change has no sign


def regressed(baseline: float, current: float, tolerance: float = TOLERANCE) -> bool:
    """Whether a measure fell by more than ``tolerance``; a fall of exactly the tolerance has not, NaN has."""
    return not delta(baseline, current) >= -tolerance
