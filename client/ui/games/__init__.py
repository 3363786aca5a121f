"""The words, the screen, the picture and the lesson of each game. This is the one registry; the modules here are the bases."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.games import GAMES

if TYPE_CHECKING:
    from client.ui.games.lesson import GameLesson
    from client.ui.games.picture import GamePicture
    from client.ui.games.screen import GameScreen
    from client.ui.games.words import GameWords

PACKAGES = {
    "escoba": "client.ui.games.escoba",
    "domino": "client.ui.games.domino",
    "siete-y-media": "client.ui.games.siete_y_media",
    "truco": "client.ui.games.truco",
    "kinaskak": "client.ui.games.kinaskak",
}
"""Each has modules `words` with `WORDS`, `screen` with `SCREEN`, `picture` with `PICTURE`, and `lesson` with `LESSON`.

They are loaded only when they are wanted.
"""


def words_of(game: str) -> GameWords:
    """Return the words of a game of the catalogue; of a game that has none of its own, those that do for any."""
    words: GameWords = import_module(f"{PACKAGES.get(game, __name__)}.words").WORDS
    return words


def screen_of(game: str) -> GameScreen:
    """Return the screen of a game; one that has none of its own is played by choosing from the list of its moves."""
    screen: GameScreen = import_module(f"{PACKAGES.get(game, __name__)}.screen").SCREEN
    return screen


def picture_of(game: str) -> GamePicture:
    """Return the picture of a game's table; one that has none of its own shows hands and a row of cards."""
    picture: GamePicture = import_module(f"{PACKAGES.get(game, __name__)}.picture").PICTURE
    return picture


def lesson_of(game: str) -> GameLesson:
    """Return the lesson of a game; one that has none of its own is only told which keys make a move."""
    lesson: GameLesson = import_module(f"{PACKAGES.get(game, __name__)}.lesson").LESSON
    return lesson


def shown(value: object) -> str:
    """Return an option's value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def shown_options(game: str, options: Mapping[str, Any]) -> str:
    """Return a table's options as they are typed, in the order of the catalogue."""
    known = [name for name in GAMES[game].choices if name in options] if game in GAMES else sorted(options)
    return ", ".join(f"{name}={shown(options[name])}" for name in known)
