"""Truco's words: the calls, the state at each turn, the count, and reasons of refusals."""

import pytest

from client.ui.games import lesson_of
from client.ui.games.truco.words import WORDS
from client.ui.model import Names
from engine.bots import truco
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


def test_the_state_tells_the_tricks_and_the_truco():
    lines = state("p1 play 1e", "p2 play 7c", "p3 play 6e", "p4 play 10o", "p1 truco", seat=1)
    assert lines[1] == "Trick 1: Ane 1e, you 7c, Miren 6e, Peru 10o; won by Ane"
    assert lines[3:] == [
        "¡Truco! by Ane: 2 if accepted, 1 if refused.",
        "Your hand: 4c 3b",
    ]
    lines = state("p1 play 4o", "p2 play 4c", "p3 truco", "p4 quiero")
    assert lines[0] == "Mano: you. The deal is worth 2; Jon and Peru may raise it."
    lines = state("p1 play 4o", "p2 play 4c", "p3 truco", "p4 retruco", "p1 vale4", "p4 quiero")
    assert lines[0] == "Mano: you. The deal is worth 4."


def match(person):
    """Play to the end, the computer choosing for everybody; the moves of our person are typed."""
    person.hear()
    while not person.table.over:
        for table in person.ring.tables:
            if not table.asked:
                continue
            move = truco.play(table.view(), lambda n: n // 3)
            if table is person.table:
                view = table.view()
                person.type(view.game.write(move, {**view.game.faces, **view.faces}))
            else:
                table.act(move)
                person.hear()


@pytest.mark.parametrize(
    ("number", "third_tie", "end"),
    [
        (1, "mano", "and the next one decides."),
        (2, "first", "trick 2 is tied: the first decides, or else the third."),
        (3, "mano", "and a tie here is the mano's."),
        (3, "first", "and a tie here goes to the winner of the first trick, or else to the mano."),
    ],
)
def test_a_tied_trick_says_what_follows(number, third_tie, end):
    (line,) = told(events.Trick(number, None, "3o"), third_tie=third_tie)
    assert line.endswith(end)


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


@pytest.mark.parametrize(
    ("call", "before", "refused", "worth"),
    [
        ("truco", [], 1, 2),
        ("retruco", ["p1 play 6e", "p2 truco"], 2, 3),
        ("envido", [], 1, 2),
        ("real-envido", [], 1, 3),
        ("falta-envido", [], 1, 15),
    ],
)
def test_a_hint_to_call_names_the_points_if_it_is_refused_and_if_it_is_accepted(
    call, before, refused, worth
):
    line = f"Refused, it brings you {refused}; accepted, the winner gets {worth}."
    assert line in hint(Call(call), "4o 5c 6e", *before)


def hint(move, cards, *before):
    """Return the reason that a hint gives the first player, who holds these cards, for a move."""
    deck = [card for pair in zip(cards.split(), ["1e", "3o", "12b"], strict=True) for card in pair]
    table = Stage("truco", 2, decks=[deck]).do(*before)
    return lesson_of("truco").reason(table.state.match, table.table.view(0), move)
