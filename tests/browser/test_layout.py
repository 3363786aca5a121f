"""Nothing of a picture is cut, covered or outside the window: measured in a real Chromium."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from playwright.sync_api import Browser

from client.i18n.translation import language, languages, set_language
from client.ui.pictures.draw import picture_of
from client.ui.screen.state import ScreenState
from engine.games import GAMES
from tests.browser.chromium import needs_chromium
from tests.browser.still import Still
from tests.client.ui.pictures.cast import STATES, pressed
from tests.sample import pairs, sample
from tests.screens.learner import Learner
from tests.screens.stage import Stage

LOOKS = [((360, 640), "is"), ((1280, 800), "eu"), ((360, 640), "eu"), ((1280, 800), "is")]
LOOKS += [((1024, 600), "is"), ((1024, 600), "eu")]
LOOKS += [
    (size, lang)
    for size in ((360, 640), (1280, 800))
    for lang in languages()
    if lang not in ("eu", "is")
]
"""Sizes of windows, and languages: those with the longest words first."""
FEWEST, MOST = (
    [(name, how(rules.allowed_players)) for name, rules in GAMES.items()] for how in (min, max)
)
MOVES = 16


pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.fixture
def still(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Still]:
    (width, height), lang = request.param
    before = language()
    set_language(lang)
    found = Still(browser, width, height)
    yield found
    found.close()
    set_language(before)


TABLES = pairs(LOOKS, [MOST, FEWEST])
every_look = pytest.mark.parametrize(
    "still",
    sample(LOOKS, 2),
    indirect=True,
    ids=[f"{width}x{height}-{lang}" for (width, height), lang in LOOKS],
)


def states_of(game: str, players: int) -> Iterator[ScreenState]:
    """Give the states of a match, played well and by chance in turn: also as they are held at the
    end of a deal."""
    stage = Stage(game, players, hold=True)
    for move in range(MOVES):
        yield stage.state
        if stage.state.held:
            yield replace(stage.state, held=())
        stage.state = replace(stage.state, held=(), count=())
        yield stage.state
        if stage.state.match.asked:
            yield pressed(stage.state, ["?"])[0]
        if stage.over:
            break
        stage.step(by_chance=move % 3 == 0)


@pytest.mark.parametrize(
    ("still", "seats"), sample(TABLES, 2, rows=True), indirect=["still"], ids=str
)
def test_nothing_at_a_table_is_cut_or_covered(still, seats):
    for game, players in seats:
        for state in states_of(game, players):
            still.show(picture_of(state, still.width, still.height))
            assert still.unreadable() == [], (game, players)


@every_look
def test_nothing_of_a_page_or_a_sheet_is_cut_or_covered(still):
    for name, state in STATES.items():
        still.show(picture_of(state(), still.width, still.height))
        assert still.unreadable() == [], name


@every_look
def test_nothing_of_a_lesson_is_cut_or_covered(still):
    for game in GAMES:
        learner, chance = Learner(game), random.Random(1)
        for _key in range(30):
            still.show(picture_of(learner.state, still.width, still.height))
            assert still.unreadable() == [], game
            if learner.state.lesson or learner.state.held or learner.state.count:
                learner.press("enter")
            elif moves := list(islice(learner.model.view.options or (), 50)):
                learner.make(chance.choice(moves))
