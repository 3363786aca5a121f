"""Hands in a real Chromium: a card is dragged to the table, or to another place in the hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from client.ui.screen.state import ScreenState
from client.ui.view.views import view_of
from tests.browser.chromium import needs_chromium
from tests.browser.viewed import Viewed
from tests.client.ui.view.acts import pressed
from tests.client.ui.view.cast import STATES
from tests.screens.stage import Stage

pytestmark = [needs_chromium, pytest.mark.slow]

RECORD = "window.sent = []; window.send = (message) => { sent.push(message); return true; }; 0"
HAND = "[...document.querySelectorAll('.hand > .slot')].map((node) => node.dataset.id)"
BEGIN = "[...document.querySelectorAll('.hand > .begins')].map((node) => node.dataset.id)"
BOARD = (640, 200)
"""A place on the table."""


@pytest.fixture
def viewed(browser) -> Iterator[Viewed]:
    found = Viewed(browser, 1280, 800)
    found.page.evaluate(RECORD)
    yield found
    assert found.wrong == []
    found.close()


def asked(game: str = "escoba") -> Stage:
    """Return a match at a question to our player."""
    stage = Stage(game, 2)
    stage.until(lambda now: now.state.match.asked and not now.state.count)
    return stage


def middle(page: Page, id_: str) -> tuple[float, float]:
    """Return the middle of the part of a card of our hand that is seen."""
    box = page.locator(f".hand > [data-id='{id_}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, id_: str, *places: tuple[float, float]) -> None:
    page.mouse.move(*middle(page, id_))
    page.mouse.down()
    for place in places:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def sent(page: Page) -> list[str]:
    """Return the clicks that were sent."""
    return [one["click"] for one in page.evaluate("sent")]


def playable(state: ScreenState) -> str:
    return next(card.id for card in view_of(state).table.hand if card.drags)


def test_a_card_that_is_dragged_to_the_table_is_one_click_and_nothing_else(viewed):
    stage = asked()
    viewed.show(stage.state)
    card = playable(stage.state)
    drag(viewed.page, card, BOARD)
    viewed.page.wait_for_timeout(50)
    assert sent(viewed.page) == [f"drag:{card}"]


def test_a_card_that_is_put_back_sends_nothing_and_lies_where_it_lay(viewed):
    stage = asked()
    viewed.show(stage.state)
    card = playable(stage.state)
    before = middle(viewed.page, card)
    drag(viewed.page, card, BOARD, before)
    drag(viewed.page, card, (5, 5))
    assert sent(viewed.page) == []
    viewed.page.mouse.move(5, 5)
    viewed.page.wait_for_timeout(300)
    assert middle(viewed.page, card) == pytest.approx(before, abs=1)


def test_a_card_that_has_gone_meanwhile_is_dropped_without_an_effect(viewed):
    stage = asked()
    viewed.show(stage.state)
    card = playable(stage.state)
    viewed.page.mouse.move(*middle(viewed.page, card))
    viewed.page.mouse.down()
    viewed.page.mouse.move(*BOARD, steps=4)
    assert viewed.page.evaluate("document.querySelector('.dragged') !== null")
    viewed.show(pressed(stage.state, ["?"])[0])  # another view leaves it where it is
    assert viewed.page.evaluate("document.querySelector('.dragged') !== null")
    viewed.show(STATES["lobby"]())
    viewed.page.mouse.up()
    assert sent(viewed.page) == []
    assert viewed.page.evaluate("document.querySelector('.dragged') === null")


def test_a_touched_card_is_dragged_too(browser):
    viewed = Viewed(browser, 390, 844, has_touch=True, is_mobile=True)
    viewed.page.evaluate(RECORD)
    stage = asked()
    viewed.show(stage.state)
    card = playable(stage.state)
    touch = viewed.page.context.new_cdp_session(viewed.page)
    places = [middle(viewed.page, card), (195, 400), (195, 250)]
    for kind, place in zip(["touchStart", "touchMove", "touchMove"], places, strict=True):
        points = [{"x": place[0], "y": place[1]}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    viewed.page.wait_for_timeout(50)
    assert sent(viewed.page) == [f"drag:{card}"]
    assert viewed.wrong == []
    viewed.close()


def test_cards_that_are_dragged_beyond_the_end_are_a_group_of_their_own(viewed):
    state = STATES["kinaskak-taught"]()
    viewed.show(state)
    cards = viewed.page.evaluate(HAND)
    box = viewed.page.locator(".hand > .slot").last.bounding_box()
    beyond = box["x"] + box["width"] + 40, box["y"] + box["height"] / 2
    drag(viewed.page, cards[3], beyond)
    assert viewed.page.evaluate(HAND)[-1] == cards[3]
    assert viewed.page.evaluate(BEGIN)[-1] == cards[3]
    drag(viewed.page, cards[0], middle(viewed.page, cards[3]))
    assert set(viewed.page.evaluate(HAND)[-2:]) == {cards[0], cards[3]}
    assert viewed.page.evaluate(BEGIN)[-1] == viewed.page.evaluate(HAND)[-2]


def test_one_tap_plays_a_card_if_that_is_wanted(viewed):
    stage = asked()
    card = playable(stage.state)
    viewed.show(pressed(stage.state, ["escape"])[0])
    viewed.page.get_by_role("switch", name="One tap plays a card").click()
    for wanted in (f"drag:{card}", card):
        viewed.show(stage.state)
        viewed.page.evaluate("sent = []")
        viewed.page.locator(f".hand > [data-id='{card}']").click()
        assert sent(viewed.page) == [wanted]
        viewed.page.evaluate("localStorage.clear()")
