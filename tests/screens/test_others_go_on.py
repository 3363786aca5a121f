"""The screens and windows of a match that a seat has left, to its end: the others go on."""

import pytest

from client.ui.view.views import view_of
from tests.screens.stage import SIZES, Stage

TABLES = [
    ("escoba", 3, {"target": 3}),
    ("escoba", 4, {"target": 3}),
    ("domino", 4, {"target": 5}),
    ("domino", 3, {"target": 5}),
    ("kinaskak", 4, {"last_contract": 1}),
]


@pytest.mark.parametrize("gone", [0, 2])
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_a_match_is_shown_to_its_end_without_the_seat_that_has_left(game, players, options, gone):
    stage = Stage(game, players, 1, **options)
    for _move in range(15):
        stage.step(by_chance=True)
    stage.leave(gone)
    nick = stage.state.match.players[gone].nick
    assert f"{nick} ✗" in stage.text(120, 40)
    while not stage.over:
        for columns, rows in SIZES:
            stage.text(columns, rows)
        assert view_of(stage.state) is not None
        stage.step(by_chance=True)
    assert gone not in stage.game.winners
    assert view_of(stage.state) is not None
