"""What of each game's table is its own on the full screen; the rest is client.ui.screen.play's."""

from __future__ import annotations

from importlib import import_module

from client.ui.games.screen import GameScreen

__all__ = ["GameScreen", "screen_of"]

_MODULES = {
    "domino": "client.ui.games.domino.screen",
    "escoba": "client.ui.games.escoba.screen",
    "truco": "client.ui.games.truco.screen",
    "kinaskak": "client.ui.games.kinaskak.screen",
    "siete-y-media": "client.ui.games.siete_y_media.screen",
}


def screen_of(game: str) -> GameScreen:
    """Return the screen of a game; one that has none of its own is played by choosing from the list of its moves."""
    if game not in _MODULES:
        return GameScreen()
    screen: GameScreen = import_module(_MODULES[game]).SCREEN
    return screen
