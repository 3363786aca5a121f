"""The sounds of a match in a real Chromium: none until they are asked for, then each event has
its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.viewed import Viewed
from tests.client.ui.view.cast import STATES
from tests.screens.stage import Stage

pytestmark = [needs_chromium, pytest.mark.slow]
LISTEN = """() => {
    window.tones = 0;
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
        const start = kind.prototype.start;
        kind.prototype.start = function (...more) { tones += 1; return start.apply(this, more); };
    }
}"""


@pytest.fixture
def viewed(browser) -> Iterator[Viewed]:
    found = Viewed(browser, 844, 390)
    found.page.evaluate(LISTEN)
    yield found
    assert found.wrong == []
    found.close()


def heard(viewed: Viewed) -> int:
    """Return how many tones have begun since it was asked last."""
    return viewed.page.evaluate("[tones, tones = 0][0]")


def happened(viewed: Viewed, before: str, after: str) -> list[str]:
    """Return the names of the events between two tables."""
    tables = []
    for name in (before, after):
        viewed.show(STATES[name]())
        tables.append(viewed.page.evaluate("now.view.table"))
    return viewed.page.evaluate("([before, after]) => happened(after, before)", tables)


def test_nothing_is_heard_until_it_is_asked_for(viewed):
    stage = Stage("escoba", 2)
    for _move in range(4):
        viewed.show(stage.state)
        stage.step()
    viewed.page.mouse.click(5, 5)
    assert heard(viewed) == 0
    assert viewed.page.evaluate("ears") is None


def test_one_switch_in_the_first_line_makes_events_heard_and_stays_over_a_reload(viewed):
    stage = Stage("escoba", 2)
    viewed.show(stage.state)
    switch = viewed.page.get_by_role("button", name="Sound")
    assert switch.get_attribute("aria-pressed") == "false"
    switch.click()
    assert switch.get_attribute("aria-pressed") == "true"
    assert heard(viewed) == 1  # so that one knows
    stage.step()
    viewed.show(stage.state)
    assert heard(viewed) > 0
    viewed.page.reload()
    viewed.page.evaluate("meant = true")
    viewed.page.evaluate(LISTEN)
    viewed.show(stage.state)
    assert switch.get_attribute("aria-pressed") == "true"
    viewed.page.mouse.click(5, 5)
    stage.step()
    viewed.show(stage.state)
    assert heard(viewed) > 0
    switch.click()
    heard(viewed)
    stage.step()
    viewed.show(stage.state)
    assert heard(viewed) == 0


def test_each_event_has_its_sound(viewed):
    stage, found = Stage("siete-y-media", 3), set()
    for _move in range(30):
        before = viewed.page.evaluate("now.view?.table ?? null")
        viewed.show(stage.state)
        if before:
            found |= set(viewed.page.evaluate("(one) => happened(now.view.table, one)", before))
        if stage.over:
            break
        stage.step()
    assert found >= {"card", "chip", "turn"}
    assert found - {"none"} <= set(viewed.page.evaluate("Object.keys(SOUNDS)"))
    assert happened(viewed, "escoba", "escoba-end") in (["win"], ["loss"])
    assert happened(viewed, "escoba-end", "escoba-end") == []


def shaken(viewed: Viewed) -> list[int]:
    """Show a match until our turn has come twice; return for how long the phone shook."""
    viewed.page.evaluate("""() => {
        window.shaken = [];
        Object.defineProperty(navigator, "vibrate",
            {configurable: true, value: (ms) => shaken.push(ms)});
    }""")
    stage, turns = Stage("escoba", 2), 0
    while turns < 2:
        before = viewed.page.evaluate("now.view?.table ?? null")
        viewed.show(stage.state)
        happened = "(one) => happened(now.view.table, one).includes('turn')"
        turns += bool(before) and viewed.page.evaluate(happened, before)
        stage.step()
    return viewed.page.evaluate("shaken")


def test_a_phone_shakes_on_our_turn_without_sounds_unless_its_player_looks_at_it(viewed):
    """A browser lets no page shake that was never touched, and says so in its console."""
    viewed.page.evaluate("""Object.defineProperty(navigator, "userActivation",
        {configurable: true, value: {hasBeenActive: false}})""")
    assert shaken(viewed) == []
    viewed.page.evaluate("delete navigator.userActivation")
    assert not viewed.page.evaluate("heard()")
    viewed.page.evaluate("touched = performance.now() + WATCHED_MS")  # however slow this is
    assert shaken(viewed) == []
    viewed.page.evaluate("touched = performance.now() - WATCHED_MS")
    assert shaken(viewed) == [viewed.page.evaluate("SHAKE_MS")] * 2
    viewed.page.mouse.click(5, 5)
    assert viewed.page.evaluate("performance.now() - touched < WATCHED_MS")
