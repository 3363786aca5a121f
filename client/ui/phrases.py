"""Talk at the table: ready phrases, of which only the ids travel, and words of one's own."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import _, later, unbroken
from client.ui.model import Model
from engine.core.moves import Seat

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


def said(text: str, *, phrase: bool) -> str:
    """Return a remark in the reader's language: a phrase by its id, or the words themselves."""
    return _(PHRASES[text]) if phrase and text in PHRASES else text


def spoken(words: str) -> tuple[str, bool]:
    """Return what travels of these words: the id of the phrase that they are, or the words.

    With it return whether it is a phrase.
    """
    found = next((name for name, text in PHRASES.items() if _bare(_(text)) == _bare(words)), None)
    return (words, False) if found is None else (found, True)


def remark_line(model: Model, seat: Seat, text: str, *, phrase: bool) -> str:
    """Return a remark as a line: the player at the seat, and the words."""
    return _("{who}: “{words}”").format(who=model.names[seat], words=said(text, phrase=phrase))


def listing() -> str:
    """Return all phrases, in one line."""
    return "; ".join(unbroken(_(text)) for text in PHRASES.values())


def _bare(words: str) -> str:
    return words.casefold().strip(" .!?¡¿…")
