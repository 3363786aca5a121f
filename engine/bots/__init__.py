"""Computer players: functions of a view, as a screen is. They see what their seat may see and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.bots import chance, escoba
from engine.moves import Move
from engine.view import View

Bot: TypeAlias = Callable[[View, Callable[[int], int]], Move]
"""Given a view whose seat may choose, and a source of numbers below n, a legal move."""

BOTS: dict[str, Bot] = {
    "escoba": escoba.play,
}
"""The honest players, by the name of the game."""


def bot_for(game: str) -> Bot:
    """Return the computer player of a game; where nobody has written one, it plays at random."""
    return BOTS.get(game, chance.play)
