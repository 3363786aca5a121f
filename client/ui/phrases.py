"""Talk at the table: ready phrases, of which only the ids travel, and words of one's own."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.translation import _, later, unbroken
from client.session.talk import TOOK_HINT
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
"""Every phrase that a player can say, by the id under which it travels."""
BY_PROGRAMS: Mapping[str, str] = {TOOK_HINT: later("I have taken a hint.")}
"""The phrases by which a program tells something of its player."""


def said(text: str, *, phrase: bool) -> str:
    """Return a remark in the reader's language: a phrase by its id, or the words themselves."""
    known = {**PHRASES, **BY_PROGRAMS}
    return _(known[text]) if phrase and text in known else text


def heard(model: Model, seat: Seat, text: str, *, phrase: bool) -> bool:
    """Whether our player is shown a remark: of a muted player only those of the program."""
    return model.hears(seat) or (phrase and text in BY_PROGRAMS)


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
