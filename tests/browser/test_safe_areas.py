"""Phones that keep an edge for themselves (a notch, the line to swipe up): nothing that is touched
lies there, before and after the phone is turned."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.i18n.translation import language, set_language
from tests.browser.chromium import needs_chromium
from tests.browser.viewed import Viewed
from tests.client.ui.view.cast import STATES

pytestmark = [needs_chromium, pytest.mark.slow]

UPRIGHT = {"top": 47, "bottom": 34, "left": 0, "right": 0}
LYING = {"top": 0, "bottom": 21, "left": 47, "right": 47}
"""The edges of a phone with a notch: CSS pixels."""
TABLES = ("escoba", "escoba-take", "truco", "siete-2", "domino", "kinaskak", "escoba-end")
ROOMS = ("lobby", "setup-guest", "setup-host", "form-others", "settings", "history")
SHEETS = ("first-name", "leave", "help", "phrases", "words")
TOUCHED = """(edges) => {
    const found = [], over = 1;
    const say = (what, node) => found.push(`${what}: “${node.textContent.trim().slice(0, 60)}”`);
    const room = {left: edges.left, right: innerWidth - edges.right,
        top: edges.top, bottom: innerHeight - edges.bottom};
    if (document.documentElement.scrollWidth > innerWidth) say("scrolls aside", document.body);
    const controls = [...document.querySelectorAll("#view :is(button, summary, select, input, a)")];
    for (const node of controls) {
        if (node.closest("[inert], .unseen")) continue;
        if (!node.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
        const target = node.closest(".seg label, .pick, .plates label") ?? node;
        target.scrollIntoView({block: "center", behavior: "instant"});
        const box = target.getBoundingClientRect();
        if (box.left < room.left - over || box.right > room.right + over) say("at a side", target);
        if (box.height > room.bottom - room.top) continue;  // one scrolls along it
        if (box.top < room.top - over) say("at the top", target);
        if (box.bottom > room.bottom + over) say("at the bottom", target);
    }
    scrollTo(0, 0);
    return [controls.length, found];
}"""


class Phone:
    """A phone with a page, upright at first."""

    def __init__(self, viewed: Viewed) -> None:
        self.viewed = viewed
        self._size = viewed.page.viewport_size
        self._devtools = viewed.page.context.new_cdp_session(viewed.page)
        self._keep(UPRIGHT)

    def turn(self) -> None:
        """Turn it on its side."""
        self._keep(LYING)
        size = {"width": self._size["height"], "height": self._size["width"]}
        self.viewed.page.set_viewport_size(size)

    def touched(self) -> list[str]:
        """Return what is touched at an edge, and whether the page scrolls aside."""
        count, found = self.viewed.page.evaluate(TOUCHED, self.edges)
        assert count > 0
        return found + self.viewed.wrong

    def _keep(self, edges: dict[str, int]) -> None:
        self.edges = edges
        self._devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": edges})


@pytest.fixture(params=[(390, 844), (360, 640)], ids=str)
def phone(request, browser) -> Iterator[Phone]:
    width, height = request.param
    before = language()
    set_language("eu")
    viewed = Viewed(browser, width, height, has_touch=True, is_mobile=True)
    yield Phone(viewed)
    viewed.close()
    set_language(before)


@pytest.mark.parametrize("name", [*TABLES, *ROOMS, *SHEETS])
def test_nothing_is_touched_at_an_edge_that_a_phone_keeps(phone, name):
    phone.viewed.show(STATES[name]())
    assert phone.touched() == []
    phone.turn()
    assert phone.touched() == []
