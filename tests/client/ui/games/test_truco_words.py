"""Truco's words: the calls and the flor, the state at each turn, the count, hints."""

import pytest

from client.ui.games import lesson_of
from client.ui.games.truco.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.truco import events
from engine.games.truco.moves import Call
from engine.scenario import do
from tests.screens.stage import Stage

NAMES = Names(("Ane", "Jon", "Miren", "Peru"), 0)
# p1: 4o 5o 1e = 29   p2: 7c 4c 3b = 31   p3: 6e 5e 2b = 31   p4: 7b 6b 10o = 33
FOUR = ["4o", "7c", "6e", "7b", "5o", "4c", "5e", "6b", "1e", "3b", "2b", "10o"]


def told(event, players=2, **options):
    game = new_game("truco", players, options)
    return WORDS.told(Names(NAMES.nicks[:players], 0), game, event)


def state(*actions, seat=0, **options):
    play = OpenDeck(new_game("truco", 4, options), [FOUR])
    for action in actions:
        do(play, action)
    return WORDS.state(Names(NAMES.nicks, seat), play.view(seat))


@pytest.mark.parametrize(
    ("details", "line"),
    [
        ((0, "truco", "call"), "You: ¡Truco!"),
        ((1, "truco", "call"), "Jon: ¡Truco!"),
        ((1, "retruco", "call"), "Jon: ¡Retruco!"),
        ((1, "retruco", "answer"), "Jon: ¡Quiero retruco!"),
        ((1, "vale4", "answer"), "Jon: ¡Quiero vale cuatro!"),
        ((1, "envido", "answer"), "Jon: ¡Envido!"),
        ((1, "real-envido", "first"), "Jon: El envido está primero: ¡Real envido!"),
    ],
)
def test_calls(details, line):
    assert told(events.Sung(*details)) == [line]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.Stake(2, 1), "The deal is worth 2 points; Jon and Peru may raise it."),
        (events.Stake(4, 1), "The deal is worth 4 points."),
        (
            events.EnvidoWon(1, 1, "refused"),
            "Not accepted: the envido goes to Jon and Peru (1 point)",
        ),
        (events.EnvidoWon(0, 4, "said"), "The envido goes to you and Miren (4 points)"),
        (events.Trick(1, 0, "1e"), "You win trick 1 with 1e."),
        (events.Trick(2, 3, "7o"), "Peru wins trick 2 with 7o."),
        (events.Trick(3, None, "3o"), "Parda: trick 3 is tied, and a tie here is the mano's."),
        (events.DealWon(0, 1, "tricks"), "The deal goes to you and Miren (1 point)"),
        (events.DealWon(1, 2, "refused"), "Not accepted: the deal goes to Jon and Peru (2 points)"),
        (events.DealWon(1, 1, "mazo"), "Given up: the deal goes to Jon and Peru (1 point)"),
        (
            events.DealWon(1, 2, "early-mazo"),
            "Given up at once, for one point more: the deal goes to Jon and Peru (2 points)",
        ),
        (events.Shown(1, 33, ("6e", "7e")), "Jon shows 6e 7e: 33 for the envido."),
        (
            events.Shown(1, 25, ("11b",)),
            "Jon shows 11b, with a played card 25 for the envido.",
        ),
        (events.Shown(1, 7, ("7e",)), "Jon shows 7e: 7 for the envido."),
        (events.Shown(0, 33, ()), "The cards you played show your 33."),
        (events.Score(1, 3, 9), "  = Jon and Peru: 3 points in this deal, 9 of 15 in all"),
    ],
)
def test_told_lines(event, line):
    assert told(event, players=4) == [line]


def test_the_buenas_are_for_matches_to_thirty():
    assert told(events.Buenas(1), target=30) == [
        "Into the buenas, the second half of the match: Jon"
    ]
    assert told(events.Buenas(1)) == []
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


def told_truco_flor_words(event):
    return WORDS.told(NAMES_TRUCO_FLOR_WORDS, new_game("truco", 2, {"flor": True}), event)


def played(deck, *actions):
    play = OpenDeck(new_game("truco", 2, {"flor": True}), [deck])
    for action in actions:
        do(play, action)
    return play


def state_truco_flor_words(deck, *actions, seat=0):
    return WORDS.state(Names(NAMES_TRUCO_FLOR_WORDS.nicks, seat), played(deck, *actions).view(seat))


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
    assert told_truco_flor_words(event) == [line]


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
