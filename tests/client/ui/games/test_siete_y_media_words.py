"""The words of siete y media: every telling, the table, the moves, and the words of refusals."""

import pytest

from client.ui.games import lesson_of
from client.ui.games.siete_y_media.words import WORDS
from client.ui.model import Names
from engine.core.events import BrokenOff
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.siete_y_media import events
from engine.games.siete_y_media.rules import Stand
from engine.scenario import do
from tests.screens.stage import Stage

NAMES = Names(("Ane", "Jon", "Miren"), 0)


def told(event, **options):
    return WORDS.told(NAMES, new_game("siete-y-media", 3, options), event)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (events.Card(1, "10o", 5), ["Jon gets 10o(½): 2½ face up."]),
        (events.Shows(0, "2o", 4), ["You show 2o: 2 face up."]),
        (events.Seven(0, ("7o", "10o")), ["¡Siete y media! You have 7o 10o(½)."]),
        (events.Seven(1, ("7o", "10o")), ["¡Siete y media! Jon has 7o 10o(½)."]),
        (events.Over(1, ("7o", "1o"), 3), ["Over! Jon has 7o 1o, that is 8, and pays 3."]),
        (events.AllOver(), ["All have gone over: the bank need not play."]),
        (events.BankCard(1, "5e"), ["The bank, Jon, turns up 5e."]),
        (events.BankHits(0, "5e", 12), ["You get 5e: 6."]),
        (events.BankSeven(1, 15), ["¡Siete y media! The bank beats everybody."]),
        (events.BankStands(1, 11), ["The bank settles with 5½."]),
        (events.BankOver(1, 16), ["Over! The bank has 8."]),
        (events.Settled(1, ("6o",), 12, 11, 4, 4), ["  Jon: 6o, 6 against 5½: the bank pays 4"]),
        (
            events.Settled(1, ("6o",), 12, None, 4, 4),
            ["  Jon: 6o, 6 against a bank that is over: the bank pays 4"],
        ),
        (
            events.Settled(0, ("5o",), 10, 10, -4, -4),
            ["  you: 5o, 5 against 5, and the bank wins a tie: pays the bank 4"],
        ),
        (events.Settled(0, ("5o",), 10, 11, -4, -4), ["  you: 5o, 5 against 5½: pays the bank 4"]),
        (
            events.Settled(1, ("7o", "10o"), 15, 11, 3, 8),
            ["  Jon: 7o 10o(½), 7½ against 5½: the bank pays only 3 of 8"],
        ),
        (events.HiddenToTheEnd(1), ["  Jon: not turned up, gets nothing"]),
        (events.BankBroken(1), ["¡La banca salta! It has no chips left."]),
        (events.Balance(1, -4), ["  = the bank, Jon: -4"]),
        (events.Balance(0, 4), ["  = the bank, you: +4"]),
        (BrokenOff((1,)), ["The deal is broken off."]),
        (events.Gone(1, 1), ["Jon: gone, and 1 chip with it"]),
        (events.Gone(1, 9), ["Jon: gone, and 9 chips with it"]),
        (events.Ruined(0), ["You have no chips left: you are out."]),
        (events.BankMoves(2), ["Miren has the bank now."]),
    ],
    ids=str,
)
def test_events_of_the_rules(event, said):
    assert told(event) == said


@pytest.mark.parametrize(
    ("seat", "text", "said"),
    [
        (0, "bet 3", "You bet 3."),
        (1, "bet 3", "Jon bets 3."),
        (0, "hit up", "You ask for a card, face up."),
        (1, "hit down", "Jon turns the hidden card up and asks for one face down."),
        (1, "hit up raise 2", "Jon asks for a card, face up. Raise: 2 more."),
        (0, "stand", "You stand."),
        (1, "stand raise 4", "Jon stands. Raise: 4 more."),
    ],
)
def test_moves(seat, text, said):
    assert WORDS.move(NAMES, seat, text) == said


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
