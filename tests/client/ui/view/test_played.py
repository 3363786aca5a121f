"""Matches that are played by clicks on views alone; nothing is typed."""

from __future__ import annotations

import pytest

from client.ui.model import MatchPhase
from client.ui.view.games import TABLES
from client.ui.view.views import view_of
from engine.games import GAMES
from tests.sample import sample
from tests.screens.stage import Stage

SHORT = {"escoba": {"target": 5}, "kinaskak": {"last_contract": 1}, "siete-y-media": {"deals": 3}}
ASIDE = {"f1", "f2", "f3", "?", "m"}
"""Keys of buttons that lead to sheets, or give a deal up."""
MATCHES = [(game, most(GAMES[game].allowed_players)) for game in TABLES for most in (min, max)]


@pytest.mark.parametrize(("game", "players"), sample(MATCHES, len(TABLES), rows=True))
def test_a_match_is_played_by_clicks_alone(game, players):
    stage = Stage(game, players, hold=True, **SHORT.get(game, {}))
    choose, moves = stage.choose, 0
    for _click in range(4000):
        state = stage.state
        if state.match.phase is MatchPhase.OVER and not (state.held or state.count):
            break
        if not (state.match.asked or state.held or state.count or state.overlay):
            stage.step()
            continue
        clicks = {
            name: keys
            for name, (keys, _said) in sorted(view_of(state).clicks().items())
            if (keys and not ASIDE & set(keys) and name != "menu") or state.overlay
        }
        assert clicks
        main = [one.id for one in view_of(state).table.actions if one.role == "main" and one.keys]
        best = main if main and choose(3) else list(clicks)
        stage.press(*clicks.get(best[choose(len(best))], ()))
        moves += stage.state.match.history[-1:] != state.match.history[-1:]
    assert moves
    assert stage.state.match.phase is MatchPhase.OVER or moves > 40
