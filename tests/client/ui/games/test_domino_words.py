"""The words of dominoes: every telling, the table, the moves, and the words of refusals."""

import pytest

from client.ui.games.domino.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.domino import events
from engine.scenario import do

NAMES = Names(("Ane", "Jon", "Miren", "Peru"), 0)
DECK = [
    "6-6",
    "6-5",
    "5-5",
    "5-4",
    "4-4",
    "4-3",
    "3-2",
    "0-0",
    "1-0",
    "1-1",
    "2-1",
    "2-2",
    "5-3",
    "3-3",
]


def told(event, players=2, **options):
    game = new_game("domino", players, options)
    return WORDS.told(Names(NAMES.nicks[:players], 0), game, event)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (events.Deal(1, None), ["Deal 1.", "Score: you: 0, Jon: 0 (to 20)"]),
        (events.Deal(2, 1), ["Deal 2. It is opened by: Jon.", "Score: you: 0, Jon: 0 (to 20)"]),
        (events.Opens(0, "6-6"), ["You hold 6-6, the highest, and have to open with it."]),
        (events.Opens(1, "6-6"), ["Jon holds 6-6, the highest, and has to open with it."]),
        (events.Knock(0, 1, 2), ["  2 points for Jon"]),
        (events.Knock(1, 0, 2), ["  2 points for you"]),
        (events.Knock(0, 0, 0), []),
        (events.Drawn(0, 3), []),
        (events.Drawn(0, 0), ["The graveyard is empty."]),
        (events.Out(0), ["Domino! You have no tile left."]),
        (events.Out(1), ["Domino! Jon has no tile left."]),
        (
            events.Closed(1, (6,)),
            [
                "Blocked! Jon closes the line: all seven tiles with a 6 are played, and it is at "
                "both ends."
            ],
        ),
        (
            events.Closed(0, (0, 9)),
            ["Blocked! You close the line: all tiles with a 0 or a 9 are played."],
        ),
        (events.Stuck(), ["Blocked! All have passed one after the other."]),
        (events.Lowest(0, 5, (0,)), ["The lowest hand is yours, with 5."]),
        (events.Lowest(1, 5, (1,)), ["The lowest hand is Jon's, with 5."]),
        (
            events.Lowest(1, 5, (0, 1)),
            [
                "As low as 5: you and Jon. The opener goes first, then the next player.",
                "The deal is Jon's.",
            ],
        ),
        (events.Hand(0, (), 0), []),
        (events.Hand(1, ("5-3", "1-0"), 9), ["  Jon: 5-3 1-0 (9 pips)"]),
        (events.Hand(0, ("1-0",), 1), ["  you: 1-0 (1 pip)"]),
        (events.ClosedHand(1), ["  Jon: not turned up, counts nothing"]),
        (events.Capicua(0), ["Capicúa! Your last tile fitted both ends: the points are doubled."]),
        (events.Count(2, 1, doubled=False), ["  2 pips in all; 0 to 2 bring 1 point"]),
        (events.Count(20, 2, doubled=False), ["  20 pips in all; 3 to 20 bring 2 points"]),
        (
            events.Count(21, 6, doubled=True),
            ["  21 pips in all; 21 to 30 bring 3 points, and twice that for the capicúa"],
        ),
        (events.Score(0, 1, 7), ["  = you: 1 point, 7 in all (to 20)"]),
        (events.Score(1, 2, 7), ["  = Jon: 2 points, 7 in all (to 20)"]),
        (events.Shoemaker(1), ["Shoemaker (a loser without one point): Jon."]),
    ],
    ids=str,
)
def test_events_of_the_rules(event, said):
    assert told(event) == said


@pytest.mark.parametrize(
    ("seat", "text", "said"),
    [
        (0, "play 6-6", "You open with 6-6."),
        (1, "play 6-6", "Jon opens with 6-6."),
        (0, "play 6-5 left", "You play 6-5 at the left."),
        (1, "play 6-5 right", "Jon plays 6-5 at the right."),
        (0, "draw", "You take from the graveyard."),
        (1, "pass", "Jon knocks and passes."),
    ],
)
def test_moves(seat, text, said):
    assert WORDS.move(NAMES, seat, text) == said


def test_the_state_shows_the_line_the_numbers_of_tiles_and_the_moves():
    play = OpenDeck(new_game("domino", 2), [DECK])
    names = Names(("Ane", "Jon"), 1)
    assert WORDS.state(names, play.view(1))[:2] == [
        "The line is empty.",
        "Ane: 7 tiles, graveyard: 14",
    ]
    do(play, "p1 play 6-6")
    assert WORDS.state(names, play.view(1)) == [
        "The line: left\u00a0end\u00a06 ← [6|6] → right\u00a0end\u00a06",
        "Ane: 6 tiles, graveyard: 14",
        "Your hand: 5-3 3-3 2-2 2-1 1-1 1-0 0-0",
        "You have no 6: take a tile.",
    ]
    assert len(WORDS.state(Names(("Ane", "Jon"), None), play.view(None))) == 2
    asleep = OpenDeck(new_game("domino", 2, {"draw": False}), [DECK])
    do(asleep, "p1 play 6-6")
    assert WORDS.state(names, asleep.view(1))[-1] == "You have no 6: pass."


def test_where_both_ends_are_equal_no_end_is_offered():
    play = OpenDeck(new_game("domino", 2), [DECK])
    names = [
        view.game.write(move, view.game.faces) for view in [play.view(0)] for move in view.options
    ]
    assert WORDS.offered(play.view(0), names) == names
    do(play, "p1 play 6-6")
    both = ["play 6-5 left", "play 6-5 right", "play 6-4 left"]
    assert WORDS.offered(play.view(1), both) == ["play 6-5", "play 6-4"]
