"""The words about a seat that leaves: the price, the void deal, the rules."""

import pytest

from client.ui.games import words_of
from client.ui.games.options import price_of_leaving, rules_of, told, unusual
from client.ui.model import Names
from engine.core.events import BrokenOff
from engine.games import complete_options, new_game

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


@pytest.mark.parametrize("game", ["escoba", "domino", "kinaskak"])
def test_the_rules_say_that_the_others_go_on_where_they_do(game):
    def told(**options):
        return any("and the others play on" in line for line in rules_of(game, options))

    assert told(leaving="go-on")
    assert not told(leaving="end")


@pytest.mark.parametrize(
    ("game", "players", "given", "said"),
    [
        ("escoba", 2, {}, "If a player leaves: the match is over"),
        ("escoba", 3, {}, "If a player leaves: the others go on"),
        ("kinaskak", 3, {}, "If a player leaves: the match is over"),
        ("kinaskak", 4, {"leaving": "end"}, "If a player leaves: the match is over"),
    ],
)
def test_a_table_says_how_it_is_there(game, players, given, said):
    options = complete_options(game, players, given)
    assert said in told(game, options)
    assert price_of_leaving(game, options, players).count("the match is over") == said.count("over")


@pytest.mark.parametrize(("game", "option"), [("escoba", "teams"), ("domino", "partners")])
def test_a_table_of_partners_says_nothing_of_going_on(game, option):
    for leaving in ("go-on", "end"):
        options = complete_options(game, 4, {option: True, "leaving": leaving})
        lines = [*told(game, options), *unusual(game, 4, options)]
        assert not any("leaves" in line for line in lines)
