"""Escoba's words, where the golden match does not come."""

import pytest

from client.ui.games.escoba.words import WORDS
from client.ui.model import Names
from engine.games import new_game
from engine.games.escoba import events

NAMES = Names(("Ane", "Jon", "Miren", "Peru"), 0)


def told(event, players=2, **options):
    game = new_game("escoba", players, options)
    return WORDS.told(Names(NAMES.nicks[:players], 0), game, event)


def test_the_first_table():
    cards = ("1o", "2o", "5c", "7e")
    (line,) = told(events.FirstTable(0, 1, cards))
    assert line == "Eskoba! The first table makes 15, and you, who deal, sweep it: 1o 2o 5c 7e."
    (line,) = told(events.FirstTable(1, 2, cards))
    assert line.startswith(
        "Eskoba, eskoba! The first table makes 30, and the dealer Jon sweeps it for 2:"
    )
    (line,) = told(events.FirstTable(0, 1, cards), first_table="first")
    assert line.startswith("Eskoba! The first table makes 15, and you, the first to play, sweep it")
    (line,) = told(events.FirstTable(1, 2, cards), first_table="first")
    assert "and Jon, the first to play, sweeps it for 2: 1o" in line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("a", 2, 2), ["The count for Jon:", "  eskobas: 2 (2 points)"]),
        (("a", 0, 0), ["The count for Jon:", "  eskobas: 0"]),
        (("b", 6, 1), ["  golds: 6, the most (1 point)"]),
        (("b", 5, 0), ["  golds: 5"]),
        (("c", 10, 2), ["  all ten golds (2 points)"]),
        (("c", 9, 0), []),
        (("d", 1, 1), ["  the 7 of golds (1 point)"]),
        (("d", 0, 0), []),
        (("e", 3, 1), ["  sevens: 3, the most (1 point)"]),
        (("f", 4, 3), ["  all four sevens (3 points)"]),
        (("g", 21, 1), ["  cards: 21, the most (1 point)"]),
        (("h", 9, 1), ["  nobody else has ten cards, but 9 at most (1 point)"]),
    ],
)
def test_the_lines_of_the_count(line, said):
    assert told(events.Count(1, *line)) == said
