"""Kínaskák's words: the state at each turn, calls and disputes, the count line by line, and why
not."""

from client.ui.games.kinaskak.words import WORDS
from client.ui.model import Names
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.scenario import do
from tests.engine.games.test_kinaskak import DECK

NAMES = Names(("Björn", "Ása", "Jón", "Guðrún"), 0)


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
