"""A key chooses, and the same one or Enter plays: one press, two, or two after a pause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Act
from client.storage.settings import Settings
from client.ui.games.domino.lesson import DECK
from client.ui.games.domino.screen import DominoScreen
from client.ui.games.escoba.screen import EscobaScreen
from client.ui.games.screen import CHOOSE
from client.ui.games.siete_y_media.screen import SCREEN
from client.ui.screen.messages import Key
from client.ui.screen.presses import PAUSE_S
from client.ui.screen.react import react
from client.ui.screen.table_words import scene_of
from engine.games import GAMES
from tests.screens.stage import Stage


def with_presses(stage: Stage, presses: str) -> Stage:
    """Return the stage, whose player has chosen so many presses."""
    stage.state = replace(
        stage.state,
        kept=replace(stage.state.kept, settings=Settings(presses=presses)),
        settling=0.0,
    )
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
    if stage.state.count.lines:
        stage.press("enter")
    assert stage.state.settling == PAUSE_S
    stage.press("enter")
    assert moves(stage) == before
    wait(stage).press("enter")
    assert moves(stage) == before + 1


FIRST = ["7o", "11o", "5o", "6c", "3c", "2b", "5c", "4o", "12e", "3b"]
PACK = [f"{rank}{suit}" for suit in "oceb" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]


def escoba() -> Stage:
    """Return a turn in which 7o takes two cards, 5o in two ways."""
    return Stage("escoba", 2, decks=[[*FIRST, *(card for card in PACK if card not in FIRST)]])


def moves(stage: Stage) -> int:
    """Return how many moves have been made here."""
    return sum(isinstance(command, Act) for command in stage.commands)


def picking(game: str) -> tuple[Stage, str]:
    """Return a turn of a game, and a key that picks a move."""
    if game == "escoba":
        return escoba(), "1"
    if game == "domino":
        stage = Stage("domino", 2, decks=[DECK.split()]).do("p2 play 6-6")
        return stage, "3"
    if game == "kinaskak":
        stage = Stage("kinaskak", 3)
        return stage.until(lambda at: at.state.match.asked and at.game.phase == "play"), "x"
    stage = Stage(game, 2)
    if game == "siete-y-media":
        stage.until(
            lambda at: (
                at.state.match.asked and at.seat in at.game.stakes and at.game.bank != at.seat
            )
        )
        return stage.press("enter") if stage.state.count.lines else stage, "s"
    return stage.until(lambda at: at.state.match.asked), "1"


@pytest.mark.parametrize("game", ["escoba", "domino", "siete-y-media", "truco", "kinaskak"])
@pytest.mark.parametrize("second", ["the same", "enter"])
def test_the_first_press_chooses_and_the_second_plays(game, second):
    stage, key = picking(game)
    before = moves(stage)
    stage.press(key)
    assert moves(stage) == before
    assert f"{key}/Enter" in stage.foot()
    stage.press(key if second == "the same" else "enter")
    assert moves(stage) == before + 1


def test_a_tile_that_fits_both_ends_asks_for_an_end():
    stage = Stage("domino", 2, decks=[DECK.split()]).do(
        "p2 play 6-6", "p1 play 6-1 right", "p2 play 2-1 right"
    )
    assert stage.game.ends == (6, 2)
    before = moves(stage)
    number = DominoScreen().in_order(scene_of(stage.state)).index(_slot(stage, "6-2")) + 1
    stage.press(str(number), str(number))
    assert moves(stage) == before
    assert "both ends" in stage.text()


def test_a_second_click_on_a_tile_lays_it():
    stage, key = picking("domino")
    stage.press(key)
    (slot,) = stage.state.picked.cards
    stage.press("escape", f"{CHOOSE}slot:{slot}")
    assert not moves(stage)
    stage.press(f"{CHOOSE}slot:{slot}")
    assert moves(stage) == 1


def _slot(stage: Stage, face: str) -> int:
    return next(slot for slot, held in scene_of(stage.state).hand if held == face)
