"""The catalogue of games, and the start of a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pkgutil import resolve_name
from typing import Any

from engine.core.game import Game
from engine.core.options import BadOption


class Catalogue(Mapping[str, type[Game]]):
    """The rules of games by name. A module is loaded when it is needed."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """Take the location of each game, as `module:class`."""
        self.classes: dict[str, str | type[Game]] = dict(places)
        """The class of each game, or where it is."""

    def __getitem__(self, name: str) -> type[Game]:
        found = self.classes[name]
        if isinstance(found, str):
            self.classes[name] = found = resolve_name(found)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.classes)

    def __len__(self) -> int:
        return len(self.classes)

    def __contains__(self, name: object) -> bool:
        return name in self.classes


GAMES = Catalogue(
    {
        "escoba": "engine.games.escoba.rules:Escoba",
        "domino": "engine.games.domino.rules:Domino",
        "siete-y-media": "engine.games.siete_y_media.rules:SieteYMedia",
        "truco": "engine.games.truco.rules:Truco",
        "kinaskak": "engine.games.kinaskak.rules:Kinaskak",
    }
)
"""By the name that scenarios, terms and the command line use."""


class UnknownGame(Exception):
    """There is no game of that name."""

    def __init__(self, name: object) -> None:
        super().__init__(f"there is no game called {name!r}; there is {', '.join(GAMES)}")
        self.name = name


def game_class(name: object) -> type[Game]:
    """Return the class of a game, or raise UnknownGame."""
    found = GAMES.get(name) if isinstance(name, str) else None
    if found is None:
        raise UnknownGame(name)
    return found


def complete_options(name: str, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Check a table's options and fill in the defaults for this number of players.

    Raises UnknownGame or BadOption.
    """
    game = game_class(name)
    if type(players) is not int or players not in game.allowed_players:
        allowed = " / ".join(map(str, game.allowed_players))
        raise BadOption("wrong-players", name=name, allowed=allowed, players=players)
    for key, value in options.items():
        if key not in game.choices:
            raise BadOption("no-such-option", name=name, key=key)
        game.choices[key].check(key, value)
    complete = {key: options.get(key, default) for key, default in game.defaults(players).items()}
    game.check_options(players, complete)
    return complete


def new_game(name: str, players: int, options: Mapping[str, Any] | None = None) -> Game:
    """Return an unplayed match. Raises UnknownGame or BadOption."""
    return game_class(name)(players, complete_options(name, players, options or {}))
