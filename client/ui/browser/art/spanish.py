"""The Spanish pack: each suit has its own shape, colour, letter and gaps in the frame line.

The gaps differ in their number.
"""

from __future__ import annotations

from client.ui.browser.art import emblems, figures
from client.ui.browser.art.colours import ink
from client.ui.browser.art.svg import (
    Pack,
    Symbol,
    back,
    ground,
    index,
    path,
    turned,
    use,
    whole,
)
from engine.core.cards import SPANISH_40, rank, suit

SIZE = (100, 156)
GAPS: dict[str, tuple[int, ...]] = {"o": (), "c": (50,), "e": (36, 64), "b": (28, 50, 72)}
"""Where the frame line is open, above and below."""
ROUND: dict[int, tuple[float, tuple[tuple[float, float], ...]]] = {
    1: (56, ((50, 78),)),
    2: (42, ((50, 44), (50, 112))),
    3: (32, ((50, 33), (50, 78), (50, 123))),
    4: (24, ((38, 42), (62, 42), (38, 114), (62, 114))),
    5: (24, ((38, 36), (62, 36), (50, 78), (38, 120), (62, 120))),
    6: (24, ((38, 34), (62, 34), (38, 78), (62, 78), (38, 122), (62, 122))),
    7: (24, ((38, 29), (62, 29), (50, 61), (38, 94), (62, 94), (38, 127), (62, 127))),
}
"""Coins and cups: how wide they are, and their middles."""
LONG: dict[int, tuple[float, tuple[tuple[float, float], ...]]] = {
    1: (134, ((50, 78),)),
    2: (94, ((34, 76), (66, 76))),
    3: (79, ((33.5, 65), (66.5, 65), (50, 97))),
    4: (60, ((37, 44), (63, 44), (37, 112), (63, 112))),
    5: (50, ((36, 38), (64, 38), (50, 78), (36, 118), (64, 118))),
    6: (43, ((37, 32), (63, 32), (37, 78), (63, 78), (37, 124), (63, 124))),
    7: (43, ((35, 32), (65, 32), (50, 55), (35, 78), (65, 78), (35, 124), (65, 124))),
}
"""Swords: how tall they are, and their middles."""
CLUBS = {**LONG, 2: (90, ((37, 79), (63, 79))), 3: (72, ((50, 62), (33, 92), (67, 92)))}
"""The same for clubs: they are broad above, and swords below."""

_RAYS = (
    f'<circle cx="50" cy="78" r="29" fill="none" stroke="{ink("spanish-o")}" stroke-width="6" '
    f'stroke-dasharray="3.8 3.792"/>'
)
"""About the ace of coins."""


def pack() -> Pack:
    """Return all that is drawn of the Spanish pack."""
    parts = {f"s-{letter}": symbol for letter, symbol in emblems.SPANISH.items()}
    parts |= {f"spanish-figure-{number}": symbol for number, symbol in figures.SPANISH.items()}
    parts |= {
        f"spanish-index-{number}": Symbol(*SIZE, _number(number))
        for number in dict.fromkeys(map(rank, SPANISH_40))
    }
    parts |= {f"spanish-card-{letter}": Symbol(*SIZE, _card(letter)) for letter in GAPS}
    faces: dict[str | None, Symbol] = {
        face: Symbol(*SIZE, _face(rank(face), suit(face))) for face in SPANISH_40
    }
    return Pack({**faces, None: Symbol(*SIZE, back("spanish", SIZE, 8, 10))}, parts)


def _number(number: str) -> str:
    return index(
        number,
        (16.5, 34) if len(number) == 1 else (20, 34),
        33,
        18 if len(number) == 1 else 25,
        SIZE,
    )


def _card(letter: str) -> str:
    """Return an empty card of a suit: its ground, its frame line, its emblem in two corners.

    The frame line has the suit's gaps.
    """
    colour = f"spanish-{letter}"
    line = path(_frame(GAPS[letter]), line=colour, width=1.8)
    box = (8.5, 23) if letter in "eb" else (15, 15 if letter == "o" else 19)
    corner = use(f"s-{letter}", (16.5, 52), box)
    corners = f"{corner}<g{turned(SIZE)}>{corner}</g>"
    return f"{ground(SIZE, 'card', 'card-edge', 8)}{line}{corners}"


def _frame(gaps: tuple[int, ...]) -> str:
    """Return the data of a frame line."""
    stops = [9, *(stop for middle in gaps for stop in (middle - 5, middle + 5)), 91]
    bars = list(zip(stops[::2], stops[1::2], strict=True))
    across = "".join(f"M{left} {y}H{right}" for y in (5, 151) for left, right in bars)
    return across + "M91 5a4 4 0 0 1 4 4V147a4 4 0 0 1-4 4M9 151a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4"


def _face(number: str, letter: str) -> str:
    coloured = f' color="{ink(f"spanish-{letter}")}"'
    card = whole(f"spanish-card-{letter}") + whole(f"spanish-index-{number}", coloured)
    if int(number) < 10:
        return card + _pips(int(number), letter)
    emblem = (
        use(f"s-{letter}", (79, 38), (24, 50))
        if letter in "eb"
        else use(f"s-{letter}", (80.5, 44), (25, 31))
    )
    figure = whole(f"spanish-figure-{number}", coloured)
    return card + emblem + figure


def _pips(number: int, letter: str) -> str:
    emblem = emblems.SPANISH[letter]
    if letter in "eb":
        tall, places = (LONG if letter == "e" else CLUBS)[number]
        box = (tall * emblem.width / emblem.height, tall)
    else:
        wide, places = ROUND[number]
        box = (wide, wide * emblem.height / emblem.width)
    rays = _RAYS if (number, letter) == (1, "o") else ""
    return rays + "".join(use(f"s-{letter}", place, box) for place in places)
