"""Phones in a real browser on another host than the laptop: its address is a private one, and so
nothing of theirs is a secure context."""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate

from client.storage.home import Home
from client.storage.visitors import Visitors
from client.ui.replay_page.page import read_page
from client.ui.screen.phones import address_of
from crypto.channel import TO_PAGE_BYTES
from tests.browser.chromium import Window, needs_chromium
from tests.end_to_end.processes import ROOT, eventually
from tests.networks.lan import Lan
from tests.networks.phone import LOST, phone, reads, sees_the_lobby
from tests.networks.switch import address
from tests.patience import PATIENCE
from tests.ring import Ring

pytestmark = [needs_chromium, pytest.mark.slow]
HOSTS = 2
LATE_MS = 10_000
"""In which a phone is let in, unless its connection was made anew meanwhile."""
SECRET = "localStorage.getItem('secret')"


class Laptop:
    """The program of the owner, on the first host."""

    def __init__(self, net: Lan, home: Path) -> None:
        self._process = subprocess.Popen(
            [*net.inside(0), sys.executable, "-m", "tests.networks.laptop", str(home)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._told: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        while "host" not in (told := self._told.get(timeout=PATIENCE)):
            pass  # news of its visitor may come before
        self.host = told["host"]

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    @property
    def pid(self) -> int:
        return self._process.pid

    def says(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def hears(self, news: str) -> dict[str, Any]:
        """Wait until its owner is told this."""
        while (told := self._told.get(timeout=PATIENCE)).get("news") != news:
            pass
        return told

    def newest(self, news: str, before: dict[str, Any]) -> dict[str, Any]:
        """Return the last news of this kind for its owner; those before, if there are no more."""
        while not self._told.empty():
            told = self._told.get_nowait()
            before = told if told.get("news") == news else before
        return before

    def code(self) -> str:
        self.says("code")
        return address_of(self.host, self.hears("Code")["letters"])

    def kill(self) -> None:
        """Let it end as if the power had gone."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        assert self._process.wait(PATIENCE) in (0, -SIGKILL)
        self._reader.join()
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._told.put(json.loads(line))


@pytest.fixture
def laptop(net: Lan, tmp_path: Path) -> Iterator[Laptop]:
    home = tmp_path / "owner"
    home.mkdir(mode=0o700)
    running = Laptop(net, home)
    yield running
    running.end()


def comes(window: Window, laptop: Laptop) -> str:
    """Come by a new code; return the secret."""
    window.page.goto(laptop.code())
    sees_the_lobby(window)
    return window.page.evaluate(SECRET)


@contextmanager
def tab(of: Window, laptop: Laptop) -> Iterator[Window]:
    """Open one more window on the same phone."""
    found = Window(of.page.context, laptop.origin)
    yield found
    assert found.wrong == []
    found.page.close()


def types(window: Window, code: str) -> None:
    window.page.locator(f"{LOST} input").fill(code)
    window.page.locator(f"{LOST} input").press("Enter")


def wakes(window: Window) -> None:
    """Let the page think that it was hidden until now."""
    window.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def keeps_its_connection(window: Window) -> bool:
    """Whether it has the same connection when the answer to its ping is due."""
    window.until("connection !== null")
    window.page.evaluate("globalThis.first = connection")
    wakes(window)
    window.page.wait_for_timeout(700)
    return window.page.evaluate("connection === first")


def shows_the_digits(window: Window, laptop: Laptop, asks: dict[str, Any]) -> dict[str, Any]:
    """Wait until a phone shows the digits of which the owner was told last; return that news.

    A connection that a busy laptop answers late is made anew, and then has other digits.
    """
    told = [asks]

    def same() -> bool:
        told.append(laptop.newest("Asks", told[-1]))
        shown = "document.querySelector('.digits')?.textContent"
        return window.page.evaluate(shown) == told[-1]["digits"]

    eventually(same, "the digits of the phone that waits")
    return told[-1]


def is_let_in(window: Window, laptop: Laptop, asks: dict[str, Any]) -> None:
    """Let a phone in, with those digits that it shows when the owner says so."""
    while True:
        asks = shows_the_digits(window, laptop, asks)
        laptop.says(f"in {asks['connection']}")
        with suppress(TooLate):
            window.page.wait_for_selector("body[data-page=lobby]", timeout=LATE_MS)
            return


def test_a_phone_comes_by_a_code_and_back_by_its_secret_and_another_one_reads_used(laptop, browser):
    assert laptop.host == f"{address(0)}:47757"
    with (
        phone(browser, laptop.origin, "eu-ES") as jon,
        phone(browser, laptop.origin, "es-ES") as mary,
    ):
        code = laptop.code()
        jon.page.goto(code)
        sees_the_lobby(jon)
        assert jon.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
        assert laptop.hears("Entered")["language"] == "eu-ES"
        assert jon.page.evaluate("document.documentElement.lang") == "eu"
        assert "Jon" in jon.page.locator("body").inner_text()
        assert re.fullmatch(rf"{laptop.origin}/(\?[a-z2-7]{{5}})?", jon.page.url)
        secret = jon.page.evaluate(SECRET)
        assert len(secret) == 64

        mary.page.goto(code)
        reads(mary, "Otro móvil")
        assert laptop.hears("CodeUsed")
        assert mary.page.evaluate(SECRET) is None
        assert jon.page.evaluate("document.body.className") == ""

        jon.page.reload()
        sees_the_lobby(jon)
        assert jon.page.evaluate(SECRET) == secret


def test_the_older_of_two_tabs_offers_to_take_back(laptop, browser):
    with phone(browser, laptop.origin) as jon, tab(jon, laptop) as other:
        comes(jon, laptop)
        other.page.goto(f"{laptop.origin}/")
        sees_the_lobby(other)
        reads(jon, "The game has moved")
        wakes(jon)
        jon.page.wait_for_timeout(700)  # it does not take back by itself
        sees_the_lobby(other)
        jon.page.get_by_role("button", name="Play here").tap()
        sees_the_lobby(jon)
        reads(other, "The game has moved")


def test_a_phone_that_takes_a_visitor_over_shows_the_digits_that_the_owner_sees(laptop, browser):
    with phone(browser, laptop.origin) as jon, phone(browser, laptop.origin, "is-IS") as next_one:
        old = comes(jon, laptop)
        next_one.page.goto(laptop.code())
        reads(next_one, "hleypa þessum síma inn")
        asks = laptop.hears("Asks")
        assert next_one.page.locator(".digits").inner_text() == asks["digits"]
        next_one.accessible()
        laptop.says(f"in {asks['connection']}")
        sees_the_lobby(next_one)
        assert next_one.page.evaluate(SECRET) != old
        reads(jon, "this one is let in no more")
        assert jon.page.get_by_role("button", name="Play here").count() == 0
        jon.page.get_by_label("Code").fill("7K3M-Q2XD-000G-40R4")
        jon.page.get_by_role("button", name="Go on").tap()
        reads(jon, "does not take this code")
        assert jon.page.get_by_label("Code").input_value() == "7K3M-Q2XD-000G-40R4"


def test_a_phone_that_wakes_while_it_waits_keeps_its_digits_or_comes_anew(net, laptop, browser):
    with phone(browser, laptop.origin) as jon, phone(browser, laptop.origin) as next_one:
        comes(jon, laptop)
        next_one.page.goto(laptop.code())
        reads(next_one, "must let this phone in")
        asks = shows_the_digits(next_one, laptop, laptop.hears("Asks"))
        late = 0
        while not keeps_its_connection(next_one):  # a busy laptop answers late: it comes anew
            late += 1
            assert late < 5
            asks = shows_the_digits(next_one, laptop, asks)
        next_one.page.evaluate("connection.lose(0)")  # as if nobody had answered
        next_one.until("connection?.settled")
        is_let_in(next_one, laptop, asks)
        sees_the_lobby(next_one)


def test_a_code_in_the_address_of_a_page_that_has_lost_its_storage_is_taken(laptop, browser):
    with phone(browser, laptop.origin) as jon:
        comes(jon, laptop)
        jon.page.evaluate("localStorage.clear()")
        jon.page.reload()
        reads(jon, "Scan the code")
        jon.page.goto(laptop.code())
        reads(jon, "must let this phone in")


def test_the_back_button_does_what_escape_does_and_twice_at_once_leaves_the_lobby(laptop, browser):
    with phone(browser, laptop.origin) as jon:
        comes(jon, laptop)
        jon.page.keyboard.press("F1")
        jon.page.locator(".sheet").wait_for()
        jon.page.go_back(wait_until="commit")
        jon.page.locator(".sheet").wait_for(state="detached")
        assert re.fullmatch(rf"{laptop.origin}/(\?[a-z2-7]{{5}})?", jon.page.url)
        jon.page.wait_for_timeout(1600)
        jon.page.evaluate("history.back()")
        jon.page.wait_for_timeout(1600)
        sees_the_lobby(jon)
        jon.page.reload()
        sees_the_lobby(jon)
        jon.page.wait_for_timeout(600)
        jon.page.keyboard.press("F1")
        jon.page.locator(".sheet").wait_for()
        jon.page.go_back(wait_until="commit")
        jon.page.locator(".sheet").wait_for(state="detached")
        jon.page.evaluate("history.back()")
        jon.page.wait_for_url("about:blank")


def test_a_phone_shares_a_long_match_as_a_page(net, browser, tmp_path):
    ring = Ring("escoba", 2, seed="browser", target=21)
    ring.play()
    (tmp_path / "owner").mkdir(mode=0o700)
    home = Home(Visitors(tmp_path / "owner").create("Jon").path)
    (home.path / "identity.key").write_text("68" * 32)
    (home.path / "logs" / "0123456789abcdef.sobremesa").write_bytes(ring.logs[0])
    laptop = Laptop(net, tmp_path / "owner")
    with phone(browser, laptop.origin, "en-US") as jon:
        comes(jon, laptop)
        jon.page.locator("button[data-id=history]").tap()
        with jon.page.expect_download() as saved:
            jon.page.locator("[data-id=share]").first.tap()
            jon.page.evaluate("connection.lose(0)")  # the page comes over the next one
        saved.value.save_as(tmp_path / "page.html")
    laptop.end()
    page = (tmp_path / "page.html").read_bytes()
    assert len(page) > TO_PAGE_BYTES
    assert read_page(page).log == ring.logs[0]


def test_the_page_has_a_name_and_a_picture_for_the_home_screen(laptop, browser):
    with phone(browser, laptop.origin) as jon:
        jon.page.goto(laptop.origin)
        name = "document.querySelector('meta[name=apple-mobile-web-app-title]').content"
        assert jon.page.evaluate(name) == "Sobremesa"
        size = """() => { const picture = new Image();
          picture.src = document.querySelector("link[rel=apple-touch-icon]").href;
          return picture.decode().then(() => [picture.width, picture.height]); }"""
        assert jon.page.evaluate(size) == [180, 180]


def test_a_code_can_be_typed_and_a_bad_one_is_no_harm_to_a_phone_with_a_secret(laptop, browser):
    with phone(browser, laptop.origin) as jon:
        jon.page.goto(f"{laptop.origin}/")
        reads(jon, "Scan the code")
        jon.accessible()
        types(jon, "ABCD")
        reads(jon, "This is no code")
        types(jon, "0000-0000-0000-0000")
        reads(jon, "does not take this code")
        used = laptop.code()
        code = used.partition("#")[2].lower()
        types(jon, "-".join(code[place : place + 4] for place in range(0, 16, 4)))
        sees_the_lobby(jon)
        secret = jon.page.evaluate(SECRET)
        for bad in (f"{laptop.origin}/#0000000000000000", f"{laptop.origin}/#nonsense", used):
            jon.page.goto("about:blank")
            jon.page.goto(bad)
            sees_the_lobby(jon)
            assert jon.page.evaluate(SECRET) == secret


def test_a_phone_makes_a_new_connection_if_nobody_answers_and_when_its_laptop_is_back(
    net, laptop, browser, tmp_path
):
    with phone(browser, laptop.origin) as jon:
        secret = comes(jon, laptop)
        assert any(keeps_its_connection(jon) for _time in range(5))  # a busy laptop may be late
        net.weather(cut=[0])
        wakes(jon)
        jon.until("connection !== null && connection !== first && !document.body.className")
        reads(jon, "cannot be reached")  # until then the picture stays
        net.weather(cut=[])
        sees_the_lobby(jon)
        laptop.hears("Entered")
        laptop.kill()
        reads(jon, "cannot be reached")
        again = Laptop(net, tmp_path / "owner")
        assert again.host == laptop.host
        sees_the_lobby(jon)
        assert jon.page.evaluate(SECRET) == secret
        again.end()
        jon.wrong.clear()  # a browser complains of a laptop that is not there


ASLEEP = """const { send } = WebSocket.prototype;
WebSocket.prototype.send = () => { WebSocket.prototype.send = send; };
"""


def test_a_phone_that_slept_comes_by_its_code(laptop, browser):
    """Its first frame came too late, and its connection was closed."""
    with phone(browser, laptop.origin) as jon:
        jon.page.add_init_script(ASLEEP)
        jon.page.goto(laptop.code())
        sees_the_lobby(jon)


OTHER_FILES = """const { querySelector } = Document.prototype;
Document.prototype.querySelector = function (selector) {
  const found = querySelector.call(this, selector);
  if (selector === 'meta[name="version"]') found.content = "0".repeat(64);
  return found;
};
"""


def test_a_page_of_other_files_is_loaded_anew_once_and_an_old_browser_says_so(laptop, browser):
    code = laptop.code()
    for more in ({}, {"java_script_enabled": False}):
        with phone(browser, laptop.origin, **more) as old:
            old.page.add_init_script("delete Crypto.prototype.getRandomValues")
            old.page.goto(code)
            assert "This browser is too old" in old.page.locator(LOST).inner_text()
            assert "zaharregia" in old.page.locator(LOST).inner_text()
    with phone(browser, laptop.origin) as jon:
        jon.page.add_init_script(OTHER_FILES)
        pages = []
        jon.page.on("request", lambda request: pages.append(request.is_navigation_request()))
        jon.page.goto(code, wait_until="commit")  # it may be loaded anew before it is whole
        reads(jon, "different versions")
        assert sum(pages) == 2
        assert jon.page.evaluate(SECRET) is None


LEFT = """import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
PAGE = b"<!DOCTYPE html><title>Thief</title><script>localStorage.setItem('look', '{')</script>"
class Thief(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("cache-control", "public, max-age=31536000, immutable")
        self.end_headers()
        self.wfile.write(PAGE)
server = HTTPServer((sys.argv[1], 47757), Thief)
print("ready", flush=True)
server.serve_forever()
"""


@contextmanager
def a_thief(net: Lan) -> Iterator[str]:
    """Have the laptop's address and port in another network; give the address of the page there."""
    command = [*net.inside(0), sys.executable, "-c", LEFT, address(0)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield f"http://{address(0)}:47757/"
        server.kill()


def test_a_page_that_somebody_else_has_left_in_the_browser_gets_no_code(net, browser, tmp_path):
    (tmp_path / "owner").mkdir(mode=0o700)
    with phone(browser, f"http://{address(0)}:47757") as jon:
        with a_thief(net) as left:
            jon.page.goto(left)
            jon.page.goto("about:blank")
        laptop = Laptop(net, tmp_path / "owner")
        jon.page.goto(left)
        assert jon.page.title() == "Thief"  # so the browser has kept it
        jon.page.goto(laptop.code())
        sees_the_lobby(jon)
        jon.page.reload()
        sees_the_lobby(jon)
        laptop.end()
        jon.wrong.clear()  # a browser complains of a laptop that is not there
