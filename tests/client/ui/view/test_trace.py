"""The last move, as a table shows it."""

from __future__ import annotations

import re

import pytest

from client.ui.view.sentences import aloud
from client.ui.view.views import view_of
from engine.games import GAMES
from engine.games.truco.moves import Play
from p2p.table.events import Moved
from tests.screens.stage import Stage


def shown(stage: Stage) -> bool:
    """Whether the table is shown as it stands."""
    return not stage.state.held and not stage.state.count


@pytest.mark.parametrize("game", GAMES)
def test_the_last_move_of_a_deal_is_not_shown_in_the_next(game):
    stage = Stage(game, 3 if game == "kinaskak" else 2).until(lambda now: now.game.round == 2)
    while not shown(stage):
        stage.press("enter")
    made = [event for event in stage.state.match.history if isinstance(event, Moved)]
    assert made
    assert view_of(stage.state).table.trace is None


@pytest.mark.parametrize(
    ("game", "players", "answer", "plays"),
    [("siete-y-media", 3, "below", " stands?$"), ("domino", 2, "deny", " knocks? and pass")],
)
def test_an_answer_of_a_program_is_no_move(game, players, answer, plays):
    """It has no words, and had those of another move."""
    stage, answers = Stage(game, players), 0
    while answers < 4 and not stage.over:
        match [one for one in stage.state.match.history if isinstance(one, Moved)][-1:]:
            case (last,) if last.text == answer and shown(stage):
                trace = view_of(stage.state).table.trace
                assert trace is None or not re.search(plays, aloud(trace.text))
                answers += 1
        stage.step()
    assert answers


@pytest.mark.parametrize("players", [2, 4])
def test_words_said_at_truco_stand_in_one_place(players):
    stage, said = Stage("truco", players), 0
    while said < 8 and not stage.over:
        match [one for one in stage.state.match.history if isinstance(one, Moved)][-1:]:
            case (last,) if not isinstance(last.move, Play) and shown(stage):
                table = view_of(stage.state).table
                assert table.trace is None or not table.trace.text
                bubbles = [one.remark for one in table.seats if one.number == last.seat]
                assert len([one for one in (table.prompt.cry, table.call, *bubbles) if one]) == 1
                said += 1
        stage.step()
    assert said
