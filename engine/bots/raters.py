"""The raters of all games."""

from __future__ import annotations

from engine.bots import MODULES, rater_for
from engine.bots.player import Rater

RATERS: dict[str, Rater] = {game: rater_for(game) for game in MODULES}
"""The function that rates all moves of a choice, by the name of the game."""
