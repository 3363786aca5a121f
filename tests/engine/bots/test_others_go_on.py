"""Computer players play on, legally and to the end, when seats have left."""

import pytest

from engine.bots import bot_for, characters_of
from engine.games import new_game
from tests.engine.steps import Steps

TABLES = [
    ("escoba", 4, {"target": 5}),
    ("domino", 4, {"target": 6}),
    ("kinaskak", 5, {"last_contract": 1}),
]


@pytest.mark.parametrize("gone", [(0,), (1, 3)])
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_every_player_plays_a_match_that_seats_have_left(game, players, options, gone):
    for player in (bot_for(game), *(character.play for character in characters_of(game))):
        play = Steps(new_game(game, players, options), 5, player)
        for seat in gone:
            for _ in range(25):
                play.step()
            play.run.leave([seat])
        while not play.over:
            play.step()
        assert play.game.winners
        assert not set(gone) & set(play.game.winners)
