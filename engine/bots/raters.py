"""The raters of all games.

Importing this loads every computer player; `engine.bots` loads those of one game.
"""

from __future__ import annotations

from engine.bots import domino, escoba, kinaskak, siete_y_media, truco
from engine.bots.player import Rater

RATERS: dict[str, Rater] = {
    "escoba": escoba.rate,
    "domino": domino.rate,
    "siete-y-media": siete_y_media.rate,
    "kinaskak": kinaskak.rate,
    "truco": truco.rate,
}
"""The function that rates all moves of a choice, by the name of the game."""
