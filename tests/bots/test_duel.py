"""The tool that measures computer players, and the opponents that it measures them with."""

from pathlib import Path

import pytest

from tests.bots import exploit_siete_y_media
from tests.bots.duel import league, measured
from tests.bots.opponents import LEAGUE
from tests.sample import sample


def test_it_says_how_often_the_player_won_and_how_long_it_took():
    (line,) = league(["siete-y-media", "always-max", "--matches", "4"])
    assert line.startswith("always-max")
    assert all(part in line for part in ("won ", " % (", "lost ", "; ms ", "99 %"))


@pytest.mark.slow
def test_it_plays_against_the_players_of_another_checkout():
    """Against itself, as this checkout is the other one."""
    root = Path(__file__).parents[2]
    (line,) = league(["siete-y-media", "--other", str(root), "--matches", "4"])
    assert line.startswith(root.name)


NAMES = [(game, name) for game, names in LEAGUE.items() for name in names]
FIRST = [(game, next(iter(names))) for game, names in LEAGUE.items()]


@pytest.mark.parametrize(
    ("game", "name"),
    sample(FIRST + [row for row in NAMES if row not in FIRST], len(FIRST), rows=True),
)
def test_every_opponent_plays_whole_matches(game, name, monkeypatch):
    monkeypatch.setattr(exploit_siete_y_media, "WATCHED", 4)
    short = {
        "truco": {"target": 5},
        "siete-y-media": {"deals": 3},
        "domino": {"target": 4},
        "escoba": {"target": 3},
    }
    seats = 4 if game == "kinaskak" else 2
    found = measured(game, LEAGUE[game][name], 2, seats, short.get(game, {"last_contract": 1}))
    assert found.took
