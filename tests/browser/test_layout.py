"""Nothing of a picture is cut, covered or outside the window: measured in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from client.i18n.translation import language, languages, set_language
from client.ui.pictures.draw import picture_of
from client.ui.screen.state import ScreenState
from engine.games import GAMES
from tests.browser.chromium import chromium, needs_chromium
from tests.browser.still import Still
from tests.client.ui.pictures.cast import STATES
from tests.screens.stage import Stage

SIZES = [(360, 640), (1280, 800)]
SEATS = [(name, count) for name, rules in GAMES.items() for count in (min(rules.allowed_players), max(rules.allowed_players))]
MOVES = 16


pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(params=languages())
def tongue(request: pytest.FixtureRequest) -> Iterator[str]:
    before = language()
    set_language(request.param)
    yield request.param
    set_language(before)


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def still(request: pytest.FixtureRequest, browser: Browser, tongue: str) -> Iterator[Still]:
    found = Still(browser, *request.param)
    yield found
    found.close()


def states_of(game: str, players: int) -> Iterator[ScreenState]:
    """Give the states of a match, played well and by chance in turn: also as they are held at the end of a deal."""
    stage = Stage(game, players, hold=True)
    for move in range(MOVES):
        yield stage.state
        if stage.state.held:
            yield replace(stage.state, held=())
        stage.state = replace(stage.state, held=(), count=())
        yield stage.state
        if stage.over:
            break
        stage.step(by_chance=move % 3 == 0)


def test_nothing_at_a_table_is_cut_or_covered(still):
    for game, players in SEATS:
        for state in states_of(game, players):
            still.show(picture_of(state, still.width, still.height))
            assert still.unreadable() == [], (game, players)


def test_nothing_of_a_page_or_a_sheet_is_cut_or_covered(still):
    for name, state in STATES.items():
        still.show(picture_of(state(), still.width, still.height))
        assert still.unreadable() == [], name
