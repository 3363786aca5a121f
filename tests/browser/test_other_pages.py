"""Pages of other sites, in a browser that a table has let in: they read nothing of it, and change
nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import PLAYABLE, SEEN_MS, Window, needs_chromium, program

pytestmark = [needs_chromium, pytest.mark.slow]

TRIES = """async (target) => {
  const found = {};
  const tried = async (name, work) => {
    try { found[name] = String(await work()); } catch (error) { found[name] = "refused"; }
  };
  const loaded = (node, parent) => new Promise((resolve) => {
    node.onload = () => resolve("loaded");
    node.onerror = () => resolve("refused");
    parent.append(node);
  });
  for (const path of ["/", "/page.js", "/session", "/enter"]) {
    const method = path === "/" || path === "/page.js" ? "GET" : "POST";
    const wish = { credentials: "include", method };
    const opaque = { ...wish, mode: "no-cors" };
    await tried(`fetch ${path}`, async () => (await fetch(target + path, wish)).status);
    await tried(`opaque ${path}`, async () => (await fetch(target + path, opaque)).type);
  }
  const made = (tag, facts) => Object.assign(document.createElement(tag), facts);
  for (const [tag, path] of [["script", "/page.js"], ["img", "/art/en/spanish.svg"]])
    await tried(tag, () => loaded(made(tag, { src: target + path }), document.body));
  const style = { rel: "stylesheet", href: `${target}/page.css` };
  await tried("style", () => loaded(made("link", style), document.head));
  await tried("frame", async () => {
    const frame = Object.assign(document.createElement("iframe"), { src: `${target}/` });
    await loaded(frame, document.body);
    return frame.contentWindow.document.title;
  });
  await tried("window", async () => {
    const other = window.open(`${target}/`);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return other.closed ? "refused" : other.document.title;
  });
  await tried("socket", () => new Promise((resolve) => {
    const socket = new WebSocket(`${target.replace("http", "ws")}/socket`);
    socket.onopen = () => resolve("open");
    socket.onerror = () => resolve("refused");
  }));
  return found;
}"""
"""Everything that a page can try on an address without our secrets; the browser adds its cookie
where it would."""

FORM = """(target) => {
  document.body.innerHTML = `<form method=post action=${target}/enter><input name=a></form>`;
  document.forms[0].submit();
}"""


class Sites(HTTPServer):
    """The server of a site."""

    elsewhere: str | None = None
    """An address to which it leads from now on."""


class Site(BaseHTTPRequestHandler):
    """A site with one empty page, which may lead elsewhere later."""

    def do_GET(self) -> None:
        """Give it, or lead elsewhere."""
        assert isinstance(self.server, Sites)
        elsewhere = self.server.elsewhere
        self.send_response(200 if elsewhere is None else 302)
        self.send_header("content-type", "text/html")
        self.send_header("cache-control", "no-store")
        if elsewhere is not None:
            self.send_header("location", elsewhere)
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>elsewhere</title><body></body>")

    def log_message(self, *_words: object) -> None:
        """Write nothing."""


@contextmanager
def site() -> Iterator[Sites]:
    """Serve it."""
    with Sites(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_of_another_site_reads_nothing_and_changes_nothing(browser, tmp_path, name):
    with program(tmp_path / "home", "play", "escoba") as running, site() as other:
        context = browser.new_context()
        ours = Window(context, running.origin).open(running.address).our_turn().still()
        before = ours.cards(), ours.page.inner_text(".board"), ours.page.inner_text(".score")
        page = context.new_page()
        page.goto(f"http://{name}:{other.server_port}/")
        found = page.evaluate(TRIES, running.origin)
        assert set(found.values()) == {"refused"}, json.dumps(found, indent=1)
        page.evaluate(FORM, running.origin)
        page.wait_for_url(f"{running.origin}/enter")
        assert page.inner_text("body") == "refused"
        assert (
            ours.cards(),
            ours.page.inner_text(".board"),
            ours.page.inner_text(".score"),
        ) == before
        ours.page.keyboard.press("Escape")
        ours.page.wait_for_selector(".sheet")
        assert ours.wrong == []
        context.close()


def press_again_and_again(page: Page) -> None:
    """Press two keys as somebody does on a page that asks for that; with us they lay a card."""
    for _ in range(8):
        for key in ("1", "Enter"):
            page.keyboard.press(key)
            page.wait_for_timeout(60)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_no_key_for_a_page_of_another_site_plays_a_card(browser, tmp_path, name):
    """The page leads its window to ours at the first key; or it goes back to an address that our
    player once typed, and that leads to ours now. No header tells this from our player's own
    visit."""
    with program(tmp_path / "home", "play", "escoba") as running, site() as other:
        context = browser.new_context()
        ours = Window(context, running.origin).open(running.address).our_turn().still()
        before = ours.page.inner_text("#announce"), len(ours.cards())
        page = context.new_page()
        page.goto(f"http://{name}:{other.server_port}/")
        page.evaluate("(target) => { onkeydown = () => { location = target; }; }", running.origin)
        press_again_and_again(page)
        page.wait_for_selector("text=/^refused$/")
        page.goto(f"http://{name}:{other.server_port}/first")
        page.evaluate("setTimeout(() => { location = '/second'; })")
        page.wait_for_url("**/second")
        page.evaluate("() => { onkeydown = () => { onkeydown = null; history.back(); }; }")
        other.elsewhere = f"{running.origin}/#wrong"
        press_again_and_again(page)
        page.wait_for_selector(".hand button.slot")
        assert (ours.page.inner_text("#announce"), len(ours.cards())) == before
        page.wait_for_timeout(SEEN_MS)  # now it is our player's window like any other
        page.keyboard.press("Escape")
        ours.page.wait_for_selector(".sheet")
        assert ours.wrong == []
        context.close()


FOCUS_AND_CLICK = """() => {
  dispatchEvent(new Event("focus"));
  document.querySelector(".hand button.slot").click();
}"""
"""Of a browser that has no windows: ours comes to the front, and the click follows at once."""


def test_no_click_for_a_window_above_lands_in_ours_below(browser, tmp_path):
    """The window above closes itself at the first half of a double click; ours gets the focus, and
    the second half."""
    with program(tmp_path / "home", "play", "escoba") as running:
        context = browser.new_context()
        ours = Window(context, running.origin).open(running.address).our_turn()
        below = context.new_page()
        below.goto(running.origin)
        below.wait_for_selector(".hand button.slot")
        below.wait_for_timeout(SEEN_MS)
        below.evaluate(FOCUS_AND_CLICK)
        below.wait_for_timeout(SEEN_MS)
        assert ours.page.locator("[aria-pressed=true]").count() == 0
        below.locator(PLAYABLE).first.click()
        ours.page.wait_for_selector("[aria-pressed=true]")
        context.close()
