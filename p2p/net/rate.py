"""The rate limit of a link: an allowance that grows with time (sans-I/O)."""

from __future__ import annotations

from p2p.net.timeouts import Limits


class Flood(Exception):
    """A link exceeded its allowance for longer than any honest peer would."""


class Allowance:
    """The allowance of one link.

    A peer that overspends must wait; one that keeps overspending floods us.
    """

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._left = limits.burst
        self._at = now
        self._short_since: float | None = None

    def spend(self, messages: int, size: int, now: float, *, kept: bool = True) -> float:
        """Book `messages` of `size` bytes; return for how many seconds to stop reading.

        Every read costs at least one unit, however little it brings. A peer that is not `kept` has
        a stranger's allowance. Flood if the wait would be longer than `Limits.patience_s`, or if
        the peer must wait and has not had half of its burst back since it first had to, longer ago.
        """
        limits = self._limits
        rate, burst = (
            (limits.rate, limits.burst) if kept else (limits.stranger_rate, limits.stranger_burst)
        )
        cost = max(1.0, messages + size / 1024)
        self._left = min(burst, self._left + (now - self._at) * rate) - cost
        self._at = now
        if self._left >= 0:
            if self._left >= burst / 2:
                self._short_since = None
            return 0.0
        wait = -self._left / rate
        if self._short_since is None:
            self._short_since = now
        if wait > limits.patience_s or now - self._short_since > limits.patience_s:
            raise Flood
        return wait


class Turns:
    """A rate limit for each key: `burst` times at once, then `rate` a second."""

    def __init__(self, burst: float, rate: float, most: int = 4096) -> None:
        self._burst, self._rate, self._most = burst, rate, most
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, place: str, now: float) -> bool:
        """Return whether it may be done there now, and count it if so."""
        left, since = self._left.pop(place, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        self._left[place] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > self._most:
            del self._left[next(iter(self._left))]
        return left >= 1
