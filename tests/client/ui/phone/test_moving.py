"""A laptop that comes to another network while phones play, and one that is in several."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import pytest

from client.session.context import Context
from client.storage.visitors import last_place
from client.ui.phone import keeper
from client.ui.phone.listening import NoListenerError
from client.ui.phone.messages import Begin, Moved
from client.ui.screen.messages import UseAddress
from tests.client.ui.phone import test_keeper
from tests.client.ui.phone.test_keeper import Owner, comes, running

HOME, CAFE, CABLE = "192.168.1.23", "10.0.0.5", "172.16.3.4"


@pytest.fixture
def addresses(monkeypatch) -> list[str]:
    """The addresses of this machine, which a test changes. All of them are the loopback one."""
    found = [HOME]

    def listen(address: str, before: int | None = None) -> socket.socket:
        if address not in found:
            raise NoListenerError("it is not ours")
        del before
        return socket.create_server(("127.0.0.1", 0))

    monkeypatch.setattr(keeper, "private_addresses", lambda: list(found))
    monkeypatch.setattr(keeper, "listen", listen)
    monkeypatch.setattr(keeper, "PLACES_S", 0.05)
    return found


@pytest.fixture
async def owner(monkeypatch, tmp_path, addresses) -> AsyncIterator[Owner]:
    def everywhere(home, _interface):
        return Context(home)

    monkeypatch.setattr(test_keeper, "Context", everywhere)
    async with running(monkeypatch, tmp_path / "home") as found:
        yield found


async def test_the_program_follows_its_machine_to_another_address_and_says_so(owner, addresses):
    visitor, secret = await comes(owner)
    async with owner.page(secret) as page:
        await page.comes_back()
        addresses[:] = [CAFE]
        await owner.until(lambda: owner.now.host.startswith(f"{CAFE}:"))
        assert await page.closed() in (None, 4403)
    assert [line for line in owner.said if HOME in line and "no more" in line]
    assert [line for line in owner.said if owner.now.host in line and "new code" in line]
    # its visitor runs on: no match is lost
    assert sum(isinstance(one, Begin) for one in owner.visitors[visitor].taken) == 1
    assert Moved(owner.now.host) in owner.visitors[visitor].taken
    async with owner.page(secret) as page:
        await page.comes_back()
    code = await owner.code(visitor)
    async with owner.page(code.letters) as page:
        await page.hello()
        assert await page.reads() == {"wait": True}


async def test_the_owner_goes_on_to_another_address_and_it_is_remembered(
    owner, addresses, tmp_path
):
    addresses += [CAFE, CABLE]
    await comes(owner)
    assert (owner.now.host.partition(":")[0], owner.now.others) == (HOME, (CAFE, CABLE))
    await owner.outer.send(UseAddress(CAFE))
    await owner.until(lambda: owner.now.host.startswith(f"{CAFE}:"))
    await owner.until(lambda: owner.now.others == (HOME, CABLE))
    assert last_place(tmp_path / "home")[0] == CAFE
    await owner.outer.send(UseAddress("8.8.8.8"))
    await owner.outer.send(UseAddress(HOME))
    await owner.until(lambda: owner.now.host.startswith(f"{HOME}:"))
