"""The words of siete y media: every telling, the table, the moves, and the words of refusals."""

import pytest

from client.ui.games import lesson_of
from client.ui.games.siete_y_media.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.siete_y_media.rules import Stand
from engine.scenario import do
from tests.screens.stage import Stage

NAMES = Names(("Ane", "Jon", "Miren"), 0)


def test_the_state_shows_every_seat_and_the_moves():
    # the bank is p3
    play = OpenDeck(new_game("siete-y-media", 3), [["7o", "6e", "2c", "10o", "4o"]], 2)
    assert WORDS.state(NAMES, play.view(0)) == [
        "you (50 chips): [7o] = 7",
        "Jon (50 chips): ?",
        "Miren (50 chips): ?, the bank",
    ]
    do(play, "p1 bet 4")
    line = (
        "Another card? With hit up your 7o stays hidden; with hit down you show it, and hide "
        "the new one."
    )
    assert WORDS.state(NAMES, play.view(0))[-1] == line
    do(play, "p1 hit up")
    do(play, "p2 bet 4")
    assert WORDS.state(Names(NAMES.nicks, 1), play.view(1))[:2] == [
        "Ane (46 chips): 7o 10o(½) = 7½, stake 4, stands",
        "you (46 chips): [6e] = 6, stake 4",
    ]
    do(play, "p2 hit down")
    assert WORDS.state(Names(NAMES.nicks, 2), play.view(2))[1:] == [
        "Jon (46 chips): over",
        "you (54 chips): 2c = 2, the bank",
        "You hold the bank, with 2.",
    ]


def offered(play, seat):
    view = play.view(seat)
    return WORDS.offered(view, [view.game.write(move, view.game.faces) for move in view.options])


def test_bets_and_raises_are_offered_as_one():
    play = OpenDeck(new_game("siete-y-media", 3), [["7o", "6e", "2c", "10o", "4o"]], 2)
    assert offered(play, 0) == ["bet N, from 1 to 10"]
    do(play, "p1 bet 4")
    assert offered(play, 0) == [
        "stand",
        "hit up",
        "hit down",
        "and after each of them raise N, from 1 to 6",
    ]
    do(play, "p1 stand raise 6")
    do(play, "p2 bet 10")
    assert offered(play, 1) == ["stand", "hit up", "hit down"]
    do(play, "p2 stand")
    assert offered(play, 2) == ["stand", "hit up"]


@pytest.mark.parametrize(
    ("cards", "options", "said"),
    [
        (["10o"], {}, "with siete y media you would become the bank"),
        (["10o"], {"deals": 1}, "as a bluff"),
        (["10o"], {"bank": "turn"}, "as a bluff"),
        (["3o"], {"bank": "fixed"}, "as a bluff"),
        (["4o"], {}, "cards 15 would put you over"),
    ],
)
def test_a_hint_says_why_a_punto_stands_on_little(cards, options, said):
    table = Stage("siete-y-media", 2, decks=[cards], first=1, **options).do("p1 bet 1")
    view = table.table.view(0)
    assert said in lesson_of("siete-y-media").reason(table.state.match, view, Stand())
