"""Matches at each value of each option, played by chance: all that the rules tell has words, and
each line of Escoba's count has a row."""

from __future__ import annotations

from functools import cache

import pytest

from client.ui.games import words_of
from client.ui.games.escoba.count import LABELS
from client.ui.model import Names
from engine.core.options import BadOption
from engine.games import GAMES, new_game
from engine.games.escoba import events
from tests.engine.pages import ROOT, rows
from tests.engine.steps import Steps

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
