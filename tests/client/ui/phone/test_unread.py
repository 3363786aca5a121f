"""A visitor whose page takes nothing in: it was let in, and keeps nobody else out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from client.ui.phone import hosted
from client.ui.phone.phones import CONNECTIONS
from tests.client.ui.phone.knock import House, KnockingPage, house

JON, MARY = Path("jon"), Path("mary")
LONG = json.dumps("x" * 6_000_000)
"""A text that the system does not buffer for a page that reads nothing."""


@pytest.fixture
async def home(monkeypatch) -> AsyncIterator[House]:
    async with house(monkeypatch, [JON, MARY]) as found:
        yield found


async def pairs(home: House, visitor: Path) -> bytes:
    async with home.page(await home.code(visitor)) as page:
        return await page.pairs()


async def stops_reading(home: House, page: KnockingPage, visitor: Path) -> None:
    """Let a page come back, send it more than it takes in, and read nothing of that."""
    await page.comes_back()
    number = max(home.hosted(visitor)._connections)
    access = home.visitors[visitor].access
    assert access is not None
    home.visitors[visitor].say(*access.tell(number, LONG))
    await trio.sleep(0.02)


async def test_a_visitor_that_reads_nothing_keeps_no_other_phone_out(home):
    mary, jon = await pairs(home, MARY), await pairs(home, JON)
    async with AsyncExitStack() as stack:
        for _time in range(CONNECTIONS + 4):
            page = await stack.enter_async_context(home.page(mary))
            await stops_reading(home, page, MARY)
        async with home.page(jon) as page:
            await page.comes_back()


async def test_a_page_that_was_displaced_and_reads_nothing_is_closed_soon(home, monkeypatch):
    monkeypatch.setattr(hosted, "LAST_S", 0.2)
    mary = await pairs(home, MARY)
    async with home.page(mary) as first, home.page(mary) as second:
        await stops_reading(home, first, MARY)
        await second.comes_back()
        with trio.fail_after(60):
            while len(home.hosted(MARY)._connections) > 1:
                await trio.sleep(0.02)
        await second.says({"click": "nothing", "seen": 1})
        while '{"click": "nothing", "seen": 1}' not in home.visitors[MARY].texts:
            await trio.sleep(0.02)
