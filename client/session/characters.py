"""The characters that play at a table, chosen by the words that a person types.

A word is a strength (`weak`, `middle`, `strong`) or the name of a character. The words are for the
computer players in turn; the last one is for all that follow.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from client.i18n.translation import either, later
from client.storage.computers import FURTHER_NICKS
from engine.bots import Bot, Character, Strength, bot_for, characters_of
from p2p.net.names import look_alike

STRENGTHS = {"weak": Strength.WEAK, "middle": Strength.MIDDLE, "strong": Strength.STRONG}
"""The strengths as they are typed."""
USUAL = "middle"
"""The strength of computer players if a person types no word."""
STRENGTH_NAMES = {
    Strength.STRONG: later("strong"),
    Strength.MIDDLE: later("medium"),
    Strength.WEAK: later("weak"),
}
_LETTERS = str.maketrans({"ð": "d", "þ": "th", "æ": "ae", "ø": "o", "ß": "ss"})


class NoSuchPlayerError(Exception):
    """A word that is neither a strength nor a character of the game.

    `known` is a phrase that lists all words.
    """

    def __init__(self, word: str, known: Sequence[str]) -> None:
        super().__init__(word)
        self.word, self.known = word, either(known)


def known_words(game: str) -> list[str]:
    """Return the words for computer players: strengths, then characters, from weak to strong."""
    by_strength = sorted(characters_of(game), key=lambda one: one.strength)
    return [*STRENGTHS, *(one.name for one in by_strength)]


def read_words(game: str, text: str) -> tuple[str, ...]:
    """Return the words of a comma-separated list, as `known_words` has them.

    Capitals and accents are ignored. Raises NoSuchPlayerError.
    """
    known = known_words(game)
    found = []
    for typed in text.split(","):
        same = [word for word in known if plain(word) == plain(typed.strip())]
        if not same:
            raise NoSuchPlayerError(typed.strip(), known)
        found.append(same[0])
    return tuple(found)


def plain(word: str) -> str:
    """Return a word in lower case without accents, as any keyboard can type it."""
    parted = unicodedata.normalize("NFKD", word.casefold().translate(_LETTERS))
    return "".join(letter for letter in parted if not unicodedata.combining(letter))


def names_of(game: str, word: str) -> list[str]:
    """Return the names of the characters of a strength, or of the nearest strength in the game."""
    wanted, characters = STRENGTHS[word], characters_of(game)
    nearest = min((abs(one.strength - wanted) for one in characters), default=0)
    return [one.name for one in characters if abs(one.strength - wanted) == nearest]


def known_character(game: str, name: str) -> Character | None:
    """Return the character of this name; None if the game has none."""
    return next((one for one in characters_of(game) if one.name == name), None)


def bot_of(game: str, name: str) -> Bot:
    """Return the player behind a character; for an unknown name, the strongest of the game."""
    character = known_character(game, name)
    return character.play if character is not None else bot_for(game)


def seat_characters(
    game: str,
    wanted: Sequence[str],
    count: int,
    choose: Callable[[int], int],
    seated: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the names of `count` characters; the first are those already `seated`.

    Among the characters of a strength, those seated least often are taken at random: `choose(n)`
    draws from 0 to n - 1.
    """
    found = list(seated[:count])
    for place in range(len(found), count):
        word = wanted[min(place, len(wanted) - 1)] if wanted else USUAL
        if word not in STRENGTHS:
            found.append(word)
            continue
        names = names_of(game, word) or [""]
        least = min(found.count(name) for name in names)
        fresh = [name for name in names if found.count(name) == least]
        found.append(fresh[choose(len(fresh))])
    return tuple(found)


def nicks_for(names: Sequence[str], others: Iterable[str], unnamed: str) -> list[str]:
    """Return a nick for each character: its name, or one that resembles no other nick.

    `unnamed` is the pattern, with `{number}`, for a computer player without a name, or if no name
    is left.
    """
    taken, found = list(others), list[str]()
    for name in names:
        named = [name, *FURTHER_NICKS] if name else []
        numbered = (unnamed.format(number=number) for number in itertools.count(len(found) + 1))
        nick = next(
            nick
            for nick in itertools.chain(named, numbered)
            if not any(look_alike(nick, other) for other in taken)
        )
        taken.append(nick)
        found.append(nick)
    return found
