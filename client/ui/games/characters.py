"""The words about computer players: the play of each character in a sentence, and the strengths."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice

from client.i18n.translation import _, later, listed
from client.session.characters import (
    STRENGTH_NAMES,
    STRENGTHS,
    known_character,
    names_of,
    nicks_for,
)
from client.storage.computers import NICK

ABOUT: Mapping[str, str] = {
    "Carmen": later("Remembers every card and thinks ahead to the end of the hand."),
    "Joseba": later("Plays with care but forgets the cards that have gone."),
    "Begoña": later("Takes as many cards as it can and never asks what comes next."),
    "Lorenzo": later("Plays each deal out in mind many times, for the match."),
    "Nekane": later("Keeps what still fits, and remembers who could not go on."),
    "Wilbur": later("Gets rid of the heaviest tile first, and cares for nothing else."),
    "Álfrún": later("Plays the number it has most of, and watches nobody else."),
    "Maite": later("Mixes its stakes so that they tell nothing, and plays for the match."),
    "Eusebio": later("Stakes what the first card is worth, and never reads a stake."),
    "Birna": later("Fears to go over: stands on four, and stakes little."),
    "Fergus": later("Stakes high on almost any card, and asks for one card too many."),
    "Ramona": later("Weighs every call against the hands that the others may hold."),
    "Anselmo": later("Calls with good cards only, and folds when in doubt."),
    "Eider": later("Overvalues its hand, calls often and hardly ever folds."),
    "Snæfríður": later("Sees its own cards and the present trick only, and folds early."),
    "Sigríður": later("Counts the cards, buys those that help and lays down early."),
    "Guðmundur": later("Buys nothing, and forgets which cards have gone."),
    "Kolbrún": later("Hides the cards that it collects, and sees no melds but its own."),
}
"""The play of each character, by its name, which is unique in the program."""
ANY = {
    "strong": later("The best that the program has; it seldom errs."),
    "middle": later("It knows the game, and errs as people do."),
    "weak": later("A gentle start: it plays by the rules and misses much."),
}
"""The play of the characters of each strength, by the word for it."""


def strength_of(game: str, name: str) -> str:
    """Return the strength of a character in the reader's language.

    Return nothing if the game has no character of that name.
    """
    character = known_character(game, name)
    return _(STRENGTH_NAMES[character.strength]) if character is not None else ""


def about_computers(word: str) -> str:
    """Say how the computer players play that a word asks for: a strength, or a character's name."""
    return _(ANY[word]) if word in ANY else _(ABOUT[word]) if word in ABOUT else ""


def about_word(game: str, word: str, count: int = 1) -> str:
    """Describe how the computer players that a word asks for play.

    Say also which characters they are or, for a strength, which they may be.
    """
    about = about_computers(word)
    names = names_of(game, word) if word in STRENGTHS else [word] if count > 1 else []
    if not names:
        return about
    names = nicks_for(list(islice(cycle(names), max(count, len(names)))), (), _(NICK))
    return _("{about} In this game: {names}.").format(about=about, names=listed(names))


def shown_word(game: str, word: str) -> str:
    """Return such a word for the reader: a strength, or a name with its strength."""
    if word in STRENGTHS:
        return _(STRENGTH_NAMES[STRENGTHS[word]])
    return _("{name} ({strength})").format(name=word, strength=strength_of(game, word))
