"""Opponents that exploit a weakness: players that never change, and players with a habit of `client.bench.habits`."""

from __future__ import annotations

from client.bench.habits import (
    RAISES,
    always,
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
from engine.games.truco.moves import TRUCO
from tests.bots.today import domino, escoba, kinaskak, siete_y_media, truco

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
    },
    "domino": {
        "today": domino.play,
        "heavy-first": lays(weight, chance.play),
    },
    "escoba": {"today": escoba.play},
    "kinaskak": {"today": kinaskak.play},
}
"""By game and name."""
