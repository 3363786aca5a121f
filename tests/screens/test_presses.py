"""How many presses make a move, as the settings say: one, two, or two with a pause between them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.storage.settings import Settings
from client.ui.games.escoba.screen import EscobaScreen
from client.ui.games.siete_y_media.screen import SCREEN
from client.ui.screen.messages import Key
from client.ui.screen.presses import PAUSE_S
from client.ui.screen.react import react
from client.ui.screen.table_words import scene_of
from client.ui.view.views import view_of
from engine.games import GAMES
from tests.screens.stage import Stage
from tests.screens.test_same_key import moves, picking


def with_presses(stage: Stage, presses: str) -> Stage:
    """Return the stage, whose player has chosen so many presses."""
    stage.state = replace(stage.state, settings=Settings(presses=presses), settling=0.0)
    return stage


def wait(stage: Stage, seconds: float = PAUSE_S) -> Stage:
    """Let time pass without a key."""
    return stage.tick(round(seconds * 10))


@pytest.mark.parametrize("game", GAMES)
def test_one_press_makes_a_move_that_leaves_nothing_to_choose(game):
    stage, key = picking(game)
    before = moves(with_presses(stage, "one"))
    if game == "escoba":  # a card that takes in one way, or not at all
        key = next(key for key in "123" if react(stage.state, Key(key, key))[1])
    stage.press(key)
    assert moves(stage) == before + 1
    assert stage.state.proposed == ("", "")


def test_one_press_never_chooses_between_two_ways():
    stage = Stage("escoba", 2).until(lambda at: at.state.match.asked and two_ways(at))
    before = moves(with_presses(stage, "one"))
    stage.press(two_ways(stage))
    assert moves(stage) == before
    assert stage.state.picked.cards
    stage.press("tab").press("enter")
    assert moves(stage) == before + 1


def two_ways(stage: Stage) -> str:
    """Return the key of a card that can be played in two ways; nothing if there is none."""
    scene = scene_of(stage.state)
    plays = EscobaScreen().plays(scene)
    slots = [slot for slot, _face in scene.hand]
    return next((str(at) for at, slot in enumerate(slots, 1) if len(plays.get(slot, ())) > 1), "")


@pytest.mark.parametrize("game", GAMES)
def test_a_second_press_within_the_pause_makes_no_move(game):
    stage, key = picking(game)
    before = moves(with_presses(stage, "pause"))
    stage.press(key, key, "enter")
    assert moves(stage) == before
    assert "press once more" in stage.state.notice
    wait(stage, PAUSE_S - 0.1).press(key)  # a key that is held down repeats, and never plays
    assert moves(stage) == before
    wait(stage).press(key)
    assert moves(stage) == before + 1


def test_a_key_that_was_meant_for_something_before_our_turn_makes_no_move():
    """One press of Enter bets: it must not be one that came as the turn did."""
    stage = with_presses(Stage("siete-y-media", 2), "pause")
    stage.until(lambda at: at.state.match.asked and SCREEN.bets(scene_of(at.state)))
    before = moves(stage)
    if stage.state.count:
        stage.press("enter")
    assert stage.state.settling == PAUSE_S
    stage.press("enter")
    assert moves(stage) == before
    wait(stage).press("enter")
    assert moves(stage) == before + 1


@pytest.mark.parametrize(("presses", "clicks"), [("one", 1), ("two", 1), ("pause", 2)])
def test_a_button_that_makes_its_move_at_one_click_takes_two_with_a_pause(presses, clicks):
    stage = Stage("truco", 2).until(lambda now: "truco" in view_of(now.state).clicks())
    with_presses(stage, presses)
    for click in range(1, clicks + 1):
        assert moves(stage) == 0
        wait(stage).press(*view_of(stage.state).clicks()["truco"][0])
        assert moves(stage) == (click == clicks)
