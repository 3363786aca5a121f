"""Sentences in which cards are drawn: nobody reads codes in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from client.i18n.translation import _
from client.ui.drawing.cards import FRENCH, corner
from client.ui.games.aloud import spoken
from client.ui.games.words import as_drawn
from client.ui.view.action import Card, Text
from engine.core.cards import DOUBLE_NINE, FRENCH_52, JOKER, rank

SPANISH = re.compile(r"(?<!\w)(1[0-2]|[1-7])([oceb])(?!\w)(?:\([\d½]+\))?")
TILE = re.compile(r"(?<!\w)[0-9]-[0-9](?!\w)")
"""The codes of cards as sentences have them, some with their worth in brackets."""
MELD = "meld"
"""The kind of a `Card` that is a meld on the table: its face is the number that stands there."""


def drawn(kind: str, text: str) -> Text:
    """Return a sentence with each code of a card as the card."""
    text = as_drawn(text)
    if kind not in CODES:
        return text
    codes = CODES[kind](text)
    found: list[str | Card] = []
    end = 0
    for code, one in codes:
        found += [text[end : code.start()], one]
        end = code.end()
    return tuple(part for part in (*found, text[end:]) if part) if found else text


def _spanish(text: str) -> list[tuple[re.Match[str], Card]]:
    return [(code, card("spanish", code[1] + code[2])) for code in SPANISH.finditer(text)]


def _tiles(text: str) -> list[tuple[re.Match[str], Card]]:
    found = TILE.finditer(text)
    return [(code, card("domino", code[0])) for code in found if code[0] in DOUBLE_NINE]


def _french(text: str) -> list[tuple[re.Match[str], Card]]:
    """Return the cards and melds that a sentence names, in the letters of the reader's language."""
    ranks = {corner(one): one for one in map(rank, FRENCH_52)}
    suits = {sign: suit for suit, sign in FRENCH.items()}
    some, signs = "|".join(ranks), "".join(suits)
    code = re.compile(rf"(?<!\w)(?:(\*?)({some})([{signs}])|(\*)({some})?(?!\w)|m(\d+)(?!\w))")
    return [(one, _one(one, ranks, suits)) for one in code.finditer(text)]


def _one(code: re.Match[str], ranks: Mapping[str, str], suits: Mapping[str, str]) -> Card:
    star, corner_, suit, joker, stands, meld = code.groups()
    if meld:
        return Card(MELD, meld, meld)
    face = f"{star}{ranks[corner_]}{suits[suit]}" if suit else joker + ranks.get(stands, "")
    return card("french", face)


CODES: Mapping[str, Callable[[str], list[tuple[re.Match[str], Card]]]] = {
    "spanish": _spanish,
    "french": _french,
    "domino": _tiles,
}
"""Find the codes in a sentence, by the kind of cards."""


def card(kind: str, face: str) -> Card:
    """Return a card in a sentence; a joker has the card for which it stands behind it."""
    return Card(kind, face, aloud_card(kind, face))


def aloud_card(kind: str, face: str) -> str:
    """Return a card as it is read aloud, a joker with the card for which it stands."""
    if face.startswith(JOKER) and face != JOKER:
        return _("joker for {card}").format(card=spoken(kind, face[1:]))
    return spoken(kind, face)


def minis(kind: str, faces: Iterable[str]) -> tuple[Card, ...]:
    """Return cards side by side."""
    return tuple(card(kind, face) for face in faces)


def aloud(text: Text) -> str:
    """Return a sentence as it is read aloud."""
    if isinstance(text, str):
        return text
    return "".join(part if isinstance(part, str) else part.name for part in text)
