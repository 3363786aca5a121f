"""The words of dominoes: every telling, the table, the moves, and the words of refusals."""

from client.ui.games.domino.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
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
