"""A touched window names no keys, because a phone has no keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from client.i18n.translation import language, set_language
from client.ui.pictures.draw import picture_of
from client.ui.screen.state import ScreenState
from engine.games import GAMES
from tests.browser.chromium import needs_chromium
from tests.browser.still import Still
from tests.client.ui.pictures.cast import STATES, pressed
from tests.sample import sample
from tests.screens.learner import Learner

pytestmark = [needs_chromium, pytest.mark.slow]

LOOKS = [((844, 390), "es"), ((360, 640), "en"), ((768, 1024), "is"), ((390, 844), "eu")]
NAMED = re.compile(r"\b(Enter|Esc|Tab|Space|F[1-9])\b|[↑↓]|(?<=\s\()([←→]|\w)(?=\))|\d play \d")
BOTH_TOLD = ("about",)
"""The page about the program tells how one chooses with keys, and how in a browser."""


@pytest.fixture
def touched(request, browser) -> Iterator[Still]:
    (width, height), lang = request.param
    before = language()
    set_language(lang)
    found = Still(browser, width, height, has_touch=True, is_mobile=True)
    yield found
    found.close()
    set_language(before)


def lesson_states() -> Iterator[tuple[str, ScreenState]]:
    """Give the first pages of each lesson, a suggestion, and a card that is picked."""
    for game in GAMES:
        learner = Learner(game)
        yield game, learner.state
        learner.press("enter")
        yield game, learner.state
        learner.press("enter")
        yield game, learner.state
        yield game, pressed(learner.state, ["f1"])[0]
        yield game, pressed(learner.state, ["1"])[0]


def named(still: Still, state: ScreenState) -> list[str]:
    """Return the lines in sight that name a key."""
    still.show(picture_of(state, still.width, still.height))
    text: str = still.page.evaluate("document.body.innerText")
    return [line for line in text.splitlines() if NAMED.search(line)]


@pytest.mark.parametrize("touched", sample(LOOKS, 2), indirect=True, ids=str)
def test_a_touched_window_names_no_key(touched):
    for name, state in STATES.items():
        if name not in BOTH_TOLD:
            assert named(touched, state()) == [], name
    for game, state in lesson_states():
        assert named(touched, state) == [], game


def test_a_window_with_a_mouse_names_its_keys(browser):
    still = Still(browser, 1024, 600)
    found = " ".join(line for _game, state in lesson_states() for line in named(still, state))
    assert "7o\u00a0(1), then play\u00a0(Enter)" in found
    still.close()


def test_a_touched_window_types_a_line_by_a_button(browser):
    still = Still(browser, 390, 844, has_touch=True, is_mobile=True)
    still.show(picture_of(STATES["help"](), 390, 844))
    assert still.page.locator("#controls button").all_inner_texts() == ["type a line", "back"]
    still.close()


LISTEN = "() => { window.sent = []; send = (message) => window.sent.push(message); }"
LEFT = """() => {
    const { scrollTop, scrollHeight, clientHeight } = document.querySelector("#sheets .inner");
    return scrollHeight - clientHeight - scrollTop;
}"""
"""Pixels of the text of a sheet below its box."""


@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_a_lesson_is_read_to_its_end_before_its_button_puts_it_away(browser, game):
    still = Still(browser, 360, 640, has_touch=True, is_mobile=True)
    still.page.evaluate(LISTEN)
    learner = Learner(game)
    still.show(picture_of(learner.state, still.width, still.height))
    assert still.page.evaluate(LEFT) > 20, "a long page"
    taps = 0
    while not still.page.evaluate("window.sent"):
        assert taps < 5
        left = still.page.evaluate(LEFT)
        still.page.tap("#controls button")
        still.page.evaluate("new Promise(requestAnimationFrame)")
        taps += 1
    assert taps > 1
    assert left < 5
    learner.press("enter")
    still.show(picture_of(learner.state, still.width, still.height))
    assert still.page.evaluate("document.querySelector('#sheets .inner').scrollTop") == 0
    still.close()
