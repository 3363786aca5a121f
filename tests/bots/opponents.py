"""Opponents that exploit a weakness: players that never change, and players with a habit of `client.bench.habits`."""

from __future__ import annotations

from collections.abc import Callable

from client.bench.habits import (
    RAISES,
    always,
    blocks,
    bluffs_late,
    lays,
    never_folds,
    opens_blindly,
    reads_stakes,
    stakes,
    stands_at,
    weight,
)
from engine.bots import Bot, chance
from engine.bots import truco as truco_now
from engine.core.moves import Move
from engine.core.view import View
from engine.games.truco.moves import TRUCO
from tests.bots import card_opponents
from tests.bots.siete_y_media_knows import knows
from tests.bots.today import domino, siete_y_media, truco

Choose = Callable[[int], int]


def in_second_half(late: Bot, base: Bot) -> Bot:
    """Play like another once a side has half of the points."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        half = 2 * max(view.game.score) >= view.game.options["target"]
        return (late if half else base)(view, choose)

    return play


def by_deals(one: Bot, other: Bot) -> Bot:
    """Play like one in every other deal, and like the other between."""

    def play(view: View, choose: Callable[[int], int]) -> Move:
        return (one if view.game.round % 2 else other)(view, choose)

    return play


LEAGUE: dict[str, dict[str, Bot]] = {
    "truco": {
        "today": truco.play,
        "envido": opens_blindly("envido", truco.play),
        "real-envido": opens_blindly("real-envido", truco.play),
        "falta-envido": opens_blindly("falta-envido", truco.play),
        "always-truco": always(TRUCO, truco.play),
        "always-raise": always(RAISES, never_folds(truco.play)),
        "raises-envido": always(("real-envido", "falta-envido", "quiero"), truco.play),
        "never-folds": never_folds(truco.play),
        "late-bluffs": bluffs_late(truco.play),
        "late-envido": in_second_half(opens_blindly("envido", truco.play), truco.play),
        "late-real": in_second_half(opens_blindly("real-envido", truco.play), truco.play),
        "accepts-all": always(("quiero",), truco.play),
        "folds-all": always(("no-quiero",), truco.play),
        "real-and-truco": opens_blindly("real-envido", always(TRUCO, truco.play)),
        "half-blind": by_deals(opens_blindly("envido", truco.play), truco.play),
        "real-or-truco": by_deals(opens_blindly("real-envido", truco.play), always(TRUCO, truco.play)),
        "envido-now": opens_blindly("envido", truco_now.play),
        "real-envido-now": opens_blindly("real-envido", truco_now.play),
        "falta-envido-now": opens_blindly("falta-envido", truco_now.play),
        "always-truco-now": always(TRUCO, truco_now.play),
        "never-folds-now": never_folds(truco_now.play),
        "late-bluffs-now": bluffs_late(truco_now.play),
    },
    "siete-y-media": {
        "today": siete_y_media.play,
        "always-max": stakes(lambda least, most: most, siete_y_media.play),
        "always-min": stakes(lambda least, most: least, siete_y_media.play),
        "stand-at-five": stands_at(10, siete_y_media.play),
        "reads-stakes": reads_stakes(siete_y_media.play),
        "max-and-five": stakes(lambda least, most: most, stands_at(10, siete_y_media.play)),
        "knows": knows,
    },
    "domino": {
        "today": domino.play,
        "heavy-first": lays(weight, chance.play),
        "blocks": lays(blocks, chance.play),
    },
    "escoba": card_opponents.ESCOBA,
    "kinaskak": card_opponents.KINASKAK,
}
"""By game and name."""
