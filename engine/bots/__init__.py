"""Computer players: functions of a view, as a screen is.

They see what their seat may see and nothing else.
"""

from __future__ import annotations

from importlib import import_module

from engine.bots import chance
from engine.bots.player import (
    Bot,
    Character,
    Rated,
    Rater,
    Ratings,
    Strength,
    agreeing,
    usual,
)
from engine.core.moves import Choose
from engine.core.view import View

__all__ = [
    "MODULES",
    "RATERS",
    "Bot",
    "Character",
    "Rated",
    "Rater",
    "Ratings",
    "Strength",
    "bot_for",
    "chance_for",
    "character_for",
    "characters_of",
    "rater_for",
    "usual",
]

MODULES = {
    "escoba": "engine.bots.escoba",
    "domino": "engine.bots.domino",
    "siete-y-media": "engine.bots.siete_y_media",
    "truco": "engine.bots.truco",
    "kinaskak": "engine.bots.kinaskak",
}
"""The module of each game's players, with `CHARACTERS`. They are loaded only when they are
wanted."""

BY_CHANCE = {
    "kinaskak": "at_random",
}
"""The random player of each game that would not end with any option; in all others, any option will
do."""


def characters_of(game: str) -> tuple[Character, ...]:
    """Return the characters of a game, the strongest first; none if nobody has written one."""
    if game not in MODULES:
        return ()
    characters: tuple[Character, ...] = import_module(MODULES[game]).CHARACTERS
    return characters


def bot_for(game: str) -> Bot:
    """Return the strongest computer player of a game.

    Where nobody has written one, it plays at random.
    """
    characters = characters_of(game)
    return characters[0].play if characters else chance.play


def rater_for(game: str) -> Rater:
    """Return the function that rates all moves of a choice of a game.

    It agrees with the hint: the usual move of the strongest player is the first.
    """

    def rate(view: View, choose: Choose) -> Ratings:
        rater: Rater = import_module(MODULES[game]).rate
        return agreeing(rater(view, choose), bot_for(game)(view, usual))

    return rate


RATERS: dict[str, Rater] = {game: rater_for(game) for game in MODULES}
"""The function that rates all moves of a choice, by the name of the game."""


def character_for(game: str, name: str) -> Character:
    """Return the character of this name. KeyError if the game has none."""
    for character in characters_of(game):
        if character.name == name:
            return character
    raise KeyError(name)


def chance_for(game: str) -> Bot:
    """Return a player that plays by chance, which the others are measured by."""
    if game not in BY_CHANCE:
        return chance.play
    player: Bot = getattr(import_module(MODULES[game]), BY_CHANCE[game])
    return player
