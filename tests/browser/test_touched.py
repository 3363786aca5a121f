"""A touched window names no keys, because a phone has no keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from client.i18n.translation import language, set_language
from client.ui.screen.state import ScreenState
from engine.games import GAMES
from tests.browser.chromium import needs_chromium
from tests.browser.viewed import Viewed
from tests.client.ui.view.acts import pressed
from tests.client.ui.view.cast import STATES
from tests.sample import sample
from tests.screens.learner import Learner

pytestmark = [needs_chromium, pytest.mark.slow]

LOOKS = [((844, 390), "es"), ((360, 640), "en"), ((768, 1024), "is"), ((390, 844), "eu")]
NAMED = re.compile(r"\b(Enter|Esc|Tab|Space|F[1-9])\b|[↑↓]|(?<=\s\()([←→]|\w)(?=\))|\d play \d")
LETTERS = """[...document.querySelectorAll("#view code")]
    .filter((one) => one.checkVisibility() && one.textContent.length < 3)
    .map((one) => one.parentElement.textContent)"""
BOTH_TOLD = ("about",)
"""The page about the program tells how one chooses with keys, and how in a browser."""


@pytest.fixture
def touched(request, browser) -> Iterator[Viewed]:
    (width, height), lang = request.param
    before = language()
    set_language(lang)
    found = Viewed(browser, width, height, has_touch=True, is_mobile=True)
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


def named(viewed: Viewed, state: ScreenState) -> list[str]:
    """Return the lines in sight that name a key."""
    viewed.show(state)
    keys: list[str] = viewed.page.evaluate(LETTERS)
    text: str = viewed.page.evaluate("document.body.innerText")
    return [line for line in text.splitlines() if NAMED.search(line)] + keys


@pytest.mark.parametrize("touched", sample(LOOKS, 2), indirect=True, ids=str)
def test_a_touched_window_names_no_key(touched):
    for name, state in STATES.items():
        if name not in BOTH_TOLD:
            assert named(touched, state()) == [], name
    for game, state in lesson_states():
        assert named(touched, state) == [], game
