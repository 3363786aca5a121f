"""The time limits of a match, and the seats that are late. Time is an argument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from client.session.messages import InTime, Late, Message, TimeLeft
from client.session.work import Wait
from engine.core.moves import Seat

RESTARTS = 3
"""How often a returning seat's time limit starts again at one point, so that a player that comes
and goes does not stop the table for ever."""
SAID_S = 6.0
"""Seconds for which a peer's claim counts that it waits for seats; it repeats it every two seconds.
"""
LAST_WARNING_S = 30
"""Seconds before the limit at which our player is warned once more."""


class TimeLimits:
    """The time limits of a match: a seat is late when the table has waited for it so long.

    A seat's time starts again at every point. Our player's wish to continue without a seat holds
    until the seat acts, so also through a change, which waits only for such seats. Methods that
    return messages return what to tell our player.
    """

    def __init__(self, limit: int, seat: Seat, ours: Collection[Seat]) -> None:
        """Begin a match with a limit in seconds; our player has `seat`, our process `ours`."""
        self._limit, self._seat, self._ours = limit, seat, frozenset(ours)
        self.at = b""
        """The point at which the table waited at the last tick; `without` is about it."""
        self.without: frozenset[Seat] = frozenset()
        """The seats that our player wants to continue without."""
        self._since = dict[Seat, float]()
        """Since when the table waits at this point for each other seat."""
        self._restarts: Counter[Seat] = Counter()
        """How often the time of each seat started again at this point."""
        self._say: dict[Seat, tuple[tuple[Seat, ...], float]] = {}
        """The seats that each seat last claimed to wait for, and when."""
        self._told: frozenset[Seat] = frozenset()
        """The seats that our player knows to be late."""
        self._own_at, self._own_since, self._warnings = b"", 0.0, 0
        """The point at which the table waits for our player, since when, and how often our player
        was warned."""

    def says(self, seat: Seat, others: tuple[Seat, ...], now: float) -> None:
        """Note that a seat claims to wait for these others."""
        self._say[seat] = others, now

    def tick(self, wait: Wait, now: float) -> list[Message]:
        """Note the time, and report the seats that are late, or late no longer."""
        same, others = wait.at == self.at, frozenset(wait.seats) - self._ours
        self._since = {seat: self._since.get(seat, now) if same else now for seat in others}
        if not same and not wait.changing:
            self._restarts.clear()
        self.without &= others if same or wait.changing else frozenset()
        self.at = wait.at
        before, self._told = self._told, self.late(now)
        fresh, over = sorted(self._told - before), sorted(before - self._told)
        said = ((seat, self._say.get(seat, ((), 0.0))) for seat in fresh)
        say = tuple((seat, found) for seat, (found, at) in said if found and now - at < SAID_S)
        messages: list[Message] = [Late(tuple(fresh), self._limit, say)] if fresh else []
        return messages + ([InTime(tuple(over))] if over else [])

    def warn(self, wait: Wait, now: float) -> list[Message]:
        """Tell our player how much time is left before the others can vote.

        That is told at half time and `LAST_WARNING_S` before the end.
        """
        votable = wait.votes_needed and len(self._ours) < len(wait.staying)
        at = wait.at if votable and self._seat in wait.seats else b""
        if not at or at != self._own_at:
            self._own_at, self._own_since, self._warnings = at, now, 0
            return []
        waited, marks = now - self._own_since, {self._limit / 2}
        if self._limit > 2 * LAST_WARNING_S:
            marks.add(self._limit - LAST_WARNING_S)
        before, self._warnings = self._warnings, sum(waited >= mark for mark in marks)
        left = max(1, round(self._limit - waited))
        return [TimeLeft(left)] if self._warnings > before else []

    def restart(self, seat: Seat) -> list[Message] | None:
        """Start the time of a seat again that is back; None after RESTARTS times at one point.

        Our player's wish to continue without it was about its absence, and ends.
        """
        if self._restarts[seat] >= RESTARTS:
            return None
        self._restarts[seat] += 1
        self._since.pop(seat, None)
        self.without -= {seat}
        late, self._told = self._told, self._told - {seat}
        return [InTime((seat,))] if seat in late else []

    def go_on(self, now: float) -> None:
        """Vote to continue without the late seats from now on."""
        self.without = self.late(now) & self._told

    def late(self, now: float) -> frozenset[Seat]:
        """Return the seats that the table has waited for too long."""
        return frozenset(seat for seat, since in self._since.items() if now - since >= self._limit)
