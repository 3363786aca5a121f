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


def test_phrases_stand_in_columns_also_on_a_phone(viewed):
    viewed.show(STATES["phrases"]())
    lefts = "[...document.querySelectorAll('.entry')].map((one) => Math.round(one.offsetLeft))"
    assert len(set(viewed.page.evaluate(lefts))) > 1


def test_seats_of_a_new_table_show_who_will_sit_there(viewed):
    for name, names in {
        "form-others": ["Ane", "computer", "a free seat", "a free seat"],
        "form-invite": ["Ane", *["your guest"] * 5],
    }.items():
        viewed.show(STATES[name]())
        assert viewed.page.locator(".plan .name").all_inner_texts() == names


def test_costly_choices_are_marked_above_the_slider(viewed):
    viewed.show(STATES["analysis"]())
    assert viewed.page.locator(".track .cost").count() == 1
    assert viewed.page.locator(".track i").count() == 2  # and one deal


def test_a_list_of_rules_has_the_subject_of_each_line_in_bold(viewed):
    viewed.show(STATES["escoba-rules"]())
    lines = viewed.page.locator(".sheet .item")
    assert lines.first.inner_text() == "each eskoba: 1 point"
    assert lines.first.locator("b").inner_text() == "each eskoba"
