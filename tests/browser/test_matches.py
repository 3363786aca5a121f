"""Whole matches in a real Chromium, with a mouse only: every game against computer players."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from p2p.table.replay import verify_log
from tests.browser.chromium import Window, chromium, needs_chromium, program, window

pytestmark = [needs_chromium, pytest.mark.slow]
SHORT = {
    "escoba": ("target=3",),
    "domino": ("target=1", "passes=none"),
    "siete-y-media": ("deals=3",),
    "truco": ("target=5",),
    "kinaskak": ("last_contract=1",),
}
CLICKS = 1500
GOING = ("Enter", "x", "q", "d", "N")
"""Keys of buttons that carry the match on: play or throw away a picked card, accept a call, draw, say no once for all."""
LEADS_AWAY = ("F1", "F2", "F3", "?", "Esc", "Space", "m")
"""Keys of buttons that make no move, or give a deal up."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


BUTTONS = """() => [...document.querySelectorAll("button.piece, .control:not([disabled])")]
    .filter((node) => node.closest("[inert]") === null)
    .map((node) => ({node, box: node.getBoundingClientRect()}))
    .map(({node, box}) => ({
        key: node.querySelector("kbd")?.innerText ?? "card",
        picked: node.matches(".picked"),
        legal: node.matches(".legal"),
        x: box.x + Math.min(8, box.width / 2),
        y: box.y + box.height / 2,
    }))"""
"""Where a click on a button hits it: near its left edge, since a card of a hand may lie below the next one."""


def one_click(page: Page, chance: random.Random) -> None:
    """Click a button that plays, if there is one, else any card or button that may lead to one."""
    found = [button for button in page.evaluate(BUTTONS) if button["key"] not in LEADS_AWAY]
    if page.evaluate("document.body.dataset.page") != "play":  # the letters of table setup depend on the language
        found = [button for button in found if button["key"] == "Enter"]
    going = [button for button in found if button["key"] in GOING]
    cards = [button for button in found if button["key"] == "card"]
    cards = [button for button in cards if button["legal"] or button["picked"]] or cards
    picked = [button for button in cards if button["picked"]]
    if len(picked) > 1:  # of several cards none can be thrown away
        found = picked
    elif going and (chance.random() < 0.8 or not cards):
        found = going
    elif cards and chance.random() < 0.7:
        found = cards
    if found:
        button = chance.choice(found)
        page.mouse.click(button["x"], button["y"])


def play_to_the_end(shown: Window, chance: random.Random) -> int:
    """Click until the match is over; return how many clicks it took."""
    page = shown.page
    for clicks in range(CLICKS):
        if page.locator(".panel.ended").count():
            return clicks
        before = page.evaluate("seen")
        one_click(page, chance)
        for _moment in range(8):  # an answer comes at once, a move of the others soon
            if page.evaluate("seen") != before:
                break
            page.wait_for_timeout(15)
    raise AssertionError(page.locator("#announce").inner_text()[-2000:])


@pytest.mark.parametrize(("game", "size"), [(game, (360, 640) if place % 2 else (1280, 800)) for place, game in enumerate(SHORT)])
def test_a_whole_match_of_each_game_by_clicks(browser, tmp_path, game, size):
    options = [word for option in SHORT[game] for word in ("--option", option)]
    with program(tmp_path / "home", "play", game, *options) as running, window(browser, running, *size) as shown:
        shown.open(running.address).on("play")
        clicks = play_to_the_end(shown, random.Random(5))
        assert clicks > 3
        page = shown.page
        page.get_by_text(re.compile("signed by all|sealed by all")).first.wait_for(state="attached")
        shown.accessible()
    assert verified_log(tmp_path / "home")


def verified_log(home: Path) -> bytes:
    """Return the one log of a home, which holds and is signed by all."""
    (path,) = (home / "logs").glob("*.sobremesa")
    data = path.read_bytes()
    assert verify_log(data).complete
    return data
