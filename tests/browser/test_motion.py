"""Cards that move in a real Chromium, and the buttons that wait until they lie there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.viewed import Viewed
from tests.screens.stage import Stage

pytestmark = [needs_chromium, pytest.mark.slow]
DEALT = """() => new Promise((resolve) => {
  let moved = 0;
  const look = () => {
    const going = document.getAnimations().filter(({ effect, playState }) =>
      playState === "running" && effect.target.closest("#fly, .slot")).length;
    moved = Math.max(moved, going);
    const button = document.querySelector(".actions .btn");
    if (button?.checkVisibility({ visibilityProperty: true })) resolve([moved, going]);
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Return how many cards have moved at once, and how many still do when there is a button."""


@pytest.fixture
def viewed(browser) -> Iterator[Viewed]:
    found = Viewed(browser, 1280, 800)
    yield found
    assert found.wrong == []
    found.close()


@pytest.mark.parametrize("game", ["truco", "escoba"])
def test_buttons_come_when_the_cards_of_a_deal_lie_there(viewed, game):
    """Also where no stock lies on the table."""
    stage = Stage(game, 2, first=1)
    viewed.show(stage.state, motion=True)
    stage.until(lambda now: now.game.round == 2 and now.state.match.asked)
    stage.press(*["enter"] * len(stage.state.count[:1]))
    viewed.show(stage.state, motion=True)
    moved, still = viewed.page.evaluate(DEALT)
    assert moved
    assert still == 0
