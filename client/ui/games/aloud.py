"""Cards and tiles as a screen reader says them."""

from __future__ import annotations

from client.i18n.translation import _, pgettext
from engine.core.cards import JOKER, rank, suit
from engine.core.moves import Face


def _rank(letter: str) -> str:
    """Return the name of a rank of the French pack."""
    names = {
        "A": pgettext("rank", "ace"),
        "2": pgettext("rank", "2"),
        "3": pgettext("rank", "3"),
        "4": pgettext("rank", "4"),
        "5": pgettext("rank", "5"),
        "6": pgettext("rank", "6"),
        "7": pgettext("rank", "7"),
        "8": pgettext("rank", "8"),
        "9": pgettext("rank", "9"),
        "T": pgettext("rank", "10"),
        "J": pgettext("rank", "jack"),
        "Q": pgettext("rank", "queen"),
        "K": pgettext("rank", "king"),
    }
    return names[letter]


def spoken(kind: str, face: Face) -> str:
    """Return a card, or the rank for which a joker stands, as a screen reader says it."""
    if face == JOKER:
        return _("joker")
    if kind == "french" and len(face) == 1:
        return _rank(face)
    if kind == "french":
        suits = {
            "c": _("{rank} of clubs"),
            "d": _("{rank} of diamonds"),
            "h": _("{rank} of hearts"),
            "s": _("{rank} of spades"),
        }
        return suits[suit(face)].format(rank=_rank(rank(face)))
    if kind == "spanish":
        suits = {
            "o": _("{rank} of golds"),
            "c": _("{rank} of cups"),
            "e": _("{rank} of swords"),
            "b": pgettext("the suit of the Spanish pack", "{rank} of clubs"),
        }
        return suits[suit(face)].format(rank=rank(face))
    return face
