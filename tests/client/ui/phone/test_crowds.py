"""Floods from several addresses of the network: phones come in all the same, as far as they can."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress

import pytest
import trio

from client.ui.phone import phones
from client.ui.phone.phones import AT_ONCE, CONNECTIONS, PER_SECOND
from tests.client.ui.phone.knock import House, house
from tests.client.ui.phone.test_phones import connect_from, is_open


@pytest.fixture
async def home(monkeypatch) -> AsyncIterator[House]:
    async with house(monkeypatch) as found:
        yield found


@asynccontextmanager
async def crowd(home: House, hosts: Iterable[int], each: int) -> AsyncIterator[None]:
    """Open connections that say nothing from some addresses."""
    held = [
        await connect_from(f"127.0.1.{host}", home.port) for host in hosts for _time in range(each)
    ]
    await trio.sleep(0.1)
    yield
    for stream in held:
        await trio.aclose_forcefully(stream)


async def test_a_phone_that_was_in_comes_back_through_a_crowd_of_addresses(home):
    async with home.page(await home.code()) as page:
        secret = await page.pairs()
    many = range(1, 2 * CONNECTIONS)
    async with crowd(home, many, 1), home.open() as socket:
        async with crowd(home, many, 1):
            assert await is_open(socket.stream)
        async with home.page(secret) as page:
            await page.comes_back()


async def test_an_address_that_asks_without_end_is_answered_as_often_as_a_browser_asks(home):
    answered, began = 0, trio.current_time()
    for _time in range(2 * AT_ONCE):
        async with await connect_from("127.0.0.9", home.port) as stream:
            try:
                await stream.send_all(f"GET / HTTP/1.1\r\nHost: {home.host}\r\n\r\n".encode())
                answered += bool(await stream.receive_some(1))
            except trio.BrokenResourceError:
                continue
    took = trio.current_time() - began
    assert AT_ONCE <= answered <= AT_ONCE + PER_SECOND * took + 1
    assert (await home.ask("GET", "/")).status == 200  # another address
    await trio.sleep(1.5 / PER_SECOND)
    async with await connect_from("127.0.0.9", home.port) as stream:
        assert await is_open(stream)


async def asks(home: House, host: str) -> bool:
    """Ask for the page from an address; return whether it is answered."""
    with suppress(trio.BrokenResourceError):
        async with await connect_from(host, home.port) as stream:
            await stream.send_all(f"GET / HTTP/1.1\r\nHost: {home.host}\r\n\r\n".encode())
            return bool(await stream.receive_some(1))
    return False


async def test_a_crowd_that_asks_without_end_takes_only_so_much_time_of_the_owner(monkeypatch):
    monkeypatch.setattr(phones, "STRANGERS", 10)
    monkeypatch.setattr(phones, "STRANGERS_PER_SECOND", 0.0)
    async with house(monkeypatch) as home:
        async with home.page(await home.code()) as page:
            secret = await page.pairs()
        answers = [await asks(home, f"127.0.1.{host}") for host in range(1, 41)]
        assert 0 < sum(answers) <= 10
        assert await asks(home, "127.0.0.1")  # from which a phone was in
        async with home.page(secret) as page:
            await page.comes_back()
