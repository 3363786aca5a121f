"""Phones that sleep, laptops that are busy, and connections that are made anew on the way: nothing
is announced twice, no tap is lost, and none is made twice."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import PLAYABLE, Window, needs_chromium
from tests.networks.lan import Lan
from tests.networks.phone import phone
from tests.networks.test_phones import Laptop, comes
from tests.sample import sample

pytestmark = [needs_chromium, pytest.mark.slow]
HOSTS = 2
FROZEN_S = float(os.environ.get("SOBREMESA_FROZEN_S", "10"))
"""Seconds for which a phone is frozen."""
SAID = "[...document.querySelectorAll('#announce p')].map((one) => one.textContent)"
PICKED = "document.querySelectorAll('.hand [aria-pressed=true]').length"
SETTLED = "connection?.settled && !document.body.classList.contains('away')"


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


GONE = {
    "while there is none": "connection.lose(800)",
    "before it was lost": "WebSocket.prototype.send = () => {}; 0",
}


def test_over_the_next_connection_nothing_is_told_twice_and_no_tap_is_lost_or_made_twice(jon):
    before = jon.page.evaluate(SAID)
    assert before
    for _time in range(3):
        jon.page.evaluate("globalThis.first = connection; connection.lose(0)")
        another_connection(jon)
    assert jon.page.evaluate(SAID) == before
    # a tap that does not arrive
    jon.page.evaluate("globalThis.says = WebSocket.prototype.send; 0")
    for script in GONE.values():
        jon.page.evaluate("globalThis.first = connection; 0")
        jon.page.evaluate(script)
        picks(jon)
        jon.page.evaluate("WebSocket.prototype.send = says; connection?.lose(0)")
        another_connection(jon)
        jon.until(f"{PICKED} === 1")
        puts_back(jon)
    # a tap that arrives
    for _time in range(4):
        jon.page.evaluate("globalThis.first = connection")
        jon.page.evaluate(f"document.querySelector('{PLAYABLE}').click(); connection.lose(0)")
        another_connection(jon)
        jon.page.wait_for_timeout(300)
        assert jon.page.evaluate(PICKED) == 1
        puts_back(jon)


def puts_back(window: Window) -> None:
    window.page.keyboard.press("Escape")
    window.until(f"{PICKED} === 0")


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
@pytest.mark.parametrize("state", sample(STATES, 1))
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
