"""Truco's words: the calls and the flor, the state at each turn, the count, hints."""

import pytest

from client.ui.games import lesson_of
from client.ui.games.truco.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.truco.moves import Call
from engine.scenario import do
from tests.screens.stage import Stage

NAMES = Names(("Ane", "Jon", "Miren", "Peru"), 0)
# p1: 4o 5o 1e = 29   p2: 7c 4c 3b = 31   p3: 6e 5e 2b = 31   p4: 7b 6b 10o = 33
FOUR = ["4o", "7c", "6e", "7b", "5o", "4c", "5e", "6b", "1e", "3b", "2b", "10o"]


def state(*actions, seat=0, **options):
    play = OpenDeck(new_game("truco", 4, options), [FOUR])
    for action in actions:
        do(play, action)
    return WORDS.state(Names(NAMES.nicks, seat), play.view(seat))


def test_the_buenas_are_for_matches_to_thirty():
    game = new_game("truco", 2, {"target": 30})
    assert WORDS.scores(NAMES, game, (14, 15)) == "you: 14 (malas), Jon: 15 (buenas)"
    assert WORDS.scores(NAMES, new_game("truco", 2), (14, 9)) == "you: 14, Jon: 9"


def test_the_state_at_a_turn():
    assert state() == [
        "Mano: you. The deal is worth 1.",
        "Trick 1: nothing yet",
        "The envido may be opened by: Jon and Miren",
        "Your hand: 4o 5o 1e (envido: 29)",
    ]
    assert state("p1 play 1e", "p2 envido") == [
        "Mano: you. The deal is worth 1.",
        "Trick 1: you 1e",
        "¡Envido! by Jon: 2 if accepted, 1 if refused.",
        "Your hand: 4o 5o (envido: 29)",
    ]
    assert state("p1 play 1e", "p2 envido", "p3 falta-envido")[2:4] == [
        "¡Falta envido! by Miren: 15 if accepted, 2 if refused.",
        "Before that: ¡Envido! by Jon",
    ]
    assert "Best so far: you, 29" in state("p1 play 1e", "p2 envido", "p3 quiero", "p1 say 29")


@pytest.mark.parametrize(
    ("cards", "call", "bluff"),
    [
        ("4o 5c 6e", "truco", True),
        ("4o 5c 2e", "truco", False),
        ("4o 5c 6e", "envido", True),
        ("6e 7e 2b", "envido", False),
    ],
)
def test_a_hint_calls_a_bluff_by_its_name(cards, call, bluff):
    line = "This is a bluff: your cards are weak, but nobody sees them."
    assert (line in hint(Call(call), cards)) is bluff


def hint(move, cards, *before):
    """Return the reason that a hint gives the first player, who holds these cards, for a move."""
    deck = [card for pair in zip(cards.split(), ["1e", "3o", "12b"], strict=True) for card in pair]
    table = Stage("truco", 2, decks=[deck]).do(*before)
    return lesson_of("truco").reason(table.state.match, table.table.view(0), move)


NAMES_TRUCO_FLOR_WORDS = Names(("Ane", "Jon"), 0)
FLORS = ["7o", "6c", "5o", "3c", "12o", "2c"]  # p1: 7o 5o 12o = 32   p2: 6c 3c 2c = 31


def played(deck, *actions):
    play = OpenDeck(new_game("truco", 2, {"flor": True}), [deck])
    for action in actions:
        do(play, action)
    return play


def state_truco_flor_words(deck, *actions, seat=0):
    return WORDS.state(Names(NAMES_TRUCO_FLOR_WORDS.nicks, seat), played(deck, *actions).view(seat))


def test_the_state_while_a_flor_waits():
    assert state_truco_flor_words(FLORS)[-1] == "Your hand: 7o 5o 12o (flor: 32)"
    lines = state_truco_flor_words(FLORS, "p1 flor", seat=1)
    assert "¡Flor! by Ane: 3, or 4 for the better of two flors." in lines
    assert lines[-1] == "Your hand: 6c 3c 2c (flor: 31)"
    lines = state_truco_flor_words(FLORS, "p1 flor", "p2 contraflor")
    assert "¡Contraflor! by Jon: 6 if accepted, 4 if refused." in lines
    lines = state_truco_flor_words(
        FLORS, "p1 flor", "p2 contraflor", "p1 con-flor-quiero", "p1 say 32", seat=1
    )
    assert "¡Contraflor! by you, accepted: worth 6." in lines
    assert "Best so far: Ane, 32" in lines
