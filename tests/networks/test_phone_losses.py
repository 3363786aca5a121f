"""A match on phones outlives the laptop's program that is killed, and a browser that has lost its
storage."""

from __future__ import annotations

import re
from contextlib import ExitStack

import pytest

from p2p.table.replay import verify_log
from tests.browser.chromium import Window, needs_chromium
from tests.networks.lan import Guest
from tests.networks.phone import phone, reads, sees_the_lobby
from tests.networks.phone_matches import MATCH_S, chooses, play
from tests.networks.test_owners import HERE

pytestmark = [needs_chromium, pytest.mark.slow]
HOSTS = 2
CODE = rf"{HERE}/\?[a-z2-7]{{5}}#[0-9A-Z]{{16}}"


@pytest.fixture
def stack():
    with ExitStack() as found:
        yield found


def opens_a_table(window: Window) -> None:
    window.page.keyboard.press("o")
    window.on("open")
    chooses(window, "option:target", "5")
    window.page.keyboard.press("Enter")
    window.on("table-setup")


def sits_down(window: Window) -> None:
    window.page.locator("button[data-id^='go:table:']").tap()
    window.on("table-setup")
    window.page.get_by_role("button", name="Sit down").tap()


def begins(*windows: Window) -> None:
    """Let all begin, the one that opened the table first."""
    for one in windows * 60:
        if all(other.page.evaluate("document.body.dataset.page") == "play" for other in windows):
            return
        one.page.keyboard.press("Enter")
        one.page.wait_for_timeout(250)
    raise AssertionError("the match did not begin")


def goes_on(window: Window) -> None:
    """Go back into the match that the lobby shows."""
    sees_the_lobby(window)
    window.page.locator("button[data-id^='go:back:']").tap()


@pytest.mark.timeout(MATCH_S)
def test_a_match_outlives_a_killed_laptop_and_a_cleared_storage(net, browser, tmp_path, stack):
    words, home = ("phone", "--name", "Jon"), tmp_path / "ane"
    owner = Guest(home, *words, namespaces=net.namespaces(0), typed=True)
    jon, mary = (
        stack.enter_context(phone(browser, HERE, reduced_motion="reduce")) for _time in range(2)
    )
    first = owner.sees(CODE)
    jon.page.goto(first.text.strip())
    sees_the_lobby(jon)
    owner.types("code Mary")
    mary.page.goto(owner.sees(CODE, after=first.at).text.strip())
    sees_the_lobby(mary)
    opens_a_table(jon)
    sits_down(mary)
    begins(jon, mary)
    for one in (jon, mary):
        one.page.locator(".hand .slot, .hand button").first.wait_for()

    owner.process.kill()
    owner.process.wait()
    for one in (jon, mary):
        reads(one, "cannot be reached")
        one.wrong.clear()  # a browser complains of a laptop that is not there
    again = Guest(home, "phone", "--name", "Peio", namespaces=net.namespaces(0), typed=True)
    again.sees("is not finished, so phones can come in at")
    for one in (jon, mary):
        goes_on(one)
    for one in (jon, mary):
        one.on("play")
        one.wrong.clear()

    mary.page.evaluate("localStorage.clear()")
    mary.page.reload()
    reads(mary, "Scan the code")
    before = again.lines[-1].at
    again.types("code Mary")
    mary.page.goto(again.sees(CODE, after=before).text.strip())
    reads(mary, "must let this phone in")
    again.types(f"in {mary.page.locator('.digits').inner_text()}")
    mary.on("play")
    play([jon, mary])
    logs = list(home.glob("visitors/*/logs/*.sobremesa"))
    assert len(logs) == 2
    for log in logs:
        assert verify_log(log.read_bytes()).complete
    assert re.search("Mary: .*Escoba", again.out)
    stack.close()  # a page that is open complains when its laptop has ended
    owner.end()
    again.end()
