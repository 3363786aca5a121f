"""Whole matches in a real Chromium, with a mouse only: every game against computer players, and two
people in two homes."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page

from p2p.net.free import free_port
from p2p.table.replay import verify_log
from tests.browser.chromium import Window, needs_chromium, program, window
from tests.sample import sample

pytestmark = [needs_chromium, pytest.mark.slow]
SHORT = {
    "siete-y-media": ("deals=3",),
    "escoba": ("target=3",),
    "domino": ("target=1", "passes=none"),
    "truco": ("target=5",),
    "kinaskak": ("last_contract=1",),
}
PATIENCE_S = 540
"""A match of Kínaskák took up to 150 s, in which the computer players take their time."""
GOING = ("Enter", "x", "q", "d", "N")
"""Keys of buttons that carry the match on: play or throw away a picked card, accept a call, draw,
say no once for all."""
LEADS_AWAY = ("F1", "F2", "F3", "?", "Esc", "Space", "m", "o")
"""Keys of buttons that make no move, or give a deal up. "o" sorts, and takes "no to all" back."""


OVER = ".end-in"
FIND = """([away, going, roll]) => {
    const enter = { enter: "Enter" };
    const key = (node) => node.matches(".slot") ? "card" : node.dataset.press
        ? enter[node.dataset.press] ?? node.dataset.press : "card";
    if (document.querySelector(".end-in")) return null;
    let found = [...document.querySelectorAll("#view :is([data-press], .slot[data-click])")];
    found = found.filter((node) => !away.includes(key(node))
        && node.closest("[inert], [hidden], [disabled], .tools") === null);
    // The letters of table setup depend on the language.
    if (document.body.dataset.page !== "play")
        found = found.filter((node) => key(node) === "Enter");
    const onward = found.filter((node) => going.includes(key(node)));
    const all = found.filter((node) => key(node) === "card" && !node.matches(".barred"));
    const better = all.filter((node) => node.matches("[aria-pressed=true]"));
    const cards = better.length ? better : all;
    const picked = cards.filter((node) => node.matches(".hand [aria-pressed=true]"));
    if (picked.length > 1) found = picked; // of several cards none can be thrown away
    else if (onward.length && (roll[0] < 0.8 || !cards.length)) found = onward;
    else if (cards.length && roll[1] < 0.7) found = cards;
    const node = found[Math.floor(roll[2] * found.length)];
    if (node === undefined) return null;
    const said = (one) => `${one?.getAttribute("aria-label") ?? ""} ${one?.textContent}`;
    const meant = said(node), box = node.getBoundingClientRect();
    // A person sees the place of a button taken by another one, and holds the finger.
    const held = (event) => {
        if (event.target.closest("button") !== node || said(node) !== meant)
            event.stopImmediatePropagation();
    };
    removeEventListener("click", window.held, true);
    window.held = held;
    addEventListener("click", held, true);
    return [box.x + Math.min(8, box.width / 2), box.y + box.height / 2];
}"""
"""Choose a button to click: one that plays, if there is one, else any card or button that may lead
to one; none at the end.

Return the place where a click hits it: near its left edge, since a card of a hand may lie below the
next one.
"""


def one_click(page: Page, chance: random.Random) -> bool:
    """Click on something that is shown, if there is anything.

    A click that would hit something else by then is none.
    """
    place = page.evaluate(FIND, [LEADS_AWAY, GOING, [chance.random() for _roll in range(3)]])
    if place is not None:
        page.mouse.click(*place)
    return place is not None


def play_to_the_end(shown: Window, chance: random.Random) -> int:
    """Click until the match is over; return how many clicks it took."""
    page, clicks, end = shown.page, 0, time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if page.locator(OVER).count():
            return clicks
        before = page.evaluate("seen")
        clicks += one_click(page, chance)
        for _moment in range(8):  # an answer comes at once, a move of the others soon
            if page.evaluate("seen") != before:
                break
            page.wait_for_timeout(15)
    raise AssertionError(page.locator("#announce").inner_text()[-2000:])


MATCHES = [(game, (360, 640) if place % 2 else (1280, 800)) for place, game in enumerate(SHORT)]


@pytest.mark.timeout(PATIENCE_S + 120)
@pytest.mark.parametrize(("game", "size"), sample(MATCHES, 1, rows=True))
def test_a_whole_match_of_each_game_by_clicks(browser, tmp_path, game, size):
    options = [word for option in SHORT[game] for word in ("--option", option)]
    with (
        program(tmp_path / "home", "play", game, *options) as running,
        window(browser, running, *size, reduced_motion="reduce") as shown,
    ):
        shown.open(running.address).on("play")
        clicks = play_to_the_end(shown, random.Random(5))
        assert clicks > 3
        page = shown.page
        page.get_by_text(re.compile("signed by all")).first.wait_for(state="attached")
        shown.accessible()
    assert verified_log(tmp_path / "home")


@pytest.mark.timeout(PATIENCE_S + 120)
@pytest.mark.parametrize("langs", sample([("eu", "is"), ("es", "en")], 1), ids="-".join)
def test_two_people_play_a_match_in_two_browsers(browser, tmp_path, langs):
    homes = [tmp_path / name for name in ("ane", "jon")]
    port = free_port("127.0.0.1")
    with (
        program(
            homes[0],
            "host",
            "truco",
            "--option",
            "target=5",
            "--port",
            str(port),
            nick="Ane",
            lang=langs[0],
        ) as host,
        window(browser, host) as first,
    ):
        first.open(host.address).on("table-setup")
        with (
            program(homes[1], "join", f"127.0.0.1:{port}", nick="Jon", lang=langs[1]) as guest,
            window(browser, guest, 360, 640) as second,
        ):
            second.open(guest.address)
            chance = random.Random(3)
            end = time.monotonic() + PATIENCE_S
            both = {first: langs[0], second: langs[1]}
            while (
                playing := [shown for shown in both if not shown.page.locator(OVER).count()]
            ) and time.monotonic() < end:
                for shown in playing:
                    one_click(shown.page, chance)
            for shown, lang in both.items():
                shown.page.locator(OVER).wait_for()
                assert shown.page.locator("html").get_attribute("lang") == lang
    logs = {verified_log(home) for home in homes}
    assert len(logs) == 1


def verified_log(home: Path) -> bytes:
    """Return the one log of a home, which holds and is signed by all."""
    (path,) = (home / "logs").glob("*.sobremesa")
    data = path.read_bytes()
    assert verify_log(data).complete
    return data
