"""The page without a program: it shows the views that a test gives it, and says what of them cannot
be read or touched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from client.i18n.translation import language, set_language
from client.ui.browser.drawings import drawn
from client.ui.browser.shell import live_page
from client.ui.browser.shown import shown
from client.ui.browser.words import words
from client.ui.screen.state import ScreenState
from client.ui.view.settings import look
from tests.browser.chromium import MOVING, PATIENCE_MS, violations

ORIGIN = "http://127.0.0.1"
PHONES = [((390, 844), "es"), ((360, 640), "is"), ((390, 844), "eu"), ((360, 640), "es")]
LYING_PHONES = [((740, 360), "is"), ((667, 375), "eu"), ((844, 390), "es")]
"""Upright phones, and phones on their side, with the languages of the longest words."""
WRONG = """() => {
    const found = [], over = 1;
    const say = (what, node) => found.push(`${what}: “${node.textContent.trim().slice(0, 80)}”`);
    const seen = (node) => node.checkVisibility({visibilityProperty: true, opacityProperty: true})
        && node.closest("[inert], .unseen") === null;
    const all = (selector) => [...document.querySelectorAll(`#view ${selector}`)].filter(seen);
    const lined = (node) => [...node.childNodes].some(
        (part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
    if (document.documentElement.scrollWidth > innerWidth) say("scrolls aside", document.body);
    if (document.documentElement.scrollHeight > innerHeight && document.querySelector("#view.game"))
        say("taller than the window", document.body);
    for (const node of all("*").filter(lined)) {
        const style = getComputedStyle(node), box = node.getBoundingClientRect();
        if (parseFloat(style.fontSize) < 13) say(`letters of ${style.fontSize}`, node);
        if (box.left < -over || box.right > innerWidth + over) say("outside", node);
        let scrolled = false;
        for (let outer = node; outer.id !== "view"; outer = outer.parentElement) {
            // a name from outside may end in dots, and of a log the last lines are shown
            if (outer.matches(".name, .log")) break;
            const clips = getComputedStyle(outer);
            const beyond = (less, more) => more > over || less < -over;
            const range = document.createRange();
            range.selectNodeContents(node);
            const text = range.getBoundingClientRect(), edge = outer.getBoundingClientRect();
            if (clips.overflowX !== "visible"
                && beyond(text.left - edge.left, text.right - edge.right)) say("cut", node);
            scrolled ||= ["auto", "scroll"].includes(clips.overflowY);
            if (clips.overflowY === "hidden" && !scrolled
                && beyond(text.top - edge.top, text.bottom - edge.bottom)) say("cut", node);
        }
    }
    for (const node of all("select")) {
        const {font, paddingLeft, paddingRight} = getComputedStyle(node);
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = font;
        const {width} = pen.measureText(node.selectedOptions[0]?.text ?? "");
        const room = node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        if (width > room + over) say("cut", node);
    }
    for (const node of all(".board .name")) {
        const {left, top, width, height} = node.getBoundingClientRect();
        const hit = document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2);
        const other = hit?.closest(".board :is(.slot, .seat)");
        if (other && !node.contains(hit) && !hit.contains(node)) say("covered name", node);
    }
    for (const node of all(".board .disc")) {
        node.scrollIntoView({block: "nearest", behavior: "instant"});
        const {left, top, width, height} = node.getBoundingClientRect();
        for (const x of [left + 4, left + width / 2, left + width - 4]) {
            const other = document.elementFromPoint(x, top + height / 2)?.closest(".slot, .disc");
            if (other && other !== node) say("covered disc", node);
        }
    }
    for (const node of all(".mine > .trace")) {
        const trace = node.getBoundingClientRect();
        for (const part of all(":is(.mine > .me > *, .mine > .say)")) {
            const one = part.getBoundingClientRect();
            if (one.top < trace.bottom - over && trace.top < one.bottom - over
                && one.left < trace.right - over && trace.left < one.right - over)
                say("covered trace", node);
        }
    }
    for (const node of all(":is(button, summary, select, input, a)")) {
        const target = node.closest(".seg label, .pick, .plates label") ?? node;
        target.scrollIntoView({block: "center", behavior: "instant"});
        const {left, top, width, height} = target.getBoundingClientRect();
        if (width < 44 - 0.5 || height < 44 - 0.5) say(`${width} x ${height} pixels`, target);
        for (const x of [left + 5, left + width / 2, left + width - 5]) {
            const hit = document.elementFromPoint(x, top + height / 2);
            if (hit === null || !(target.contains(hit) || hit.contains(target)))
                say("covered or outside", target);
        }
    }
    const sheet = document.querySelector("#view .sheet");
    if (sheet) {
        const box = sheet.getBoundingClientRect();
        if (box.top < -over || box.bottom > innerHeight + over) say("beyond the window", sheet);
    }
    scrollTo(0, 0);
    return found;
}"""
EACH = """async (messages) => {
    const found = [];
    for (const message of messages) {
        tell("");
        await show(message);
        found.push((%s)());
    }
    return found;
}"""


class Viewed:
    """A window in which views are shown, one after the other. `wrong` has what its console says."""

    def __init__(self, browser: Browser, width: int, height: int, **more: object) -> None:
        size = {"width": width, "height": height}
        self._context = browser.new_context(viewport=size, **more)
        self.page: Page = self._context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.route("**/*", self._serve)
        self.page.goto(ORIGIN)
        self.page.evaluate("meant = true")  # as in a page that a token let in
        self._number = 0

    def _serve(self, route: Route) -> None:
        name = route.request.url.removeprefix(ORIGIN).strip("/")
        if not name:
            page = live_page(language(), "", json.dumps(words()))
            route.fulfill(body=page, content_type="text/html")
        elif name.startswith("art/"):
            route.fulfill(body=drawn(f"/{name}"), content_type="image/svg+xml")
        else:
            route.fulfill(status=200)

    def show(self, state: ScreenState, *, motion: bool = False) -> None:
        """Show the view of a state, without motion unless it is wanted."""
        message = self.message(state, motion=motion)
        self.page.evaluate("(message) => { tell(''); show(message); }", message)

    def each(self, states: Iterable[ScreenState], measured: str) -> list[Any]:
        """Show the views of states, and return what a function of the page says of each.

        One call for all of them, without a picture between two, takes a third of the time.
        """
        messages = [self.message(state, motion=False) for state in states]
        found: list[Any] = self.page.evaluate(EACH % measured, messages)
        return found

    def faults(self, states: Mapping[str, ScreenState]) -> dict[str, list[str]]:
        """Return the faults of states by name, and those that the console has told."""
        each = zip(states, self.each(states.values(), WRONG), strict=True)
        found = {name: wrong for name, wrong in each if wrong}
        return found | ({"console": self.wrong} if self.wrong else {})

    def message(self, state: ScreenState, *, motion: bool = False) -> dict[str, Any]:
        """Return the message by which a program shows the view of a state."""
        data, _meanings = shown(state)
        self._number += 1
        about = {"lang": language(), "look": self._look(state, motion=motion), "heard": 0}
        return {"set": {**data, **about, "words": words()}, "number": self._number}

    def _look(self, state: ScreenState, *, motion: bool) -> dict[str, str]:
        return look(state.kept.settings) | ({} if motion else {"motion": "none"})

    def unusable(self) -> list[str]:
        """Return what is cut, covered, outside, or too small, one line each."""
        found: list[str] = self.page.evaluate(WRONG)
        return found + self.wrong

    def accessible(self) -> None:
        """Let axe-core look, when all colours have arrived."""
        for _ in range(PATIENCE_MS // 50):
            if not self.page.evaluate(MOVING):
                break
            self.page.wait_for_timeout(50)
        else:
            raise AssertionError(MOVING)
        assert violations(self.page) == []

    def close(self) -> None:
        """Close the window."""
        self._context.close()


@pytest.fixture
def viewed(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Viewed]:
    """Open a window of a size, in a language, with the other settings that a test asks for."""
    (width, height), lang, *more = request.param
    before = language()
    set_language(lang)
    found = Viewed(browser, width, height, **(more[0] if more else {}))
    yield found
    found.close()
    set_language(before)
