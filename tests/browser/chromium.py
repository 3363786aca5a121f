"""The program in a real browser: Chromium, driven by playwright, and everything that must never
happen in it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.patience import PATIENCE

CHROMIUM = shutil.which("chromium")
PATIENCE_MS = round(1000 * PATIENCE)
PRESSES = 120
"""Keys that are tried, each for half a second, before a test gives up."""
SEEN_MS = 1_000
"""More than a page without a new address takes no key for, after its first picture."""
CARDS = ".hand button.slot"
"""The cards of our hand that can be clicked."""
PLAYABLE = f"{CARDS}:not(.barred)"
"""Those that can be played too."""
SHEET = ".sheet"
"""The sheet above a page."""
MOVING = "document.getAnimations().some((one) => one.effect.getTiming().iterations !== Infinity)"
"""Whether anything moves that comes to rest: the ring at the seat in turn breathes on and on."""
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")


AXE = """() => axe.run(document, {resultTypes: ["violations"]}).then(({violations}) =>
    violations.flatMap((one) => one.nodes.map((node) => `${one.help}: ${node.html}`)))"""


def violations(page: Page) -> list[str]:
    """Let axe-core look, and return what it finds: all that is well is much to tell."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(AXE)
    return found


@contextmanager
def chromium(executable: str | None = CHROMIUM) -> Iterator[Browser]:
    """Start the browser, or a script that starts it elsewhere."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        yield browser
        browser.close()


class Program:
    """A `sobremesa … --browser` of its own home."""

    def __init__(self, home: Path, *words: str, nick: str = "Ane", lang: str = "en") -> None:
        home.mkdir(parents=True, exist_ok=True)
        (home / "settings.toml").write_text(f'nick = "{nick}"\n', encoding="utf-8")
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "client",
                *words,
                "--browser",
                "--no-open",
                "--lang",
                lang,
                "--interface",
                "127.0.0.1",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env={**os.environ, "SOBREMESA_HOME": str(home), "LC_ALL": "C.UTF-8"},
            text=True,
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self.address = self.process.stdout.readline().strip()

    @property
    def origin(self) -> str:
        return self.address.partition("/#")[0]

    def end(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE_MS / 1000)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


@contextmanager
def program(home: Path, *words: str, nick: str = "Ane", lang: str = "en") -> Iterator[Program]:
    """Run a program; it ends with the block."""
    running = Program(home, *words, nick=nick, lang=lang)
    try:
        yield running
    finally:
        running.end()


class Window:
    """A browser window on a program. `wrong` collects whatever a browser complains of, and requests
    to anywhere else."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.wrong: list[str] = []
        self.page.on(
            "console", lambda message: self.wrong.append(f"console {message.type}: {message.text}")
        )
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("request", lambda request: self._look_at(request.url, origin))
        self.page.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) => console.error('CSP', "
            "event.violatedDirective))"
        )

    def _look_at(self, url: str, origin: str) -> None:
        if not url.startswith((f"{origin}/", f"{origin.replace('http', 'ws')}/", "data:")):
            self.wrong.append(f"request: {url}")

    def open(self, address: str) -> Window:
        self.page.goto(address)
        self.page.wait_for_selector("body[data-page]")
        return self

    def on(self, page: str) -> Window:
        """Wait for a page of the program."""
        self.page.wait_for_selector(f"body[data-page={page}]")
        return self

    def until(self, expression: str) -> None:
        """Wait until this holds. playwright would evaluate it in the page, and its policy forbids
        that."""
        for _ in range(PATIENCE_MS // 50):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{expression}\n{self.page.locator('body').inner_text()}")

    def comes(self, expression: str) -> bool:
        """Wait for a moment, and return whether this holds."""
        for _ in range(10):
            if self.page.evaluate(expression):
                return True
            self.page.wait_for_timeout(50)
        return False

    def presses(self, keys: Sequence[str], expression: str) -> None:
        """Press keys in turn, again and again, until this holds: not all of them do something."""
        for key in islice(cycle(keys), PRESSES):
            self.page.keyboard.press(key)
            if self.comes(expression):
                return
        raise AssertionError(f"{expression}\n{self.page.locator('#announce').inner_text()}")

    def cards(self) -> list[str]:
        """Return the names of the cards that can be clicked."""
        return self.page.locator(CARDS).evaluate_all(
            "found => found.map(one => one.getAttribute('aria-label'))"
        )

    def our_turn(self) -> Window:
        self.page.wait_for_selector(CARDS)
        return self

    def still(self) -> Window:
        """Wait until nothing moves: where a flying card will lie, nothing shows."""
        self.until(f"!{MOVING}")
        return self

    def accessible(self) -> None:
        """Let axe-core look."""
        self.still()
        assert violations(self.page) == []


@contextmanager
def window(
    browser: Browser, running: Program, width: int = 1280, height: int = 800, **more: object
) -> Iterator[Window]:
    """Open a window in a browser of its own, and let nothing have gone wrong in it at the end."""
    context = browser.new_context(viewport={"width": width, "height": height}, **more)
    found = Window(context, running.origin)
    yield found
    assert found.wrong == []
    context.close()
