"""Phones that sleep, laptops that are busy, and connections that are made anew on the way: nothing
is announced twice, no tap is lost, and none is made twice."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import PLAYABLE, Window, needs_chromium
from tests.networks.lan import Lan
from tests.networks.phone import LOST, phone
from tests.networks.test_phones import Laptop, comes, wakes

pytestmark = [needs_chromium, pytest.mark.slow]
FROZEN_S = float(os.environ.get("SOBREMESA_FROZEN_S", "20"))
"""Seconds for which a phone is frozen."""
SAID = "[...document.querySelectorAll('#announce p')].map((one) => one.textContent)"
PICKED = "document.querySelectorAll('.hand [aria-pressed=true]').length"
SETTLED = "connection?.settled && !document.body.classList.contains('away')"


@pytest.fixture
def hosts() -> int:
    return 2


@pytest.fixture
def laptop(net: Lan, tmp_path: Path) -> Iterator[Laptop]:
    home = tmp_path / "owner"
    home.mkdir(mode=0o700)
    running = Laptop(net, home)
    yield running
    running.end()


COUNTED = """{
  const { addEventListener } = WebSocket.prototype;
  globalThis.frames = 0;
  WebSocket.prototype.addEventListener = function (name, act) {
    const counts = (event) => { frames += 1; act(event); };
    addEventListener.call(this, name, name === "message" ? counts : act);
  };
}"""
"""Count the frames that come to a page."""
WOKEN = """() => new Promise((resolve) => {
  const began = performance.now(), before = frames;
  document.dispatchEvent(new Event("visibilitychange"));
  const look = () => {
    const answered = frames > before && connection?.settled && now.view;
    if (!answered || document.body.classList.contains("away")) setTimeout(look, 5);
    else requestAnimationFrame(() => resolve(performance.now() - began));
  };
  look();
})"""
"""Wake; return the milliseconds until there is a picture, and a connection that has answered."""


@pytest.fixture
def jon(laptop: Laptop, browser: Browser) -> Iterator[Window]:
    """A phone that plays against the computer, and whose turn it is."""
    with phone(browser, laptop.origin, reduced_motion="reduce") as found:
        found.page.add_init_script(COUNTED)
        comes(found, laptop)
        plays(found)
        yield found
        found.wrong.clear()  # a browser complains of a laptop that is not there


def plays(window: Window) -> None:
    window.page.locator("button[data-id='game:escoba']").tap()
    window.page.get_by_role("button", name="Play", exact=True).tap()
    window.on("play").our_turn()
    window.page.wait_for_timeout(600)  # taps are for this page from now on


def another_connection(window: Window) -> None:
    """Wait for a connection that is not `first`, with a view."""
    window.until(f"connection !== first && {SETTLED} && now.view !== undefined")


def picks(window: Window) -> None:
    window.page.locator(PLAYABLE).first.tap()


def test_a_new_connection_announces_nothing_twice(jon):
    before = jon.page.evaluate(SAID)
    assert before
    for _time in range(3):
        jon.page.evaluate("globalThis.first = connection; connection.lose(0)")
        another_connection(jon)
    assert jon.page.evaluate(SAID) == before


GONE = {
    "while there is none": "connection.lose(800)",
    "before it was lost": "WebSocket.prototype.send = () => {}; 0",
}


@pytest.mark.parametrize("script", GONE.values(), ids=GONE)
def test_a_tap_that_does_not_arrive_goes_over_the_next_connection(jon, script):
    jon.page.evaluate(
        "globalThis.first = connection; globalThis.says = WebSocket.prototype.send; 0"
    )
    jon.page.evaluate(script)
    picks(jon)
    jon.page.evaluate("WebSocket.prototype.send = says; connection?.lose(0)")
    another_connection(jon)
    jon.until(f"{PICKED} === 1")


def test_a_tap_that_has_arrived_is_not_made_again(jon):
    for _time in range(4):
        jon.page.evaluate("globalThis.first = connection")
        jon.page.evaluate(f"document.querySelector('{PLAYABLE}').click(); connection.lose(0)")
        another_connection(jon)
        jon.page.wait_for_timeout(300)
        assert jon.page.evaluate(PICKED) == 1
        jon.page.keyboard.press("Escape")  # puts it back
        jon.until(f"{PICKED} === 0")


def test_a_tap_is_given_up_after_a_while(jon):
    jon.page.evaluate("globalThis.first = connection; connection.lose(1000)")
    picks(jon)
    jon.page.evaluate("unsure.since -= UNSURE_MS")
    another_connection(jon)
    jon.page.wait_for_timeout(500)
    assert jon.page.evaluate(PICKED) == 0


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def visitor_of(laptop: Laptop) -> int:
    """Return the process of its one visitor."""
    threads = Path(f"/proc/{laptop.pid}/task").glob("*/children")
    (pid,) = " ".join(one.read_text(encoding="ascii") for one in threads).split()
    return int(pid)


def test_a_laptop_that_is_busy_for_some_seconds_is_not_lost(jon, laptop):
    jon.page.evaluate("globalThis.first = connection")
    with stopped(visitor_of(laptop)):
        jon.page.evaluate("beat()")
        jon.page.wait_for_timeout(4500)
    jon.page.wait_for_timeout(1500)
    assert jon.page.evaluate("connection === first")
    assert jon.page.locator(LOST).inner_text() == ""


def test_a_busy_laptop_is_not_said_to_be_out_of_reach_when_a_phone_wakes(jon, laptop):
    jon.page.evaluate("globalThis.first = connection")
    with stopped(visitor_of(laptop)):
        wakes(jon)
        jon.page.wait_for_timeout(4000)
        assert jon.page.locator(LOST).inner_text() == ""
    another_connection(jon)


def browser_processes(folder: Path) -> list[int]:
    """Return the processes of the browser on the second host."""
    found = []
    mark = folder.readlink()
    for one in Path("/proc").iterdir():
        if one.name.isdecimal():
            try:
                here = (one / "ns/net").readlink() == mark
                if here and "chrom" in (one / "exe").readlink().name:
                    found.append(int(one.name))
            except OSError:
                continue
    return found


STATES = ["awake", "restarted"]


@pytest.mark.timeout(FROZEN_S + 300)
@pytest.mark.parametrize("state", STATES)
def test_a_phone_that_was_frozen_shows_the_table_a_second_after_it_woke(
    jon, net, laptop, tmp_path, figure, state
):
    """It was out of reach meanwhile. The laptop went on, or was switched off and on again."""
    (namespace,) = [one for one in net.namespaces(1) if one.endswith("/net")]
    frozen = browser_processes(Path(namespace))
    assert frozen
    net.weather(cut=[1])
    again = None
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(FROZEN_S / 2)
        if state == "restarted":
            laptop.kill()
            again = Laptop(net, tmp_path / "owner")
        time.sleep(FROZEN_S / 2)
        net.weather(cut=[])
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    woken = time.monotonic()
    took = jon.page.evaluate(WOKEN)
    whole = 1000 * (time.monotonic() - woken)
    figure(
        f"frozen for {FROZEN_S:.0f} s, laptop {state}: {took:.0f} ms ({whole:.0f} with Chromium)"
    )
    assert took < 1000
    assert jon.page.evaluate("document.body.dataset.page") == ("lobby" if again else "play")
    if again is not None:
        again.end()
