"""The outline of a match: its result, its score and its departures, for a list of many matches.

Pure, and quick to import.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.moves import Seat


@dataclass(frozen=True)
class Outline:
    """The course of a match, as its log tells it. Seats count from 0; scores are of every seat."""

    sides: int
    """How many sides play; the side of a seat is the seat modulo this."""
    deals: int
    moves: int
    """The choices of players; answers that the rules leave no choice about are none."""
    scores: tuple[tuple[int, ...], ...]
    """The score of every seat after each deal that has ended, in order; after the last one it is
    that of the end."""
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
    """Whether this is no log of a whole match: it only convicts a seat."""

    def side(self, seat: Seat) -> int:
        """Return the side of a seat."""
        return seat % self.sides
