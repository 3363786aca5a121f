"""Golden transcripts: matches under the rules, reviewed as a diff. SOBREMESA_UPDATE=1 writes them
anew."""

import os
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.playthroughs.transcript import transcript

HERE = Path(__file__).parent
MATCHES = {
    "escoba": (2, {"target": 6}, 1),
    "siete-y-media": (3, {"deals": 3}, 1),
    "domino": (2, {"target": 6, "capicua": "on"}, 1),
    "kinaskak": (3, {"last_contract": 1}, 5),
    "truco": (4, {"target": 7, "envido_callers": "any"}, 15),
}


def test_every_game_has_a_playthrough():
    assert set(MATCHES) == set(GAMES)
    assert {path.stem for path in HERE.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize("game", MATCHES)
def test_playthrough(game):
    players, options, seed = MATCHES[game]
    now = transcript(game, players, options, seed)
    path = HERE / f"{game}.txt"
    if os.environ.get("SOBREMESA_UPDATE") == "1":
        path.write_text(now, encoding="utf-8")
    assert now.splitlines() == path.read_text(encoding="utf-8").splitlines()
