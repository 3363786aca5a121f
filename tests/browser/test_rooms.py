"""Rooms and sheets in a real Chromium: where their buttons lie, and how large they are."""

from __future__ import annotations

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.viewed import viewed
from tests.client.ui.view.cast import STATES

pytestmark = [needs_chromium, pytest.mark.slow]
__all__ = ["viewed"]

QUESTIONS = ("abandon", "close", "delete", "end-visitor", "first-name", "invite", "join", "leave")
QUESTIONS += ("phone-asks", "phone-late", "quit", "rise", "talk", "without")
ANSWERS = """() => [...document.querySelectorAll(".sheet > footer > .btn")].map((node) => {
    const {left, right, top, bottom, width} = node.getBoundingClientRect();
    return {main: node.matches(".main"), left, right, top, bottom, width};
})"""


@pytest.mark.parametrize(
    "viewed", [((1280, 800), "en"), ((390, 844), "is"), ((844, 390), "es")], indirect=True, ids=str
)
def test_the_main_answer_of_a_question_lies_last_and_is_as_wide_as_a_phone(viewed):
    viewed.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name in QUESTIONS:
        viewed.show(STATES[name]())
        found = viewed.page.evaluate(ANSWERS)
        (main,) = (one for one in found if one["main"])
        others = [one for one in found if not one["main"]]
        wide = viewed.page.viewport_size["width"]
        if wide == 1280:
            assert all(one["right"] < main["left"] for one in others), name
        else:
            assert all(one["bottom"] < main["top"] for one in others), name
            assert wide > 390 or main["width"] > 340, name
