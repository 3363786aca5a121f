"""A quick computer player of each game, for tests of other things."""

from __future__ import annotations

from engine.bots import Bot, characters_of


def weak_bot(game: str) -> Bot:
    """Return the weakest computer player of a game, which plays sensibly, and quickly."""
    return characters_of(game)[-1].play
