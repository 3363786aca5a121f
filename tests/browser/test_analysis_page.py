"""The analysis on a replay page, in a real Chromium: each costly moment is a button that leads to
its step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from client.ui.replay_page.page import make_page
from engine.bots import Choose
from engine.bots.player import Rated, Ratings
from engine.bots.raters import RATERS
from engine.core.view import View
from tests.browser.chromium import needs_chromium
from tests.ring import Ring
from tests.sample import sample

pytestmark = [needs_chromium, pytest.mark.slow]

IN_ORDER = """() => {
    const box = (id) => document.getElementById(id).getBoundingClientRect();
    const [all, title, text, button] = ["start", "start-title", "start-text", "watch"].map(box);
    return all.top < title.top && title.bottom <= text.top && text.bottom <= button.top
        && button.bottom < all.bottom;
}"""
"""Whether the title, the text and the button of the first view stand one below the other in it."""


def by_chance(view: View, choose: Choose) -> Ratings:
    moves = [Rated(move, choose(1000) / 1000) for move in view.options or ()]
    return Ratings("win", tuple(sorted(moves, key=lambda one: -one.value)))


@pytest.mark.parametrize(("width", "height"), sample([(360, 640), (1280, 800)], 1, rows=True))
def test_each_moment_leads_to_its_step(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    monkeypatch.setitem(RATERS, "escoba", by_chance)
    ring = Ring("escoba", 2, seed="browser", target=1)
    ring.play()
    path = tmp_path / "match.html"
    path.write_bytes(make_page(ring.logs[0], 0, analysed=True))
    page = browser.new_page(viewport={"width": width, "height": height})
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("body.ready")
    assert page.evaluate(IN_ORDER), "the first view begins with its title, and ends with its button"
    for place in range(3):
        if place:
            page.click("#more")
        button = page.locator(f"#{'about' if place else 'start'} button.step").nth(place)
        text = button.inner_text()
        found = re.match(r"Step (\d+), deal \d+: ", text)
        assert found, text
        if not place:
            result = Axe().run(page)
            assert result.violations_count == 0, result.generate_report()
        button.click()
        assert not page.locator("#about").is_visible()
        assert not page.locator("#start").is_visible()
        assert page.locator("#where").inner_text().startswith(f"{found[1]} ")
    page.close()
    assert wrong == []
