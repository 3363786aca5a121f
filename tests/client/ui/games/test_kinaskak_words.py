"""Kínaskák's words: the state at each turn, calls and disputes, the count line by line, and why
not."""

import pytest

from client.ui.games.kinaskak.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.kinaskak import events
from engine.scenario import do
from tests.engine.games.test_kinaskak import DECK

NAMES = Names(("Björn", "Ása", "Jón", "Guðrún"), 0)


def told(event, **options):
    return WORDS.told(NAMES, new_game("kinaskak", 4, options), event)


def state(*actions, seat=0, **options):
    play = OpenDeck(new_game("kinaskak", 3, options), [DECK])
    for action in actions:
        do(play, action)
    return WORDS.state(Names(NAMES.nicks[:3], seat), play.view(seat))


def test_the_state_before_anything_is_played():
    assert state() == [
        "Round 1 of 8: a run and a set.",
        "  you: plays now, 13 cards, total 0",
        "  Ása: 13 cards, total 0",
        "  Jón: 13 cards, total 0",
        "Open card: 2♦. Cards in the stock: 125.",
        "Your hand: 9♣ K♣ 9♦ K♦ 5♥ 6♥ 7♥ 8♥ 2♠ 9♠ K♠ * *",
        "You have what this round asks for.",
        "You may take 2♦, or decline it and draw from the stock.",
    ]


def test_the_state_shows_melds_purchases_and_known_cards():
    lines = state(
        "p1 decline", "p2 buy", "p3 no", "p1 meld run 5h 6h *7h 8h set Kd Ks Kc *K", seat=2
    )
    assert lines[1:6] == [
        "  Björn: plays now, 6 cards, has laid down, total 0",
        "  Ása: 15 cards, among them 2♦, bought once, total 0",
        "  you: 13 cards, total 0",
        "  m1: 5♥ 6♥ *7♥ 8♥ (Björn)",
        "  m2: K♣ K♦ K♠ *K (Björn)",
    ]
    assert lines[6] == "Open card: nothing. Cards in the stock: 123."


@pytest.mark.parametrize(
    ("text", "mine", "others"),
    [
        ("take", "You take the open card.", "Ása takes the open card."),
        ("decline", "You leave the open card.", "Ása leaves the open card."),
        ("buy", "Kaupi! You want to buy it.", "Kaupi! Ása wants to buy it."),
        ("no", "You do not buy.", "Ása does not buy."),
        (
            "meld run 5h 6h *7h 8h set Kc Kd *K",
            "You lay down: run 5♥ 6♥ *7♥ 8♥; set K♣ K♦ *K",
            "Ása lays down: run 5♥ 6♥ *7♥ 8♥; set K♣ K♦ *K",
        ),
        (
            "meld run 5h 6h *7h 8h set *K Kd Kc",
            "You lay down: run 5♥ 6♥ *7♥ 8♥; set K♣ K♦ *K",
            "Ása lays down: run 5♥ 6♥ *7♥ 8♥; set K♣ K♦ *K",
        ),
        ("lay 9h Th on m1", "You lay 9♥ 10♥ on m1.", "Ása lays 9♥ 10♥ on m1."),
        (
            "swap 7h in m1",
            "You put 7♥ into m1 and take its joker.",
            "Ása puts 7♥ into m1 and takes its joker.",
        ),
        ("discard *", "You throw away *.", "Ása throws away *."),
    ],
)
def test_moves(text, mine, others):
    assert WORDS.move(NAMES, 0, text) == mine
    assert WORDS.move(NAMES, 1, text) == others


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            events.Round(1, 1, 0),
            [
                "Round 1: a run and a set. First to play: you.",
                "Allir tilbúnir? (Is everybody ready?)",
            ],
        ),
        (events.OpenCard("7h"), ["The open card is 7♥."]),
        (events.NobodyBuys(), ["Nobody buys the open card."]),
        (events.Buys((1,)), []),
        (
            events.Buys((1, 3, 0)),
            ["Fyrstur kaupir, fyrstur fær! Several want to buy: Ása, Guðrún and you."],
        ),
        (events.Dispute((1, 0), ("8c", "*")), ["They draw for it: Ása 8♣, you *."]),
        (
            events.DisputeWon(1, "drawn", 2),
            ["Ása has the highest card and buys.", "2 cards go back into the middle of the stock."],
        ),
        (events.DisputeWon(0, "nearest", 0), ["You sit nearest: you buy."]),
        (events.Bought(1, "7h", 2), ["Ása buys 7♥ and draws one card: purchase 2 (3 are free)."]),
        (events.Penalty(0, 200), ["That costs you 200 points at once!"]),
        (events.KnownDraw(1, "8c"), ["Ása draws 8♣, which all have seen."]),
        (events.Renewal(81), ["The stock is used up: 81 discards, shuffled, are the new stock."]),
        (events.OneCard(1), ["Ása has one card left!"]),
        (events.Out(0), ["You are out: the round is over."]),
        (events.Sweep(1), ["Ása lays all cards in one sweep: the round is over."]),
        (events.Left(1, ("As", "*", "2c"), 75), ["  Ása: 2♣ A♠ * = 75 points"]),
        (events.Gone(1), ["Ása has left; the round is counted without that hand."]),
    ],
)
def test_events_of_the_rules(event, lines):
    assert told(event) == lines


def test_the_count_names_penalties_apart():
    assert told(events.Count((0, 75, 10, 5), (0, 0, 200, 0), (0, 75, 210, 5))) == [
        "Score after round 0:",
        "  you: 0 in this round, 0 in all",
        "  Ása: 75 in this round, 75 in all",
        "  Jón: 10 in this round and 200 in penalties, 210 in all",
        "  Guðrún: 5 in this round, 5 in all",
    ]
