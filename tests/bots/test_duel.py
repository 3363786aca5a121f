"""The tool that measures computer players, and the opponents that it measures them with."""

import pytest

from engine.bots import bot_for
from tests.bots import siete_y_media_knows
from tests.bots.duel import league, measured
from tests.bots.opponents import LEAGUE
from tests.sample import sample


def test_it_says_who_won_how_often_and_how_long_it_took():
    (line,) = league(["siete-y-media", "today", "--matches", "4"])
    assert line.startswith("today")
    assert all(part in line for part in ("won ", " % (", "lost ", "; ms ", "99 %"))


OPPONENTS = [(game, name) for game, others in LEAGUE.items() for name in others if name != "today"]
OPPONENTS.sort(key=lambda one: list(LEAGUE[one[0]]).index(one[1]) % 3)


@pytest.mark.parametrize(("game", "name"), sample(OPPONENTS, len(OPPONENTS) // 3, rows=True))
def test_every_opponent_plays_whole_matches(game, name, monkeypatch):
    monkeypatch.setattr(siete_y_media_knows, "WATCHED", 4)
    short = {"truco": {"target": 5}, "siete-y-media": {"deals": 3}, "domino": {"target": 4}, "escoba": {"target": 3}}
    seats = 4 if game == "kinaskak" else 2
    found = measured(game, LEAGUE[game][name], 2, seats, short.get(game, {"last_contract": 1}))
    assert found.took


def test_a_player_wins_half_of_the_duplicate_deals_against_itself():
    found = measured("siete-y-media", bot_for("siete-y-media"), 40)
    assert 12 <= found.won <= 28
    assert found.won + found.lost <= found.matches
