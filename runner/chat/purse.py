"""A cap on money that holds before a call is made: what a call can cost at most is set aside first."""

import threading

_UNITS = 10**12  # whole units of a dollar, so that sums don't depend on the order in which calls end


class Purse:
    """At most ``max_usd`` are spent (``None``: no cap), as long as no call costs more than was set aside for it.

    What a failed call may have cost, though no bill came, stays set aside and counts against the cap. Several runs
    may share one; each sets its own ``max_usd``, which what was spent before counts against.
    """

    def __init__(self, max_usd: float | None = None) -> None:
        self.max_usd = max_usd
        self._spent = self._aside = 0
        self._lock = threading.Lock()

    @property
    def spent(self) -> float:
        """US dollars that were billed."""
        return self._spent / _UNITS

    def reserve(self, usd: float) -> bool:
        """Set ``usd`` aside for a call; False, and nothing set aside, where the cap does not allow it."""
        with self._lock:
            most = None if self.max_usd is None else int(self.max_usd * _UNITS)
            if most is not None and self._spent + self._aside + _units(usd) > most:
                return False
            self._aside += _units(usd)
            return True

    def settle(self, reserved: float, paid: float) -> None:
        """A call is over: what was set aside for it becomes what it cost."""
        with self._lock:
            self._aside -= _units(reserved)
            self._spent += _units(paid)


def _units(usd: float) -> int:
    return round(usd * _UNITS)
