"""How each game is told: the words for its moves, for what its rules say, and for why a move is refused."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from client.ui.games.words import GameWords
from engine.games import GAMES

__all__ = ["GameWords", "shown", "shown_options", "words_of"]


_MODULES = {
    "escoba": "client.ui.games.escoba.words",
    "kinaskak": "client.ui.games.kinaskak.words",
    "domino": "client.ui.games.domino.words",
    "truco": "client.ui.games.truco.words",
    "siete-y-media": "client.ui.games.siete_y_media.words",
}


def words_of(game: str) -> GameWords:
    """Return the words of a game of the catalogue; of a game that has none of its own, those that do for any."""
    if game not in _MODULES:
        return GameWords()
    words: GameWords = import_module(_MODULES[game]).WORDS
    return words


def shown(value: object) -> str:
    """Return an option's value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def shown_options(game: str, options: Mapping[str, Any]) -> str:
    """Return a table's options as they are typed, in the order of the catalogue."""
    known = [name for name in GAMES[game].choices if name in options] if game in GAMES else sorted(options)
    return ", ".join(f"{name}={shown(options[name])}" for name in known)
