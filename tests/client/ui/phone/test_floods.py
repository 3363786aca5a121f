"""The bounds on the messages of a page that is in: at a bound it plays on, beyond it is dropped.

No other page notices.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import trio

from client.ui.phone import hosted
from client.ui.phone.hosted import AT_ONCE, REFUSED
from client.ui.phone.visitor import TEXTS, SealedLink
from tests.client.ui.phone.knock import KnockingPage, house
from tests.patience import PATIENCE

JON, MARY = Path("jon"), Path("mary")
PAIRING = 2
"""Frames of a page that comes by a code, behind its first one."""


async def is_answered(page: KnockingPage) -> bool:
    await page.says({"ping": True})
    return await page.reads() == {"pong": True}


async def test_a_page_says_as_much_as_it_may_and_is_dropped_for_one_frame_more(monkeypatch):
    monkeypatch.setattr(hosted, "PER_SECOND", 0.0)
    async with (
        house(monkeypatch, [JON, MARY]) as found,
        found.page(await found.code(JON)) as page,
        found.page(await found.code(MARY)) as other,
    ):
        secret = await page.pairs()
        await other.pairs()
        for _time in range(AT_ONCE - PAIRING):
            assert await is_answered(page)
        taken = len(found.visitors[JON].taken)
        await page.says({"ping": True})
        assert await page.closed() == REFUSED
        assert await is_answered(other)
        told = found.visitors[JON].taken[taken:]
        assert [type(one).__name__ for one in told] == ["Gone"]  # the frame did not reach it
        assert [one.starts for one in found.visitors.values()] == [1, 1]
        async with found.page(secret) as again:
            await again.comes_back()
            assert await is_answered(again)


async def test_texts_for_a_visitor_that_is_busy_wait_and_one_too_many_drops_their_page():
    nobody: Any = None
    link = SealedLink(nobody, 1)
    for number in range(TEXTS):
        link.take(str(number))
    assert not link.scope.cancel_called
    link.take("one more")
    assert link.scope.cancel_called
    with trio.fail_after(PATIENCE):
        assert [await link.receive() for _text in range(TEXTS)] == [*map(str, range(TEXTS))]
