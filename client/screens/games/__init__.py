"""What of each game's table is its own on the full screen; the rest is client.screens.play's."""

from __future__ import annotations

from importlib import import_module

from client.screens.games.base import GameScreen

__all__ = ["GameScreen", "screen_of"]

_MODULES = {
    "domino": "client.screens.games.domino",
    "escoba": "client.screens.games.escoba",
    "truco": "client.screens.games.truco",
    "kinaskak": "client.screens.games.kinaskak",
    "siete-y-media": "client.screens.games.siete_y_media",
}


def screen_of(game: str) -> GameScreen:
    """Return the screen of a game; one that has none of its own is played by choosing from the list of its moves."""
    if game not in _MODULES:
        return GameScreen()
    screen: GameScreen = import_module(_MODULES[game]).SCREEN
    return screen
