"""The page without a program: it shows the pictures that a test gives it, and says what of them
cannot be read."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, Page, Route

from client.i18n.translation import language
from client.ui.browser.changes import as_sent
from client.ui.browser.shell import live_page
from client.ui.browser.words import words
from client.ui.drawing.picture import Picture, as_data

ORIGIN = "http://127.0.0.1"
SHOW = """(message) => {
    tell("");
    const stays = (id) => message.pieces.some((piece) => piece.id === id);
    message.gone = [...pieces.keys()].filter((id) => !stays(id));
    show(message);
}"""
MEASURE = """() => {
    const found = [], over = 1.5;
    const named = (node) => node.dataset?.id ?? node.id;
    const say = (what, node) =>
        found.push(`${what}: ${named(node)} “${node.textContent.slice(0, 160)}”`);
    const shown = (node) => node.getClientRects().length > 0;
    const wide = (node) => node.scrollWidth > node.clientWidth + over;
    const high = (node) => node.scrollHeight > node.clientHeight + over;
    const box = (node) => node.getBoundingClientRect();
    const apart = (one, other) => one.right <= other.left + over || other.right <= one.left + over
        || one.bottom <= other.top + over || other.bottom <= one.top + over;
    const inside = (node) => box(node).left >= -over && box(node).right <= innerWidth + over
        && box(node).top >= -over && box(node).bottom <= innerHeight + over;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
    const ink = (node) => {  // the part of a line that has letters
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    };
    const touchable = document.head.appendChild(document.createElement("style"));
    touchable.textContent = "* { pointer-events: auto !important; }";
    for (const node of all(".control, #notice").filter((node) => node.textContent)) {
        const { left, right, top, bottom } = box(node);
        const points = [left + 6, (left + right) / 2, right - 6].flatMap(
            (x) => [top + 6, bottom - 6].map((y) => [x, y]));
        const covered = ([x, y]) => !document.elementsFromPoint(x, y).slice(0, 1).some(
            (over) => node.contains(over));
        if (points.some(covered)) say("covered", node);
    }
    touchable.remove();
    const lying = all(".piece");
    for (const text of all(".text").filter((node) => node.textContent))
        for (const piece of lying)
            if (!apart(ink(text), box(piece))) say("a card lies on it", text);
    const words = ":is(.seat, .turn) :is(.title, .line)";
    for (const text of all(words).filter((node) => node.textContent.trim()))
        for (const piece of lying)
            if (!apart(ink(text), box(piece))) say("a card lies on the words of a seat", text);
    for (const node of all(".panel .title, #heading, #score, .text, .control"))
        if (wide(node)) say("cut at its side", node);
    const latest = document.querySelector('[data-id="said"] .line:last-child');
    if (latest && latest.offsetHeight > latest.closest(".inner").clientHeight + over)
        say("the latest line is cut", latest);
    const log = document.querySelector('[data-id="said"] .inner');
    const first = log?.querySelector(".line");
    if (log && box(log).top > box(first).top + over) {
        const height = parseFloat(getComputedStyle(log).lineHeight);
        const hidden = (box(log).top - box(first).top) % height;
        if (hidden > over && height - hidden > over) say("the first line that shows is cut", log);
    }
    const head = box(document.getElementById("head"));
    for (const node of all("#heading, #score, #sound"))
        if (box(node).bottom > head.bottom + over) say("below the heading", node);
    for (const panel of all(".panel")) {
        const read = panel.matches(".status, .seat, .turn, .ended") || panel.dataset.id === "songs";
        if (wide(panel.inner)) say("text wider than its box", panel);
        if (read && high(panel.inner)) say("text higher than its box", panel);
    }
    const controls = all(".control"), foot = innerHeight - picture.bar;
    for (const node of [...controls, ...all("#notice, #call, #entry, .panel")])
        if (!inside(node)) say("out of the window", node);
    const told = all("#notice:not(.aside)").filter((node) => node.textContent);
    for (const node of [...controls, ...told])
        if (box(node).top < foot - over) say("above the space of the buttons", node);
    for (const node of controls) for (const other of controls)
        if (node !== other && !apart(box(node), box(other))) say("buttons overlap", node);
    for (const notice of all("#notice").filter((node) => node.textContent))
        for (const card of all("button.piece"))
            if (!apart(box(notice), box(card))) say("the notice covers a card", card);
    const place = picture.aside;
    for (const notice of all("#notice.aside"))
        if (box(notice).height > place.height + over || Math.abs(box(notice).top - place.y) > over)
            say("the notice is larger than its place", notice);
    const seen = all("#panels .panel.log, #panels .panel.status, #panels .panel.list, #entry");
    const below = document.getElementById("above").hidden ? seen : [];
    for (const node of below) for (const other of [...controls, ...told])
        if (!apart(box(node), box(other))) say("lies below a button", node);
    return found;
}"""


class Still:
    """A window in which pictures are shown, one after the other."""

    def __init__(self, browser: Browser, width: int, height: int, **more: object) -> None:
        size = {"width": width, "height": height}
        self._context = browser.new_context(viewport=size, **more)
        self.width, self.height = width, height
        self.page: Page = self._context.new_page()
        self.page.route("**/*", self._serve)
        self.page.goto(ORIGIN)
        self.page.evaluate("meant = true")  # as in a page that a token let in
        self._number = 0

    def _serve(self, route: Route) -> None:
        name = route.request.url.removeprefix(ORIGIN).strip("/")
        if not name:
            route.fulfill(
                body=live_page(language(), "", json.dumps(words())), content_type="text/html"
            )
        else:
            route.fulfill(status=404)

    def show(self, picture: Picture) -> None:
        """Show a picture, without motion."""
        data: dict[str, Any] = as_sent(as_data(picture))
        pieces = [*data.pop("pieces").values()]
        self._number += 1
        fields = data | {"view": None, "lang": language(), "motion": False, "words": words()}
        self.page.evaluate(SHOW, {"set": fields, "pieces": pieces, "number": self._number})
        self.page.evaluate("new Promise(requestAnimationFrame)")  # a log scrolls in the frame after

    def unreadable(self) -> list[str]:
        """Return what is cut, overlaps or lies outside, one line each."""
        found: list[str] = self.page.evaluate(MEASURE)
        return found

    def close(self) -> None:
        """Close the window."""
        self._context.close()
