"""The time of day, which is part of a run's record and of no measure."""

import time


def now_ms() -> int:
    """Milliseconds since the epoch, as the tracking database keeps times."""
    return int(time.time() * 1000)
