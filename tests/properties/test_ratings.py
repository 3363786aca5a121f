"""The strongest player of every game rates whatever legal move a person made."""

from random import Random

import pytest

from engine.bots import RATERS
from engine.bots.player import offering
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import GAMES, new_game
from engine.games.kinaskak.moves import Discard, Lay, Meld
from tests.properties import anyhow
from tests.sample import sample

OPTIONS = {
    "kinaskak": {"last_contract": 3, "buys": 5},
    "domino": {"target": 30},
    "truco": {"target": 6},
    "escoba": {"target": 3, "capture": "free"},
    "siete-y-media": {"deals": 4},
}
RATED = {"domino": 6, "escoba": 30, "kinaskak": 100}
"""Moves that are rated of games in which that takes long."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(8), 2))
@pytest.mark.parametrize("game", GAMES)
def test_every_legal_move_is_rated(game, seed):
    random = Random(seed)
    players = GAMES[game].allowed_players[seed % len(GAMES[game].allowed_players)]
    play = OpenDeck(
        new_game(game, players, OPTIONS[game]), shuffled(random.randrange), seed % players
    )
    made, unlisted = 0, []
    while play.turn:
        seat = random.choice(play.turn)
        view = play.view(seat)
        move = anyhow.play(view, random)
        if made < RATED.get(game, 1000):
            made += 1
            ratings = RATERS[game](offering(view, move), random.randrange)
            assert {move, *view.options} <= {one.move for one in ratings.moves}
        if move not in list(view.options):
            unlisted.append(type(move))
        play.act(seat, move)
    assert game != "kinaskak" or (Meld in unlisted and {Lay, Discard} & set(unlisted))
    assert made
