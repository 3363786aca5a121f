"""One rule in all games: a key chooses, and the same key once more, or Enter, plays. The last line
says so."""

from __future__ import annotations

import pytest

from client.session.messages import Act
from client.ui.games.domino.lesson import DECK
from client.ui.games.domino.screen import DominoScreen
from client.ui.games.screen import CHOOSE
from client.ui.screen.table_words import scene_of
from tests.screens.stage import Stage

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
        return stage.press("enter") if stage.state.count else stage, "s"
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
