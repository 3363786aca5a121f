"""Who keeps the table waiting, and for how long: pure, so that it can be tested without a clock."""

from __future__ import annotations

from collections.abc import Iterable

from engine.moves import Seat


class Absence:
    """Seats that the table waits for. After `limit` seconds one is late, and the others may go on without it."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.without: frozenset[Seat] = frozenset()
        """Without whom our player wants to go on."""
        self._since: dict[Seat, float] = {}
        self._told: set[Seat] = set()

    def look(self, waiting: Iterable[Seat], now: float) -> tuple[Seat, ...]:
        """Note who is waited for now; return those who have just become late, in seat order. Who is heard again starts anew."""
        awaited = set(waiting)
        self._since = {seat: self._since.get(seat, now) for seat in awaited}
        self._told &= awaited
        self.without &= awaited
        fresh = [seat for seat in self.late(now) if seat not in self._told]
        self._told.update(fresh)
        return tuple(fresh)

    def late(self, now: float) -> tuple[Seat, ...]:
        """Return who has been waited for too long, in seat order."""
        return tuple(sorted(seat for seat, since in self._since.items() if now - since >= self.limit))

    def go_on(self, now: float) -> tuple[Seat, ...]:
        """Our player will wait no longer for those who are late; return them."""
        self.without = frozenset(self.late(now))
        return tuple(sorted(self.without))
