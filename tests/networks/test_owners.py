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
from tests.networks.lan import Guest, Lan
from tests.networks.phone import another_on, phone, reads, sees_the_lobby
from tests.networks.switch import address
from tests.patience import PATIENCE

pytestmark = [needs_chromium, pytest.mark.slow]
HERE = f"http://{address(0)}:47757"


@pytest.fixture
def hosts() -> int:
    return 2


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
    owner.page.locator(".sheet svg").wait_for()
    words = owner.page.locator(".sheet").inner_text()
    letters = re.search(r"(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}", words)
    assert letters is not None, words
    assert HERE in words
    return f"{HERE}/#{letters[0].replace('-', '')}"


def test_a_phone_comes_by_the_lines_of_a_terminal(net, browser, tmp_path):
    owner = Guest(tmp_path / "ane", "phone", "--name", "Jon", namespaces=net.namespaces(0))
    code = owner.sees(rf"{HERE}/\?[a-z2-7]{{5}}#[0-9A-Z]{{16}}").text.strip()
    with phone(browser, HERE) as jon:
        jon.page.goto(code)
        sees_the_lobby(jon)
        owner.sees("A phone has come in")
        owner.sees("^Jon: here, at no table")
        with phone(browser, HERE) as mary:
            mary.page.goto(code)
            reads(mary, "Another phone has used this code")
            owner.sees("A second phone came")
    owner.sees("^Jon: .*away")
    owner.end()


def test_a_laptop_with_another_address_says_so_and_the_match_goes_on_by_a_new_code(
    net, browser, tmp_path
):
    words = ("phone", "--name", "Jon")
    owner = Guest(tmp_path / "ane", *words, namespaces=net.namespaces(0), typed=True)
    code = owner.sees(rf"{HERE}/\?[a-z2-7]{{5}}#[0-9A-Z]{{16}}").text.strip()
    with phone(browser, HERE) as jon:
        jon.page.goto(code)
        sees_the_lobby(jon)
        jon.page.locator("button[data-id='game:escoba']").tap()
        jon.page.get_by_role("button", name="Play", exact=True).tap()
        jon.on("play")
        owner.sees("^Jon: playing Escoba")
        net.run(0, "ip", "addr", "flush", "dev", "lan")
        owner.sees("no more: phones cannot come in")
        reads(jon, "scan a new code")
        net.run(0, "ip", "addr", "add", "10.99.0.77/24", "dev", "lan")
        moved = owner.sees("another address now: phones come in at 10.99.0.77:47757")
        jon.wrong.clear()  # a browser complains of a laptop that is not there
        owner.types("code Jon")
        pattern = r"http://10.99.0.77:47757/\?[a-z2-7]{5}#[0-9A-Z]{16}"
        jon.page.goto(owner.sees(pattern, after=moved.at).text.strip())
        reads(jon, "must let this phone in")
        digits = jon.page.locator(".digits").inner_text()
        owner.types(f"in {digits}")
        owner.sees("A phone has come in", after=moved.at)
        jon.on("play")  # the same match, which has waited
        jon.until("!document.body.classList.contains('away')")
        jon.wrong.clear()
    owner.end()


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
        owner.page.get_by_text("A code for this phone").click()
        other.page.goto(code_on(owner))
        reads(other, "must let this phone in")
        digits = other.page.locator(".digits").inner_text()
        owner.page.get_by_text(digits).wait_for()
        owner.page.get_by_role("button", name="let in").click()
        sees_the_lobby(other)
        reads(jon, "The game has moved")
        # its end
        visitor.click()
        owner.page.get_by_text("End; a new code").click()
        reads(other, "does not know this phone")
        owner.page.get_by_text("not here").wait_for()
        assert owner.wrong == []
