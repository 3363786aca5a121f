"""How phones play a match, and everything that somebody in the network can record of it."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import TimeoutError as TooLate

from crypto.channel import read_code
from engine.games import GAMES
from tests.browser.chromium import Window
from tests.browser.test_matches import OVER, one_click
from tests.end_to_end.processes import ROOT
from tests.networks import capture
from tests.networks.lan import Lan
from tests.patience import PATIENCE

NICKS = ("Zubeldia", "Garazi", "Txomin")
TALK = "karakola9931"
OF_VIEWS = [f'"{word}"' for word in (*GAMES, "nick", "view", "click", "table", "spanish", "french")]
"""Words of the views that pages are shown, and of the messages of a page."""
MATCH_S = 900
"""On two cores, beside three of the kind, a match took up to 250 s."""
STILL_S = 120
"""Something is announced more often in a match that goes on."""
ANNOUNCED = "#announce"
SHEET_MS = 10_000
"""In which a sheet comes that was asked for."""


@contextmanager
def recorded(net: Lan, file: Path) -> Iterator[Path]:
    """Record everything that the first host sends and receives."""
    words = [*net.inside(0), sys.executable, "-m", "tests.networks.capture", str(file)]
    running = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdout.readline()
    try:
        yield file
    finally:
        running.stdin.close()
        running.wait(PATIENCE)
        running.stdout.close()


def chooses(owner: Window, field: str, value: str) -> None:
    """Set a field of a form, unless it has this value."""
    if owner.page.locator(f"[data-field='{field}'][value='{value}']:checked").count():
        return
    before = owner.page.evaluate("seen")
    owner.page.evaluate(f"send({{ field: {field!r}, value: {value!r}, seen }})")
    owner.until(f"seen > {before}")


def sits_down(window: Window, nick: str, *, at_the_laptops: bool = True) -> None:
    """Sit down at the table in the lobby, with a name: at the laptop's by one tap."""
    window.page.locator("#line").fill(nick)
    window.page.keyboard.press("Enter")
    window.page.locator(".sheet").wait_for(state="detached")
    window.page.locator("button[data-id^='go:table:']").tap()
    window.on("table-setup")
    if not at_the_laptops:  # its players are seen first
        window.page.get_by_role("button", name="Sit down").tap()
    # For the last one to sit down the match begins at once.
    sits, plays = (
        window.page.locator(".sit", has_text=nick),
        window.page.locator("body[data-page='play']"),
    )
    sits.or_(plays).first.wait_for()


FREE = "document.body.dataset.page === 'play' && !document.querySelector('.sheet')"
"""Whether a key of the table means something: no sheet lies above it."""


def says(window: Window, words: str) -> bool:
    """Say something at the table, unless another sheet comes first; return whether it was said."""
    window.page.keyboard.press("F2")
    try:
        window.page.locator(".sheet button[data-id='sheet:talk']").click(timeout=SHEET_MS)
    except TooLate:
        return False
    window.page.locator("#line").fill(words)
    window.page.keyboard.press("Enter")
    window.page.locator(".sheet").wait_for(state="detached")
    return True


def play(windows: list[Window], talks: Window | None = None) -> None:
    """Click in every window until the match is over in all of them, or nothing happens any more.

    One of them may say something on the way.
    """
    chance, said = random.Random(7), talks is None
    happened: list[str] = []
    end = time.monotonic() + STILL_S
    while time.monotonic() < end:
        if all(one.page.locator(OVER).count() for one in windows):
            return
        for one in windows:
            one_click(one.page, chance)
        if talks is not None and not said and talks.page.evaluate(FREE):
            said = says(talks, TALK)
        before, happened = happened, [one.page.locator(ANNOUNCED).inner_text() for one in windows]
        if happened != before:
            end = time.monotonic() + STILL_S
    raise AssertionError("\n\n".join(one.page.locator("body").inner_text() for one in windows))


def shows_nothing(
    file: Path, nicks: Sequence[str], keys: Sequence[str], least: int = 500_000
) -> None:
    """Look for all that is secret in a recording, of which at least so many bytes are sealed.

    `nicks` are those of the phones' players, `keys` their secrets and codes.
    """
    found = capture.streams(file, 47757)
    sockets = [one for one in found.values() if b"websocket" in one[:2000].lower()]
    sealed = [data for one in sockets for data in capture.payloads(one)]
    assert sum(map(len, sealed)) >= least
    assert {len(data) % 128 for data in sealed if len(data) > 144} == {16}
    assert sum(len(data) == 58 and data[:2] == b"\1\0" for data in sealed) == len(nicks)
    assert not [data[:300] for data in sealed if capture.is_clear(data)]
    whole = b"".join(sealed)
    for word in (*nicks, TALK, *OF_VIEWS):
        # fewer letters stand in so many bytes by chance
        assert len(word) >= 6
        for spelled in (word.encode(), word.lower().encode(), word.encode("utf-16-le")):
            assert spelled not in whole, word
    # the links of peers and their announcements too
    everything = b"\n".join([*capture.of_networks(file), *found.values()])
    assert b"GET /socket" in everything  # the recording has something to show
    for word in (*nicks, TALK):
        assert word.encode() not in everything, word
    for key in keys:
        raw = bytes.fromhex(key) if len(key) == 64 else read_code(key)
        for spelled in (key.encode(), key.lower().encode(), raw):
            assert spelled not in everything, key
