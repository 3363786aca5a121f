"""The words, the screen and the lesson of each game.

This is the one registry; the modules here are the bases.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from client.i18n.translation import _, later
from engine.games import GAMES

if TYPE_CHECKING:
    from client.ui.games.lesson import GameLesson
    from client.ui.games.screen import GameScreen
    from client.ui.games.words import GameWords


class Listing(NamedTuple):
    """A game in a list of games, which loads nothing else of it."""

    title: str
    about: str
    package: str
    """With modules `words` with `WORDS`, `screen` with `SCREEN`, and `lesson` with `LESSON`."""


LISTINGS = {
    "escoba": Listing(
        later("Escoba"),
        later("Take cards from the table that make 15 with one of yours."),
        "client.ui.games.escoba",
    ),
    "domino": Listing(
        later("Dominoes"),
        later("Join tiles end to end, be the first without any, and make the others pass."),
        "client.ui.games.domino",
    ),
    "siete-y-media": Listing(
        later("Siete y media"),
        later("Come as near as you can to seven and a half without going over, against the bank."),
        "client.ui.games.siete_y_media",
    ),
    "truco": Listing(
        "Truco",
        later("Win two of three tricks, and bet on it; bet on two cards of a suit too, and bluff."),
        "client.ui.games.truco",
    ),
    "kinaskak": Listing(
        "Kínaskák",
        later(
            "Collect the runs and sets that each round asks for, lay them down, and be rid of your "
            "cards."
        ),
        "client.ui.games.kinaskak",
    ),
}

OPTION_LESSONS = {"truco": {"flor": later("Truco with the flor")}}
"""The titles of lessons of an option, by game and option; the game's package has their modules."""


def lessons() -> dict[str, str]:
    """Return the titles of all lessons: of the games, and after them of options that have one.

    A lesson goes by the game, as `truco`, or by the game and the option, as `truco:flor`.
    """
    found = {game: title_of(game) for game in GAMES}
    for game, options in OPTION_LESSONS.items():
        found |= {f"{game}:{option}": _(title) for option, title in options.items()}
    return found


def lesson_named(name: str) -> GameLesson:
    """Return one of the lessons by its name."""
    game, _colon, option = name.partition(":")
    return lesson_of(game, {option: True})


def title_of(game: str) -> str:
    """Return the title of a game; of one that has none, its name."""
    return _(LISTINGS[game].title) if game in LISTINGS else game


def about_of(game: str) -> str:
    """Return the sentence about a game in a list; nothing of a game that has none."""
    return _(LISTINGS[game].about) if game in LISTINGS else ""


def words_of(game: str) -> GameWords:
    """Return the words of a game of the catalogue.

    A game that has none of its own gets the words that do for any game.
    """
    words: GameWords = _module(game, "words").WORDS
    return words


def screen_of(game: str) -> GameScreen:
    """Return the screen of a game.

    A game without a screen of its own is played by choosing from the list of its moves.
    """
    screen: GameScreen = _module(game, "screen").SCREEN
    return screen


def lesson_of(game: str, options: Mapping[str, Any] | None = None) -> GameLesson:
    """Return the lesson of a game; if one of these options is on and has a lesson, that one.

    For a game without a lesson of its own, it only tells which keys make a move.
    """
    on = [option for option in OPTION_LESSONS.get(game, {}) if (options or {}).get(option)]
    lesson: GameLesson = _module(game, f"{on[0]}_lesson" if on else "lesson").LESSON
    return lesson


@cache
def _module(game: str, part: str) -> Any:
    """Load a module of a game's package; of a game that has none, the base of all."""
    return import_module(f"{LISTINGS[game].package if game in LISTINGS else __name__}.{part}")


def shown(value: object) -> str:
    """Return an option's value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)
