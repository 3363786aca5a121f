"""The owner of a laptop lets phones in: by the program in a terminal, in a browser, in lines."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.chromium import Window, needs_chromium
from tests.end_to_end.processes import ROOT
from tests.networks.lan import Lan
from tests.networks.phone import another_on, phone, reads, sees_the_lobby
from tests.networks.switch import address
from tests.patience import PATIENCE

pytestmark = [needs_chromium, pytest.mark.slow]
HOSTS = 2
HERE = f"http://{address(0)}:47757"


@contextmanager
def in_a_browser(net: Lan, home: Path) -> Iterator[str]:
    """Run the program of an owner on the first host; give its address there."""
    home.mkdir(parents=True)
    (home / "settings.toml").write_text('nick = "Ane"\n', encoding="utf-8")
    running = subprocess.Popen(
        [*net.inside(0), sys.executable, "-m", "client", "--browser", "--no-open"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env={**os.environ, "SOBREMESA_HOME": str(home), "LC_ALL": "C.UTF-8"},
        text=True,
    )
    assert running.stdout is not None
    running.stdout.readline()
    try:
        yield running.stdout.readline().strip()
        running.terminate()
        assert running.wait(PATIENCE) == 128 + 15
    finally:
        running.kill()
        running.wait()
        running.stdout.close()


def code_on(owner: Window) -> str:
    """Return the address with the code that the owner's page shows."""
    owner.page.locator(".sheet svg:not(.icon)").wait_for()
    words = owner.page.locator(".sheet").inner_text()
    letters = re.search(r"(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}", words)
    assert letters is not None, words
    assert HERE in words
    return f"{HERE}/#{letters[0].replace('-', '')}"


def test_the_owner_lets_phones_in_by_the_lobby_in_a_browser(net, browser, tmp_path):
    with (
        in_a_browser(net, tmp_path / "ane") as here,
        another_on(browser, net, 0, tmp_path) as of_owner,
        phone(browser, HERE) as jon,
        phone(browser, HERE) as other,
    ):
        owner = Window(of_owner.new_context(), here.partition("/#")[0])
        owner.open(here).on("lobby")
        owner.page.get_by_role("button", name="Play on a phone").click()
        code = code_on(owner)
        jon.page.goto(code)
        sees_the_lobby(jon)
        owner.page.locator(".sheet").wait_for(state="detached")
        visitor = owner.page.locator("button[data-id^='visitor:']")
        visitor.wait_for()
        # a code for this phone
        visitor.click()
        owner.page.get_by_text("New code for this phone").click()
        other.page.goto(code_on(owner))
        reads(other, "must let this phone in")
        digits = other.page.locator(".digits").inner_text()
        owner.page.get_by_text(digits).wait_for()
        owner.page.get_by_role("button", name="Let in", exact=True).click()
        sees_the_lobby(other)
        reads(jon, "this one is let in no more")
        # its end
        visitor.click()
        owner.page.get_by_text("A new code lets the phone in again").click()
        reads(other, "does not know this phone")
        owner.page.get_by_text("not here").wait_for()
        assert owner.wrong == []
