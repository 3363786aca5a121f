"""Talk at the table: ready phrases, of which only the ids travel, and the display of remarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from client.i18n.translation import _, later
from client.ui.screen.state import LOG, Remark, ScreenState

REMARKS = 20
"""How many are kept to be shown at the seats."""

PHRASES: Mapping[str, str] = {
    "hello": later("Hello!"),
    "good-luck": later("Good luck!"),
    "well-played": later("Well played!"),
    "thanks": later("Thank you!"),
    "sorry": later("Sorry!"),
    "thinking": later("Let me think …"),
    "your-turn": later("It is your turn!"),
    "hurry": later("We are waiting …"),
    "moment": later("Back in a moment."),
    "back": later("I am back."),
    "nice-cards": later("What cards!"),
    "bad-luck": later("Bad luck!"),
    "oh-no": later("Oh no!"),
    "haha": later("Ha ha!"),
    "again": later("Another one?"),
    "bye": later("Good night!"),
}
"""Every phrase, by the id under which it travels."""
AGAIN = "again"
"""The phrase of a player who wants another match."""


def said(remark: Remark) -> str:
    """Return what somebody has said, in the reader's language."""
    return _(PHRASES[remark.text]) if remark.phrase and remark.text in PHRASES else remark.text


def with_remark(state: ScreenState, remark: Remark) -> ScreenState:
    """Return the state with a remark: at the seat for a while, and in the log for good."""
    line = _("{who}: “{words}”").format(who=state.match.names[remark.seat], words=said(remark))
    return replace(
        state, remarks=(*state.remarks, remark)[-REMARKS:], log=(*state.log, line)[-LOG:]
    )
