"""How each game is told: the words for its moves, for what its rules say, and for why a move is refused."""

from __future__ import annotations

from importlib import import_module

from client.games.base import GameWords

__all__ = ["GameWords", "words_of"]


_MODULES = {"escoba": "client.games.escoba"}


def words_of(game: str) -> GameWords:
    """Return the words of a game of the catalogue; of a game that has none of its own, those that do for any."""
    if game not in _MODULES:
        return GameWords()
    words: GameWords = import_module(_MODULES[game]).WORDS
    return words
