"""Parts of pages without a table, in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.viewed import Viewed
from tests.client.ui.view.cast import STATES

pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.fixture
def viewed(browser) -> Iterator[Viewed]:
    found = Viewed(browser, 390, 844)
    yield found
    assert found.wrong == []
    found.close()


def test_seats_of_a_new_table_show_who_will_sit_there(viewed):
    for name, names in {
        "form-others": ["Ane", "computer", "a free seat", "a free seat"],
        "form-invite": ["Ane", *["your guest"] * 5],
    }.items():
        viewed.show(STATES[name]())
        assert viewed.page.locator(".plan .name").all_inner_texts() == names
