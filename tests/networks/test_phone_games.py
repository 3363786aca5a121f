"""Every game on phones: with the laptop that serves them, and against another one.

Somebody in the network records each of them, and learns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from p2p.table.replay import verify_log
from p2p.table.terms import PERSON
from tests.browser.chromium import Window, needs_chromium
from tests.browser.test_matches import SHORT
from tests.networks.lan import Lan
from tests.networks.phone import another_on, phone, sees_the_lobby
from tests.networks.phone_matches import (
    MATCH_S,
    chooses,
    play,
    recorded,
    shows_nothing,
    sits_down,
)
from tests.networks.test_owners import HERE, code_on, in_a_browser
from tests.sample import sample

pytestmark = [needs_chromium, pytest.mark.slow]
HOSTS = 3
NICKS = ("Garazi", "Txomin", "Zubeldia")
COMPUTERS = {"escoba": 0, "siete-y-media": 0, "domino": 0, "truco": 0, "kinaskak": 1}
"""The seats of computer players in each game.

By clicks alone nobody would ever lay down in Kínaskák."""


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as found:
        yield found


def served(
    stack: ExitStack, net: Lan, browser: Browser, folder: Path, count: int
) -> tuple[Window, list[Window], list[str]]:
    """Start an owner in a browser, and let so many phones in; all see the lobby.

    Return them, and the codes and secrets of the phones.
    """
    here = stack.enter_context(in_a_browser(net, folder / "ane"))
    of_owner = stack.enter_context(another_on(browser, net, 0, folder))
    owner = Window(of_owner.new_context(reduced_motion="reduce"), here.partition("/#")[0])
    owner.open(here).on("lobby")
    owner.page.get_by_role("button", name="Play on a phone").click()
    phones: list[Window] = []
    keys: list[str] = []
    for _time in range(count):
        if phones:
            owner.page.get_by_role("button", name="Add a phone").click()
        code = code_on(owner)
        phones.append(stack.enter_context(phone(browser, HERE, reduced_motion="reduce")))
        phones[-1].page.goto(code)
        sees_the_lobby(phones[-1])
        owner.page.locator(".sheet").wait_for(state="detached")
        secret = phones[-1].page.evaluate("localStorage.getItem('secret')")
        keys += [code.partition("#")[2], secret]
    owner.page.keyboard.press("Escape")
    owner.on("lobby")
    return owner, phones, keys


@pytest.mark.timeout(MATCH_S)
@pytest.mark.parametrize("game", sample(list(COMPUTERS), 1))
def test_three_phones_and_a_laptop_play_each_game_to_its_end(net, browser, tmp_path, stack, game):
    nicks = NICKS[COMPUTERS[game] :]
    file = stack.enter_context(recorded(net, tmp_path / "recorded"))
    owner, phones, keys = served(stack, net, browser, tmp_path, len(nicks))
    owner.page.keyboard.press("o")
    owner.on("open")
    chooses(owner, "game", game)
    chooses(owner, "seats", "4")
    chooses(owner, "bots", str(COMPUTERS[game]))
    for option in SHORT[game] if game != "escoba" else ("target=1",):
        name, _equals, value = option.partition("=")
        chooses(owner, f"option:{name}", value)
    owner.page.keyboard.press("Enter")
    owner.on("table-setup")
    for one, nick in zip(phones, nicks, strict=True):
        sits_down(one, nick)
    for nick in nicks:
        owner.page.get_by_text(nick).first.wait_for()
    words = owner.page.locator("body").inner_text()
    assert words.count("on this machine") == len(nicks)
    assert "could also vote for them" in words
    phones[0].page.get_by_text(re.compile("on the machine of Ane")).first.wait_for()
    begun = False
    while not begun:
        owner.page.keyboard.press("Enter")
        owner.page.wait_for_timeout(500)
        begun = owner.page.evaluate("document.body.dataset.page") == "play"
    for one in (owner, *phones):  # all see whose machine it is
        one.page.locator(".seat .through").nth(len(nicks) - 1).wait_for()
    play([owner, *phones], phones[0])
    for one in (owner, *phones):
        one.page.get_by_text(re.compile("signed by all")).first.wait_for(state="attached")
    (log,) = (tmp_path / "ane" / "logs").glob("*.sobremesa")
    verdict = verify_log(log.read_bytes())
    assert verdict.complete
    assert verdict.table.terms.game == game
    people = [one for one in verdict.table.terms.participants if one.kind == PERSON]
    assert len(people) == len(nicks) + 1
    assert len({one.program for one in people}) == 1
    stack.close()
    shows_nothing(file, nicks, keys)


@pytest.mark.soak
@pytest.mark.timeout(MATCH_S)
def test_two_phones_play_against_another_laptop(net, browser, tmp_path, stack):
    _owner, phones, _keys = served(stack, net, browser, tmp_path, 2)
    table = net.table("escoba", "--seats", "3", "--option", "target=3", host=2)
    for one, nick in zip(phones, NICKS, strict=False):
        sits_down(one, nick, at_the_laptops=False)
    table.sees("on the machine of")
    play(phones, phones[0])
    assert table.ends() == 0
    (log,) = (table.home / "logs").glob("*.sobremesa")
    assert verify_log(log.read_bytes()).complete
