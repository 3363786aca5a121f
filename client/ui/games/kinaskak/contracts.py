"""The contracts of Kínaskák in words, and the number of rounds."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import later
from engine.games.kinaskak.rules import Kinaskak

CONTRACTS: Mapping[int, str] = {
    1: later("a run and a set"),
    2: later("two sets"),
    3: later("two runs"),
    4: later("two sets and a run"),
    5: later("two runs and a set"),
    6: later("three sets"),
    7: later("three runs"),
    8: later("two runs and two sets, all 14 cards at once"),
}
"""The melds that each contract asks for, in the words of the game."""


def rounds(game: Kinaskak) -> int:
    """R6, R26. Return how many rounds the match has: one for each contract, and the void ones."""
    last: int = game.options["last_contract"]
    return game.round + last - game.contract
