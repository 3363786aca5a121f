"""The flor in words: its events, the state while it waits, refusals, rules and hints."""

import pytest

from client.ui.games import lesson_of
from client.ui.games.truco.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.truco import events
from engine.scenario import do
from tests.screens.stage import Stage

NAMES = Names(("Ane", "Jon"), 0)
FLORS = ["7o", "6c", "5o", "3c", "12o", "2c"]  # p1: 7o 5o 12o = 32   p2: 6c 3c 2c = 31
ALONE = ["7o", "6c", "5o", "3e", "12o", "2c"]  # p1: 7o 5o 12o = 32   p2: none


def told(event):
    return WORDS.told(NAMES, new_game("truco", 2, {"flor": True}), event)


def played(deck, *actions):
    play = OpenDeck(new_game("truco", 2, {"flor": True}), [deck])
    for action in actions:
        do(play, action)
    return play


def state(deck, *actions, seat=0):
    return WORDS.state(Names(NAMES.nicks, seat), played(deck, *actions).view(seat))


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.Sung(0, "flor", "call"), "You: ¡Flor!"),
        (events.Sung(1, "contraflor-al-resto", "answer"), "Jon: ¡Contraflor al resto!"),
        (events.EnvidoAnnulled(), "The flor annuls the envido."),
        (events.FlorWon(1, 3, "alone"), "The flor goes to Jon (3 points)"),
        (events.FlorWon(0, 4, "refused"), "Given in: the flor goes to you (4 points)"),
        (events.FlorWon(0, 6, "said"), "The better flor: you (6 points)"),
        (events.Said(1, 38, beats=True), "Jon: Treinta y ocho son mejores (38)"),
        (events.FlorShown(0, 32, ("7o", "5o")), "You show 7o 5o: a flor of 32."),
        (events.FlorShown(1, 32, ()), "The cards that Jon played show the flor of 32."),
    ],
)
def test_the_events_have_words(event, line):
    assert told(event) == [line]


def test_the_state_while_a_flor_waits():
    assert state(FLORS)[-1] == "Your hand: 7o 5o 12o (flor: 32)"
    lines = state(FLORS, "p1 flor", seat=1)
    assert "¡Flor! by Ane: 3, or 4 for the better of two flors." in lines
    assert lines[-1] == "Your hand: 6c 3c 2c (flor: 31)"
    lines = state(FLORS, "p1 flor", "p2 contraflor")
    assert "¡Contraflor! by Jon: 6 if accepted, 4 if refused." in lines
    lines = state(FLORS, "p1 flor", "p2 contraflor", "p1 con-flor-quiero", "p1 say 32", seat=1)
    assert "¡Contraflor! by you, accepted: worth 6." in lines
    assert "Best so far: Ane, 32" in lines


@pytest.mark.parametrize(
    ("deck", "actions", "seat", "move", "words"),
    [
        (FLORS, (), 0, "flor", "sing your flor: your three cards are of one suit."),
        (ALONE, ("p1 flor",), 1, "no-tengo", "say that you have no flor"),
        (FLORS, ("p1 flor",), 1, "con-flor-quiero", "your flor of 31 is good."),
        (FLORS, ("p1 flor",), 1, "con-flor-me-achico", "your flor is worth only 31."),
        (FLORS, ("p1 flor",), 1, "contraflor", "Refused, it brings you 4; accepted, the better"),
        (FLORS, ("p1 flor",), 1, "contraflor-al-resto", "the better one gets 21."),
        (FLORS, ("p1 flor", "p2 con-flor-quiero"), 0, "say 32", "say 32."),
    ],
)
def test_hints_give_reasons(deck, actions, seat, move, words):
    stage = Stage("truco", 2, seat, decks=[deck], flor=True).do(*actions)
    model = stage.state.match
    game = stage.game
    view = model.view
    chosen = game.read(move, seat, {})
    assert words in lesson_of("truco").reason(model, view, chosen)
    assert lesson_of("truco").choice(model, view)
