"""The words about computer players: the play of each character in a sentence, and the strengths."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import _, later
from client.session.characters import STRENGTH_NAMES, STRENGTHS, known_character

ABOUT: Mapping[str, str] = {
    "Carmen": later("Remembers every card and thinks ahead to the end of the hand."),
    "Joseba": later("Plays with care but forgets the cards that have gone."),
    "Begoña": later("Takes as many cards as it can and never asks what comes next."),
    "Lorenzo": later("Counts the tiles and works out what each player still holds."),
    "Maite": later("Reads the stakes and plays for the match, not for the hand."),
    "Ramona": later("Weighs every call, and bluffs now and then."),
    "Sigríður": later("Counts the cards and lays down as soon as it can."),
    "Þorsteinn": later("Buys nothing, and forgets which cards have gone."),
    "Kolbrún": later("Buys nothing and lays cards off on its own melds only."),
}
"""The play of each character, by its name, which is unique in the program."""
ANY = {
    "strong": later("The best that the program has; it seldom errs."),
    "middle": later("It knows the game, and errs as people do."),
    "weak": later("A gentle start: it plays by the rules and misses much."),
}
"""The play of the characters of each strength, by the word for it."""


def strength_of(game: str, name: str) -> str:
    """Return the strength of a character in the reader's language; nothing if the game has no such character."""
    character = known_character(game, name)
    return _(STRENGTH_NAMES[character.strength]) if character is not None else ""


def about_computers(word: str) -> str:
    """Say how the computer players play that a word asks for: a strength, or a character's name."""
    return _(ANY[word]) if word in ANY else _(ABOUT[word]) if word in ABOUT else ""


def shown_word(game: str, word: str) -> str:
    """Return such a word for the reader: a strength, or a name with its strength."""
    if word in STRENGTHS:
        return _(STRENGTH_NAMES[STRENGTHS[word]])
    return _("{name} ({strength})").format(name=word, strength=strength_of(game, word))
