"""Computer players that never change: to measure with, and for tests whose golden files must not
change with play."""

from __future__ import annotations

from engine.bots.player import Bot
from tests.bots.today import domino, escoba, kinaskak, siete_y_media, truco

FIXED: dict[str, Bot] = {
    "escoba": escoba.play,
    "domino": domino.play,
    "siete-y-media": siete_y_media.play,
    "truco": truco.play,
    "kinaskak": kinaskak.play,
}
"""The players as they were before they had strengths, by the name of the game."""


def fixed_bot(game: str) -> Bot:
    """Return the unchanging computer player of a game."""
    return FIXED[game]
