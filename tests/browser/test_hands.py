"""Hands in a real Chromium: cards that are dragged, or move when they are dealt; sounds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from client.ui.screen.state import ScreenState
from client.ui.view.views import view_of
from tests.browser.chromium import needs_chromium
from tests.browser.viewed import Viewed
from tests.client.ui.view.acts import bare, pressed
from tests.client.ui.view.cast import STATES
from tests.screens.stage import Stage

pytestmark = [needs_chromium, pytest.mark.slow]


RECORD = "window.sent = []; window.send = (message) => { sent.push(message); return true; }; 0"
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
    stage.until(lambda now: now.state.match.asked and not now.state.count.lines)
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


def test_the_second_half_of_a_double_click_is_none(viewed):
    stage = asked()
    viewed.show(stage.state)
    card = playable(stage.state)
    viewed.page.mouse.dblclick(*middle(viewed.page, card))
    assert sent(viewed.page) == [card]


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_click_goes_once_more_over_a_new_connection_if_nothing_came_of_it(browser, goes_on):
    window, stage = Viewed(browser, 1280, 800), asked()
    window.page.evaluate(
        "window.sent = []; deliver = (text) => { sent.push(JSON.parse(text)); return true; }; 0"
    )
    window.show(stage.state)
    card = playable(stage.state)
    window.page.mouse.click(*middle(window.page, card))
    assert sent(window.page) == [card]
    window.page.evaluate("sent = []; begun()")
    window.show((stage.step() if goes_on else stage).state)
    assert sent(window.page) == ([] if goes_on else [card])
    window.close()


def test_a_number_that_is_none_is_not_sent(viewed):
    viewed.show(STATES["form-eight"]())
    field = viewed.page.locator("input[type=number]").first
    viewed.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    field.fill("")
    viewed.page.evaluate("sent = []")
    field.press_sequentially("-")
    field.blur()
    assert viewed.page.evaluate("sent") == []
    field.fill("70")
    field.blur()
    assert [one["value"] for one in viewed.page.evaluate("sent")] == ["70"]


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
def viewed_motion(browser) -> Iterator[Viewed]:
    found = Viewed(browser, 1280, 800)
    yield found
    assert found.wrong == []
    found.close()


@pytest.mark.parametrize("game", ["truco", "escoba"])
def test_buttons_come_when_the_cards_of_a_deal_lie_there(viewed_motion, game):
    """Also where no stock lies on the table."""
    stage = Stage(game, 2, first=1)
    viewed_motion.show(stage.state, motion=True)
    stage.until(lambda now: now.game.round == 2 and now.state.match.asked)
    stage.press(*["enter"] * len(stage.state.count.lines[:1]))
    viewed_motion.show(stage.state, motion=True)
    moved, still = viewed_motion.page.evaluate(DEALT)
    assert moved
    assert still == 0


LISTEN = """() => {
    window.tones = 0;
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
        const start = kind.prototype.start;
        kind.prototype.start = function (...more) { tones += 1; return start.apply(this, more); };
    }
}"""


@pytest.fixture
def viewed_sounds(browser) -> Iterator[Viewed]:
    found = Viewed(browser, 844, 390)
    found.page.evaluate(LISTEN)
    yield found
    assert found.wrong == []
    found.close()


def heard(viewed_sounds: Viewed) -> int:
    """Return how many tones have begun since it was asked last."""
    return viewed_sounds.page.evaluate("[tones, tones = 0][0]")


def happened(viewed_sounds: Viewed, before: str, after: str) -> list[str]:
    """Return the names of the events between two tables."""
    tables = []
    for name in (before, after):
        viewed_sounds.show(STATES[name]())
        tables.append(viewed_sounds.page.evaluate("now.view.table"))
    return viewed_sounds.page.evaluate("([before, after]) => happened(after, before)", tables)


def shaken(viewed_sounds: Viewed) -> list[int]:
    """Show a match until our turn has come twice; return for how long the phone shook."""
    viewed_sounds.page.evaluate("""() => {
        window.shaken = [];
        Object.defineProperty(navigator, "vibrate",
            {configurable: true, value: (ms) => shaken.push(ms)});
    }""")
    stage, turns = Stage("escoba", 2), 0
    while turns < 2:
        before = viewed_sounds.page.evaluate("now.view?.table ?? null")
        viewed_sounds.show(stage.state)
        happened = "(one) => happened(now.view.table, one).includes('turn')"
        turns += bool(before) and viewed_sounds.page.evaluate(happened, before)
        stage.step()
    return viewed_sounds.page.evaluate("shaken")


def test_a_phone_shakes_on_our_turn_without_sounds_unless_its_player_looks_at_it(viewed_sounds):
    """A browser lets no page shake that was never touched, and says so in its console."""
    viewed_sounds.page.evaluate("""Object.defineProperty(navigator, "userActivation",
        {configurable: true, value: {hasBeenActive: false}})""")
    assert shaken(viewed_sounds) == []
    viewed_sounds.page.evaluate("delete navigator.userActivation")
    assert not viewed_sounds.page.evaluate("heard()")
    viewed_sounds.page.evaluate("touched = performance.now() + WATCHED_MS")  # however slow this is
    assert shaken(viewed_sounds) == []
    viewed_sounds.page.evaluate("touched = performance.now() - WATCHED_MS")
    assert shaken(viewed_sounds) == [viewed_sounds.page.evaluate("SHAKE_MS")] * 2
    viewed_sounds.page.mouse.click(5, 5)
    assert viewed_sounds.page.evaluate("performance.now() - touched < WATCHED_MS")


def test_the_lines_that_are_read_aloud_end_with_their_match(viewed):
    """A reader of the hidden lines finds those of this match, and in the lobby none."""
    stage = asked().step().step()
    viewed.show(stage.state)
    read = "[...document.querySelectorAll('#announce p')].map((line) => line.textContent)"
    first = viewed.page.evaluate(read)
    assert first
    viewed.show(bare())
    assert viewed.page.evaluate(read) == []
    viewed.show(stage.state)
    viewed.show(asked("domino").step().state)
    assert first[0] not in viewed.page.evaluate(read)
