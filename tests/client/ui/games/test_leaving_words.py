"""The words about a seat that leaves: the price, the void deal, the rules."""

import pytest

from client.ui.games import words_of
from client.ui.games.options import price_of_leaving
from client.ui.model import Names
from engine.core.events import BrokenOff
from engine.games import new_game

NAMES = Names(("Ane", "Jon", "Miren", "Peru"), 0)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("escoba", "The cards are gathered: the others play on without Jon and Peru."),
        ("domino", "The tiles are gathered: the others play on without Jon and Peru."),
        ("kinaskak", "The cards are gathered: the others play on without Jon and Peru."),
        ("siete-y-media", "The deal is broken off."),
    ],
)
def test_a_void_deal_is_told(game, said):
    match = new_game(game, 4)
    assert words_of(game).told(NAMES, match, BrokenOff((1, 3))) == [said]


@pytest.mark.parametrize(
    ("game", "options", "seats", "ends"),
    [
        ("escoba", {}, 2, True),
        ("escoba", {}, 3, False),
        ("escoba", {"leaving": "end"}, 3, True),
        ("escoba", {"teams": True}, 4, True),
        ("escoba", {}, 6, True),
        ("domino", {}, 3, False),
        ("domino", {"partners": True}, 4, True),
        ("kinaskak", {}, 3, True),
        ("kinaskak", {}, 4, False),
        ("siete-y-media", {}, 2, True),
        ("siete-y-media", {}, 3, False),
        ("truco", {}, 4, True),
        ("a game of tomorrow", {"leaving": 7}, 4, True),
    ],
)
def test_the_price_of_leaving_says_whether_the_match_ends(game, options, seats, ends):
    said = price_of_leaving(game, options, seats)
    assert ("the match is over" in said) is ends
    assert ("others" in said and not ends) or ends
