"""Computer players: functions of a view, as a screen is. They see what their seat may see and nothing else."""

from __future__ import annotations

from engine.bots import chance, domino, escoba, kinaskak, siete_y_media, truco
from engine.bots.player import Bot, Character, Choose, Rated, Rater, Ratings, Strength

__all__ = [
    "BY_CHANCE",
    "CHARACTERS",
    "RATERS",
    "Bot",
    "Character",
    "Choose",
    "Rated",
    "Rater",
    "Ratings",
    "Strength",
    "bot_for",
    "chance_for",
    "character_for",
]

CHARACTERS: dict[str, tuple[Character, ...]] = {
    "escoba": escoba.CHARACTERS,
    "domino": domino.CHARACTERS,
    "siete-y-media": siete_y_media.CHARACTERS,
    "truco": truco.CHARACTERS,
    "kinaskak": kinaskak.CHARACTERS,
}
"""The characters of each game, the strongest first."""

RATERS: dict[str, Rater] = {
    "escoba": escoba.rate,
    "domino": domino.rate,
    "siete-y-media": siete_y_media.rate,
    "kinaskak": kinaskak.rate,
    "truco": truco.rate,
}
"""The function that rates all moves of a choice, by the name of the game."""

BY_CHANCE: dict[str, Bot] = {
    "kinaskak": kinaskak.at_random,
}
"""The random player of each game that would not end with any option; in all others, any option will do."""


def bot_for(game: str) -> Bot:
    """Return the strongest computer player of a game; where nobody has written one, it plays at random."""
    characters = CHARACTERS.get(game)
    return characters[0].play if characters else chance.play


def character_for(game: str, name: str) -> Character:
    """Return the character of this name. KeyError if the game has none."""
    for character in CHARACTERS.get(game, ()):
        if character.name == name:
            return character
    raise KeyError(name)


def chance_for(game: str) -> Bot:
    """Return a player that plays by chance and ends its matches: the measure for the others, and the player of tests."""
    return BY_CHANCE.get(game, chance.play)
