"""Moments of an analysis, at one table of Escoba."""

from __future__ import annotations

from client.session.analysis import Judged
from tests.screens.stage import Stage, view_of

DECK = ["7o", "12o", "1c", "1o", "4b", "1e", "3c", "5c", "6e", "2b"]
"""Both hands in turn, ours first, then the table."""
PLAYED, BEST = "play 7o take 3c 5c", "play 7o take 6e 2b"


def judged(record: int, deal: int, lost: float, best: str = BEST) -> Judged:
    """Return a choice that took the 3 and the 5, where the 6 and the 2 were better."""
    view = view_of(Stage("escoba", 2, decks=[DECK]).state)
    better = view.game.read(BEST, view.seat or 0, view.faces)
    return Judged(record, deal, PLAYED, best, lost, view, better)
