"""The time that the table waits for each seat. Pure: time is an argument."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.moves import Seat

LAST_WARNING_S = 30
"""Seconds before the limit at which our player is warned once more."""


class Absence:
    """Seats of others that the table waits for. One is late after `limit` seconds: then the others may vote on it."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.without: frozenset[Seat] = frozenset()
        """The seats that our player wants to go on without."""
        self._at = b""
        self._since: dict[Seat, float] = {}
        self._told: frozenset[Seat] = frozenset()

    def look(
        self, waiting: Iterable[Seat], at: bytes, now: float, *, changing: bool = False
    ) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """Note which seats are waited for, and at which point of the match. Return those newly late, and those late no more.

        A seat's time begins anew at every point. Our player's wish holds until the seat has acted: so it holds through a view
        change, which waits only for the seats that have not acted.
        """
        awaited = frozenset(waiting)
        before = self._since if at == self._at else {}
        self._since = {seat: before.get(seat, now) for seat in awaited}
        self.without &= awaited if changing or at == self._at else frozenset()
        self._at = at
        late = frozenset(self.late(now))
        fresh, over = late - self._told, self._told - late
        self._told = late
        return tuple(sorted(fresh)), tuple(sorted(over))

    def late(self, now: float) -> tuple[Seat, ...]:
        """Return the seats that have been waited for too long, in seat order."""
        return tuple(sorted(seat for seat, since in self._since.items() if now - since >= self.limit))

    def go_on(self, now: float) -> tuple[Seat, ...]:
        """Wait no longer for the late seats; return them."""
        self.without = frozenset(self.late(now))
        return tuple(sorted(self.without))


class Countdown:
    """The time that our own player has for a move before the others can vote."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._at = b""
        self._since = 0.0
        self._told = 0

    def look(self, at: bytes | None, now: float) -> int | None:
        """Note at which point of the match our player is waited for, None if at none.

        Return the seconds left when our player is to be warned: at half time, and `LAST_WARNING_S` before the end.
        """
        if at is None or at != self._at:
            self._at, self._since, self._told = at or b"", now, 0
            return None
        marks = sorted({self._limit / 2, *({self._limit - LAST_WARNING_S} if self._limit > 2 * LAST_WARNING_S else ())})
        passed = sum(now - self._since >= mark for mark in marks)
        if passed <= self._told:
            return None
        self._told = passed
        return max(1, round(self._limit - (now - self._since)))
