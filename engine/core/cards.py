"""The packs, in canonical order, and the notation of a card.

A face is the print of a card, as a string.
"""

from __future__ import annotations

from functools import cache

from engine.core.moves import Face

SPANISH_40: tuple[Face, ...] = tuple(
    f"{rank}{suit}" for suit in "oceb" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
)
"""Suits `o` oros, `c` copas, `e` espadas, `b` bastos; ranks 1 to 7, then 10 sota, 11 caballo, 12
rey."""

FRENCH_52: tuple[Face, ...] = tuple(f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789TJQK")
"""Suits `c` clubs, `d` diamonds, `h` hearts, `s` spades; ranks ace to king, `T` is ten."""

JOKER: Face = "*"

DOUBLE_NINE: tuple[Face, ...] = tuple(
    f"{high}-{low}" for high in range(10) for low in range(high + 1)
)
"""The double-nine set of dominoes, the higher number first: `0-0`, `1-0`, `1-1` ... `9-9`."""

DOMINOES: tuple[Face, ...] = DOUBLE_NINE[:28]
"""The double-six set, the first tiles of the double-nine set: `0-0`, `1-0`, `1-1` ... `6-6`."""


def french_packs(packs: int, jokers: int) -> tuple[Face, ...]:
    """Return a number of packs of 52 cards, each followed by its jokers."""
    return (*FRENCH_52, *(JOKER,) * jokers) * packs


def rank(face: Face) -> str:
    """Return the rank of a Spanish or French card: `12` of `12e`, `T` of `Td`, "" of the joker."""
    return face[:-1]


def suit(face: Face) -> str:
    """Return the suit of a Spanish or French card: `e` of `12e`; of the joker `*`."""
    return face[-1]


@cache
def pips(face: Face) -> tuple[int, int]:
    """Return the two numbers of a domino, the higher first."""
    high, low = face.split("-")
    return int(high), int(low)
