"""Ready phrases for the table's talk: only their ids travel, and everybody reads them in their own language."""

from __future__ import annotations

from collections.abc import Mapping

from client.desk import Remark
from client.words import _, later

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


def said(remark: Remark) -> str:
    """Return what somebody has said, in the reader's language."""
    return _(PHRASES[remark.text]) if remark.phrase and remark.text in PHRASES else remark.text
