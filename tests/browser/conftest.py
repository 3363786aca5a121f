"""One browser for the tests of a file that a worker runs, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium


@pytest.fixture(scope="module")  # as long as it lives no other test of its worker can run asyncio
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found
