"""One browser for the tests of a file that a worker runs, one after the other; and a page that no
browser has opened."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.browser.wire import Page, open_page


@pytest.fixture(scope="module")  # as long as it lives no other test of its worker can run asyncio
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
async def page(tmp_path) -> AsyncIterator[Page]:
    async with open_page(tmp_path / "home") as found:
        yield found
