"""The times that we wait for others, and slow shuffles.

Time is an argument.
"""

from __future__ import annotations

from engine.core.moves import Seat
from p2p.table.events import Event, Mixed, Shuffled, Shuffling

ASK_S = 2.0
"""Seconds between two requests for missing entries while our table waits."""
ANSWER_TIMEOUT_S = 5.0
"""Seconds in which a host or a watched player must show its table, and guests must sign."""
SEALS_TIMEOUT_S = 10.0
"""Seconds to wait, after a match, for missing seals and for peers that lack ours."""
SLOW_SHUFFLE_S = 0.3
"""Seconds after which players are told of a slow shuffle."""


class ShuffleWatch:
    """The shuffle under way at a table."""

    def __init__(self) -> None:
        self._order: list[Seat] = []
        self._since = 0.0
        self._told: Seat | None = None

    def note(self, event: Event, now: float) -> bool:
        """Take an event of the table; return whether a seat begins to shuffle."""
        match event:
            case Shuffling(_, seats):
                self._order, self._told = list(seats), None
            case Mixed(_, seat) if seat in self._order:
                self._order.remove(seat)
            case Shuffled():
                self._order = []
            case _:
                return False
        self._since = now
        return bool(self._order)

    def slow(self, now: float) -> Seat | None:
        """Return, once, the seat that has been shuffling for SLOW_SHUFFLE_S."""
        if not self._order or now - self._since < SLOW_SHUFFLE_S or self._told == self._order[0]:
            return None
        self._told = self._order[0]
        return self._told
