"""A touched window names no keys, and nothing is touched at an edge that a phone keeps."""

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
NAMED = re.compile(
    r"\b(Enter|Esc|Tab|Space|F[1-9])\b|[↑↓]|\d play \d"
    r"|(?<=\s\()(?<!Jon\s\()(?<!von…\s\()([←→]|\w)(?=\))"
)
"""Names of keys. The number beside one of several players of the same name is no key."""
SAID = """() => [document.body.innerText, [...document.querySelectorAll("#view code")]
    .filter((one) => one.checkVisibility() && /^(?!\\d\\w$).{1,2}$/.test(one.textContent))
    .map((one) => one.parentElement.textContent)]"""
"""All that is to be read, and the lines with a letter that is marked as a key; `7o` is a card."""
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


@pytest.mark.parametrize("touched", sample(LOOKS, 2), indirect=True, ids=str)
def test_a_touched_window_names_no_key(touched):
    states = [(name, state()) for name, state in STATES.items() if name not in BOTH_TOLD]
    states += lesson_states()
    said = touched.each((state for _name, state in states), SAID)
    for (name, _state), (text, letters) in zip(states, said, strict=True):
        assert [line for line in text.splitlines() if NAMED.search(line)] + letters == [], name


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
        self._devtools = viewed.page.context.new_cdp_session(viewed.page)
        self._keep(UPRIGHT)

    def turn(self) -> None:
        """Turn it on its side, or back."""
        self._keep(LYING if self.edges is UPRIGHT else UPRIGHT)
        now = self.viewed.page.viewport_size
        size = {"width": now["height"], "height": now["width"]}
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


def test_nothing_is_touched_at_an_edge_that_a_phone_keeps(phone):
    for name in (*TABLES, *ROOMS, *SHEETS):
        phone.viewed.show(STATES[name]())
        for _way in range(2):
            assert phone.touched() == [], name
            phone.turn()
