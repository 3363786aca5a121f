"""The tool that measures computer players, and the opponents that it measures them with."""

from collections.abc import Sequence
from random import Random

import pytest

from benchmarks.habits import blocks, lays
from engine.bots import bot_for, chance
from engine.core.cards import DOMINOES, pips
from engine.core.moves import Move
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.domino.rules import Domino
from tests.bots import exploit_siete_y_media
from tests.bots.duel import league, measured
from tests.bots.opponents import LEAGUE
from tests.sample import sample


def test_it_says_who_won_how_often_and_how_long_it_took():
    (line,) = league(["siete-y-media", "today", "--matches", "4"])
    assert line.startswith("today")
    assert all(part in line for part in ("won ", " % (", "lost ", "; ms ", "99 %"))


OTHERS = {game: [name for name in others if name != "today"] for game, others in LEAGUE.items()}
FIRST = [(game, name) for game, names in OTHERS.items() for name in names[::6]]
OPPONENTS = FIRST + [
    (game, name) for game, names in OTHERS.items() for name in names if (game, name) not in FIRST
]


@pytest.mark.parametrize(("game", "name"), sample(OPPONENTS, len(FIRST), rows=True))
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


def after(moves: Sequence[Move]) -> tuple[OpenDeck, Domino]:
    """A match of dominoes after these moves."""
    deck = OpenDeck(new_game("domino", 4, {}), shuffled(Random(3).randrange), 0)
    for move in moves:
        deck.act(deck.turn[0], move)
    assert isinstance(deck.game, Domino)
    return deck, deck.game


def test_a_blocker_leaves_the_others_as_few_tiles_that_fit_as_can_be():
    player, moves, compared = lays(blocks, chance.play), [], 0
    while (now := after(moves))[1].round < 2:
        view = now[0].view(now[0].turn[0])
        unseen, left = set(DOMINOES) - set(view.faces.values()), {}
        for move in view.options:
            ends = after([*moves, move])[1].ends or ()  # none after the last tile
            left[move] = sum(not set(ends).isdisjoint(pips(face)) for face in unseen)
        moves.append(player(view, Random(1).randrange))
        if len(set(left.values())) > 1 and all(left.values()):
            assert left[moves[-1]] == min(left.values())
            compared += 1
    assert compared


def test_a_player_wins_half_of_the_duplicate_deals_against_itself():
    found = measured("siete-y-media", bot_for("siete-y-media"), 40)
    assert 12 <= found.won <= 28
    assert found.won + found.lost <= found.matches
