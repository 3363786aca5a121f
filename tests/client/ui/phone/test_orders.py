"""No owner or phone is told of an address or a code that the visitor does not know."""

from __future__ import annotations

from pathlib import Path

import trio

from client.storage.phone_secrets import Secrets
from client.ui.phone import hosted, phones
from client.ui.phone.hosted import AGAIN
from client.ui.screen.messages import UseAddress
from tests.client.ui.phone.knock import house
from tests.client.ui.phone.test_keeper import comes
from tests.client.ui.phone.test_keeper import owner as owner_here
from tests.client.ui.phone.test_moving import CABLE, CAFE, HOME, addresses, owner
from tests.patience import PATIENCE

__all__ = ["addresses", "owner", "owner_here"]
JON, MARY = Path("jon"), Path("mary")
CODE, SECRET = bytes(range(10)), bytes(range(32))


async def test_a_secret_is_refused_only_when_the_keys_of_all_visitors_are_known(monkeypatch):
    """A visitor of a program that was killed has its home for a while after the next start."""
    for module, name in ((phones, "AGAIN_S"), (phones, "LATER_S"), (hosted, "STARTS_PER_SECOND")):
        monkeypatch.setattr(module, name, 0.05 if module is phones else 100.0)
    async with house(monkeypatch, [JON, MARY], fails=True) as found:
        found.visitors[JON].disk.append(Secrets(SECRET, None))
        found.visitors[MARY].fails = False
        async with found.page(SECRET) as page:
            await page.sends(page.sealed.first)
            assert await page.closed() == AGAIN
        async with found.page(CODE) as stranger:
            await stranger.is_refused_at_once()
        found.visitors[JON].fails = False
        with trio.fail_after(PATIENCE):
            while not all(one.runs for one in found.phones.visitors):
                await trio.sleep(0.01)
        async with found.page(SECRET) as page:
            await page.comes_back()
        async with found.page(bytes(32)) as stranger:
            await stranger.is_refused_at_once()


async def test_a_second_move_waits_for_the_first_one(owner, addresses):
    addresses += [CAFE, CABLE]
    visitor, secret = await comes(owner)
    held = owner.visitors[visitor].held = trio.Event()
    await owner.outer.send(UseAddress(CAFE))
    await trio.testing.wait_all_tasks_blocked(0.01)
    await owner.outer.send(UseAddress(HOME))
    addresses[:] = [CABLE]
    await trio.sleep(0.3)  # in which our addresses are looked at several times
    held.set()
    await owner.until(lambda: owner.now.host.startswith(f"{CABLE}:"))
    async with owner.page(secret) as page:
        await page.comes_back()


async def test_a_visitor_that_ends_again_and_again_is_not_started_for_ever(owner_here, monkeypatch):
    code = await owner_here.code(nick="Jon")
    visitor = owner_here.visitors[code.visitor]
    for _time in range(3):
        visitor.crash()
        await trio.sleep(0.05)
    await owner_here.until(lambda: owner_here.said)
    assert owner_here.said == ["The program of this phone could not be started."]
    assert owner_here.now.code is None
