"""Sentences in which cards are drawn: nobody reads codes in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterable

from client.ui.games.aloud import spoken
from client.ui.view.parts import Card, Text

CODES = {"spanish": re.compile(r"(?<!\w)(1[0-2]|[1-7])([oceb])(?!\w)(?:\([\d½]+\))?")}
"""The codes of cards as sentences have them, some with their worth in brackets."""


def drawn(kind: str, text: str) -> Text:
    """Return a sentence with each code of a card as the card."""
    if kind not in CODES:
        return text
    found: list[str | Card] = []
    end = 0
    for code in CODES[kind].finditer(text):
        found += [text[end : code.start()], card(kind, code[1] + code[2])]
        end = code.end()
    return tuple(part for part in (*found, text[end:]) if part) if found else text


def card(kind: str, face: str) -> Card:
    """Return a card in a sentence."""
    return Card(kind, face, spoken(kind, face))


def minis(kind: str, faces: Iterable[str]) -> tuple[Card, ...]:
    """Return cards side by side."""
    return tuple(card(kind, face) for face in faces)


def aloud(text: Text) -> str:
    """Return a sentence as it is read aloud."""
    if isinstance(text, str):
        return text
    return "".join(part if isinstance(part, str) else part.name for part in text)
