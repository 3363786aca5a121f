"""Options, the price of leaving and the sides of every game in words; all that is told at each
option."""

from __future__ import annotations

from functools import cache

import pytest

from client.ui.games import words_of
from client.ui.games.escoba.count import LABELS
from client.ui.games.options import TITLES, VALUES, price_of_leaving, rules_of
from client.ui.games.words import Heading
from client.ui.model import Names
from engine.core.events import BrokenOff
from engine.core.options import BadOption
from engine.games import GAMES, new_game
from engine.games.escoba import events
from tests.engine.pages import ROOT, rows
from tests.engine.steps import Steps


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_option_has_a_title_and_words_for_its_values(game):
    assert set(TITLES[game.name]) == set(game.choices)
    for option in game.choices.values():
        words = [value for value in option.values if isinstance(value, str)]
        assert set(words) <= set(VALUES)


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("escoba", {"target": 1}, "the first to reach 1 wins"),
        ("domino", {"target": 1, "passes": "none"}, "A pass brings nothing at this table"),
        ("domino", {"set": "double-nine"}, "the 55 tiles from 0-0 to 9-9"),
        ("domino", {"draw": False}, "nobody takes or sees them"),
        ("domino", {"target": 50}, "The first to reach 50 wins"),
        ("truco", {"target": 12}, "to reach 12 wins"),
        ("kinaskak", {"buys": 5}, "free in a round: 5"),
        ("siete-y-media", {"deals": 4}, "After 4 deals"),
        ("siete-y-media", {"deals": 0}, "The last player with chips wins"),
        ("siete-y-media", {"chips": 20, "max_bet": 7}, "up to 7 in all"),
    ],
)
def test_the_rules_at_a_table_name_its_own_options(game, options, said):
    assert said in " ".join(rules_of(game, options))
    assert said not in " ".join(rules_of(game))


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
    assert ("the match ends" in said) is ends
    assert ("others" in said and not ends) or ends


@pytest.mark.parametrize(
    ("game", "options"), [("truco", {"target": 15}), ("domino", {"partners": True, "target": 15})]
)
def test_before_partners_have_scored_the_sides_stand_in_place_of_the_score(
    game: str, options: dict[str, object]
) -> None:
    state = new_game(game, 4, options)
    assert (
        words_of(game).standing(NAMES, state) == "Sides: you and Miren against Jon and Peru (to 15)"
    )
    state.add_points(1, 2)
    assert (
        words_of(game).standing(NAMES, state) == "Score: you and Miren: 0, Jon and Peru: 2 (to 15)"
    )


NICKS = ("Ane", "Jon", "Miren", "Peru", "Maite", "Iker", "Nerea", "Unai")
LONG = 300
"""Requests after which a match is not played on."""
OPTIONS = [(game, option) for game in GAMES for option in GAMES[game].choices]


def values(option):
    """Return the values besides the default; of a range its ends and the neighbours."""
    found = option.values
    if isinstance(found, range):
        found = (found[0], option.default - 1, option.default + 1, found[-1])
    return {value for value in found if value in option.values} - {option.default}


def unplayed(game, name):
    """Yield a match for each value of an option that the other defaults allow."""
    for value in sorted(values(GAMES[game].choices[name])):
        for players in GAMES[game].allowed_players:
            try:
                yield new_game(game, players, {name: value})
            except BadOption:
                continue
            break


@cache
def told(game, name):
    """Play a match at each value of an option; return the events, after saying each.

    Each answer empties `game.told`, so the events are read after every request.
    """
    found = []
    for match in unplayed(game, name):
        play = Steps(match, name)
        names = Names(NICKS[: match.players], 0)
        for _ in range(LONG):
            for event in match.told:
                words_of(game).told(names, match, event)
                found.append(event)
            if play.over:
                break
            play.step()
    return found


@pytest.mark.parametrize(("game", "name"), OPTIONS)
def test_every_event_at_an_option_has_words(game, name):
    assert told(game, name)


def test_every_line_of_the_count_has_a_row():
    page = (ROOT / "docs" / "rules" / "escoba.md").read_text(encoding="utf-8")
    counted = {
        event.line
        for name in GAMES["escoba"].choices
        for event in told("escoba", name)
        if isinstance(event, events.Count)
    }
    assert set(LABELS) == counted == {line for line, *_ in rows(page, "line")}


@pytest.mark.parametrize("game", GAMES)
def test_headings_of_the_rules_are_read_where_they_are_wanted(game):
    found = rules_of(game, headings=True)
    assert sum(isinstance(line, Heading) for line in found) >= 2
    assert [line for line in found if not isinstance(line, Heading)] == rules_of(game)
