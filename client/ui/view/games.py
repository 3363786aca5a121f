"""The table of each game, and the cards that it is played with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the lobby shows no table: start-up time
    from client.ui.view.game import GameView

TABLES: Mapping[str, str] = {
    "escoba": "client.ui.view.escoba",
    "siete-y-media": "client.ui.view.siete_y_media",
    "kinaskak": "client.ui.view.kinaskak",
    "truco": "client.ui.view.truco",
    "domino": "client.ui.view.domino",
}
"""The games that have a table of their own, and its module."""


def kind_of(game: str) -> str:
    """Return the kind of cards with which a game is played."""
    return table_of(game).kind


@cache
def table_of(game: str) -> GameView:
    """Return the table of a game."""
    if game not in TABLES:
        from client.ui.view.plain import PlainView  # noqa: PLC0415 - start-up time

        return PlainView(game)
    view: GameView = import_module(TABLES[game]).VIEW
    return view
