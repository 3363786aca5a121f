"""Matches that are played by clicks on views alone; the last move, and the seat that is ahead."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from client.ui.games.truco.screen import BRAVAS
from client.ui.model import MatchPhase
from client.ui.screen.state import Page, Replay, ScreenState
from client.ui.view.games import TABLES
from client.ui.view.sentences import aloud
from client.ui.view.standing import standing
from client.ui.view.table_parts import Score
from client.ui.view.views import view_of
from engine.games import GAMES
from engine.games.truco.moves import Play
from p2p.table.events import Moved
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
        if state.match.phase is MatchPhase.OVER and not (state.held or state.count.lines):
            break
        if not (state.match.asked or state.held or state.count.lines or state.overlay):
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


def test_beside_a_step_stand_its_own_lines_and_those_before():
    model = Stage("escoba", 2).state.match
    steps = tuple((model, (f"line {number}",)) for number in range(4))
    state = ScreenState(page=Page.REPLAY, match=model, replay=Replay(steps=steps, step=2))
    assert view_of(state).table.log == ("line 0", "line 1", "line 2")


def test_a_player_that_has_left_is_ranked_last():
    stage = Stage("escoba", 3, target=9).until(lambda stage: stage.game.round > 1)
    stage.leave(1).until(lambda stage: stage.over)
    if stage.state.count.lines:
        stage.press("enter")
    ending = view_of(stage.state).table.ending
    assert [one.number for one in ending.ranks][::2] == [*ending.won, 1]


def test_the_last_step_of_a_past_match_says_who_has_won():
    stage = Stage("escoba", 2, target=2).until(lambda stage: stage.over)
    if stage.state.count.lines:
        stage.press("enter")
    ended = view_of(stage.state).table.ending
    replay = Replay(steps=((stage.state.match, ()),))
    lobby = ScreenState(page=Page.REPLAY, replay=replay)
    again = view_of(lobby).table.ending
    assert (again.title, again.won) == (ended.title, ended.won)
    assert ended.won


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_is_stepped_through_asks_nobody(game):
    stage, models = Stage(game, min(GAMES[game].allowed_players)), []
    for _move in range(30):
        models.append((stage.state.match, ()))
        stage.step()
    assert any(model.asked for model, _told in models)
    for number in range(len(models)):
        replay = Replay(steps=tuple(models), step=number)
        table = view_of(replace(stage.state, page=Page.REPLAY, replay=replay)).table
        said = f"{table.prompt.words} {aloud(table.prompt.more)}" if table.prompt else ""
        assert not re.search("Your turn|[Cc]hoose a|question|[Yy]ou lead", said)
        assert not table.actions
        assert {card.state for card in table.hand} <= {"", "veiled"}


def shown(stage: Stage) -> bool:
    """Whether the table is shown as it stands."""
    return not stage.state.held and not stage.state.count.lines


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


def test_a_greeted_card_is_not_called_beside_the_next_one():
    stage, called, late = Stage("truco", 4), 0, 0
    for _move in range(200):
        table = view_of(stage.state).table
        if not stage.state.count.lines and not stage.state.held and table.call in BRAVAS.values():
            last = [one for one in stage.state.match.history if isinstance(one, Moved)][-1]
            assert BRAVAS[last.text.removeprefix("play ")] == table.call
            called += 1
        late += stage.state.moment is not None and not table.call
        if stage.over:
            break
        stage.step()
    assert called
    assert late, "no call lasted until the next move"


def scores(*points: int) -> list[Score]:
    names = ("you", "Jon", "Nekane")
    return [Score(names[side], str(one), side) for side, one in enumerate(points)]


@pytest.mark.parametrize(
    ("points", "ours", "said"),
    [
        ((12, 9), 0, "You lead, 12 to 9."),
        ((9, 12), 0, "You are behind, 9 to 12."),
        ((9, 9), 0, "All are level, 9 each."),
        ((9, 12), None, "In the lead, 12 to 9: Jon."),
        ((12, 9, 4), 0, "You lead with 12."),
        ((12, 12, 4), 0, "You share the lead with 12."),
        ((9, 12, 4), 0, "In the lead with 12: Jon. You have 9."),
        ((9, 12, 12), 0, "In the lead with 12: Jon and Nekane. You have 9."),
        ((9, 12, 12), None, "In the lead with 12: Jon and Nekane."),
        ((0, 0, 0), 0, "All are level, 0 each."),
        ((12,), 0, "You lead with 12."),
    ],
)
def test_a_sentence_says_who_is_ahead(points, ours, said):
    assert standing(scores(*points), ours, most_wins=True) == said


@pytest.mark.parametrize(
    ("points", "ours", "said"),
    [
        ((4, 9, 12), 0, "You have the fewest points: 4."),
        ((9, 4, 12), 0, "Fewest points, 4: Jon. You have 9."),
        ((9, 4, 4), None, "Fewest points, 4: Jon and Nekane."),
    ],
)
def test_a_sentence_says_who_has_the_fewest_points(points, ours, said):
    assert standing(scores(*points), ours, most_wins=False) == said
