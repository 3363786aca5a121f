"""Escoba's words, where the golden match does not come."""

import pytest

from client.ui.games.escoba.words import WORDS
from client.ui.model import Names
from engine.games import complete_options, new_game
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


def test_the_rules_say_who_sweeps_the_first_table_and_who_gets_the_rest():
    usual = complete_options("escoba", 2, {})
    said = " ".join(WORDS.rules(usual))
    assert "the dealer sweeps them at once" in said
    assert "go to the side that took last. Then" in said
    said = " ".join(WORDS.rules({**usual, "first_table": "first", "leftovers": "sweep"}))
    assert "the first player sweeps them at once" in said
    assert "go to the side that made the last eskoba, or," in said


def test_eskoba_is_called():
    assert told(events.Eskoba(0, ("7o", "8c"))) == ["Eskoba! You sweep the table."]
    assert told(events.Eskoba(1, ("7o", "8c"))) == ["Eskoba! Jon sweeps the table."]


def test_leftovers():
    assert told(events.Leftovers(1, ("12o", "2c"))) == [
        "The cards left on the table go to Jon: 12o(10) 2c."
    ]
    assert told(events.Leftovers(None, ("12o",)))[0].endswith("so it is nobody's.")
    assert told(events.Leftovers(0, ())) == ["The cards left on the table go to you: nothing."]


def test_partners_are_named_together():
    (line,) = told(events.MatchLost(1), players=4, teams=True)
    assert line == "Nobody else has taken a card: the match goes at once to Jon and Peru."
    game = new_game("escoba", 4, {"teams": True})
    assert WORDS.scores(NAMES, game, (3, 5, 3, 5)) == "you and Miren: 3, Jon and Peru: 5"


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


def test_figures_show_what_they_are_worth():
    assert WORDS.cards(["1o", "7o", "10c", "11e", "12b"]) == "1o 7o 10c(8) 11e(9) 12b(10)"


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (("not-in-hand", "7o"), "You have no 7o in your hand."),
        (("not-in-hand",), "You have no such card in your hand."),
        (("not-on-table", "5c"), "There is no 5c on the table."),
        (("named-twice", "5c"), "You name 5c twice."),
        (("not-fifteen", 14), "These cards make 14, not 15."),
        (("must-take", "7o", "12e"), "You can make 15 with 7o and 12e, so you must take."),
        (("card-must-take", "7o"), "7o can take: it may not be laid."),
    ],
)
def test_why_a_play_is_refused(why, said):
    assert WORDS.why(why) == said


def test_cost_of_leaving():
    assert "lost" in WORDS.leaving
    assert "lost" in WORDS.going_on
