"""Computer players: functions of a view, as a screen is. They see what their seat may see and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.bots import chance, domino, escoba, kinaskak, siete_y_media, truco
from engine.core.moves import Move
from engine.core.view import View

Bot: TypeAlias = Callable[[View, Callable[[int], int]], Move]
"""Given a view whose seat may choose, and a source of numbers below n, a legal move."""

BOTS: dict[str, Bot] = {
    "escoba": escoba.play,
    "domino": domino.play,
    "siete-y-media": siete_y_media.play,
    "truco": truco.play,
    "kinaskak": kinaskak.play,
}
"""The honest players, by the name of the game."""

BY_CHANCE: dict[str, Bot] = {
    "kinaskak": kinaskak.at_random,
}
"""The random player of each game that would not end with any option; in all others, any option will do."""


def bot_for(game: str) -> Bot:
    """Return the computer player of a game; where nobody has written one, it plays at random."""
    return BOTS.get(game, chance.play)


def chance_for(game: str) -> Bot:
    """Return a player that plays by chance and ends its matches: the measure for the others, and the player of tests."""
    return BY_CHANCE.get(game, chance.play)
