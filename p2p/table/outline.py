"""The outline of a match for a list of matches: its result, score and departures.

Pure, and quick to import.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.moves import Seat


@dataclass(frozen=True)
class Outline:
    """The course of a match, from its log. Seats count from 0; scores have every seat."""

    sides: int
    """The number of sides; a seat's side is the seat modulo this."""
    deals: int
    moves: int
    """The choices of players; answers without an alternative do not count."""
    scores: tuple[tuple[int, ...], ...]
    """The score of every seat after each deal, in order; once over, the last is the final one."""
    score: tuple[int, ...]
    winners: tuple[Seat, ...]
    over: bool
    """Whether the rules have ended the match."""
    begun: bool
    """Whether every seat has signed an entry."""
    unsealed: tuple[Seat, ...]
    """The seats still in the match that have not sealed it."""
    gone: tuple[tuple[Seat, str], ...]
    """The seats that went, in order, and how: `left`, `convicted` or `voted`."""
    convicts: bool = False
    """Whether this log only convicts a seat."""

    def side(self, seat: Seat) -> int:
        """Return the side of a seat."""
        return seat % self.sides
