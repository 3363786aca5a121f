"""The scores of Truco, and a bluff that a hint calls by its name."""

import pytest

from client.ui.games import lesson_of
from client.ui.games.truco.words import WORDS
from client.ui.model import Names
from engine.games import new_game
from engine.games.truco.moves import Call
from tests.screens.stage import Stage

NAMES = Names(("Ane", "Jon", "Miren", "Peru"), 0)


def test_the_buenas_are_for_matches_to_thirty():
    game = new_game("truco", 2, {"target": 30})
    assert WORDS.scores(NAMES, game, (14, 15)) == "you: 14 (malas), Jon: 15 (buenas)"
    assert WORDS.scores(NAMES, new_game("truco", 2), (14, 9)) == "you: 14, Jon: 9"


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
    return lesson_of("truco").reason(table.state.match.names, table.table.view(0), move)
