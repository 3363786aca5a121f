"""F1: the rules of the game that is shown, with the options of its table; elsewhere what the
program is."""

from __future__ import annotations

import pytest

from client.ui.screen import sheets
from client.ui.screen.messages import Key, Steps
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from engine.games import GAMES
from tests.screens.stage import Stage


def test_f1_at_a_table_shows_the_options_of_that_table():
    stage = Stage("truco", 2, target=12).press("f1")
    assert stage.state.overlay is not None
    lines = stage.state.overlay.lines
    assert lines[lines.index("At this table:") + 1] == "  Points to win: 12"
    assert "At this table:" not in sheets.rules_sheet("truco").lines


@pytest.mark.parametrize("game", GAMES)
def test_f1_in_a_match_that_is_stepped_through_shows_the_rules_of_that_game(game):
    model = Stage(game, min(GAMES[game].allowed_players)).step().state.match
    state, _commands = react(ScreenState(page=Page.HISTORY), Steps(((model, ()),)))
    state, _commands = react(state, Key("f1"))
    assert state.overlay == sheets.rules_sheet(game, model.options)
