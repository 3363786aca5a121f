"""The French pack with its joker."""

from __future__ import annotations

from client.ui.browser.art import courts, emblems
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
from client.ui.drawing.cards import corner
from engine.core.cards import FRENCH_52, JOKER, rank, suit

SIZE = (100, 140)
LEFT, MIDDLE, RIGHT = 38, 50, 62
_FOUR = ((LEFT, 26), (RIGHT, 26), (LEFT, 114), (RIGHT, 114))
_SIX = (*_FOUR, (LEFT, 70), (RIGHT, 70))
_EIGHT = (*_FOUR, (LEFT, 55.3), (RIGHT, 55.3), (LEFT, 84.7), (RIGHT, 84.7))
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((MIDDLE, 26), (MIDDLE, 114)),
    "3": ((MIDDLE, 26), (MIDDLE, 70), (MIDDLE, 114)),
    "4": _FOUR,
    "5": (*_FOUR, (MIDDLE, 70)),
    "6": _SIX,
    "7": (*_SIX, (MIDDLE, 48)),
    "8": (*_SIX, (MIDDLE, 48), (MIDDLE, 92)),
    "9": (*_EIGHT, (MIDDLE, 70)),
    "T": (*_EIGHT, (MIDDLE, 40.7), (MIDDLE, 99.3)),
}
"""The middles of the pips; those of the lower half are upside down."""


def pack() -> Pack:
    """Return all that is drawn of the French pack."""
    # these ids stand in each face some ten times
    parts = {f"f-{letter}": symbol for letter, symbol in emblems.FRENCH.items()}
    parts |= {f"french-figure-{letter}": symbol for letter, symbol in courts.FRENCH.items()}
    parts |= {
        f"french-index-{number}": Symbol(*SIZE, _index(corner(number)))
        for number in map(rank, FRENCH_52[:13])
    }
    parts |= {
        "french-star": emblems.STAR,
        "french-ground": Symbol(*SIZE, ground(SIZE, "card", "card-edge", 8)),
    }
    parts |= {
        f"french-card-{letter}": Symbol(*SIZE, _card(f"f-{letter}", (16.5, 49), 19))
        for letter in emblems.FRENCH
    }
    faces: dict[str | None, Symbol] = {
        face: Symbol(*SIZE, _face(rank(face), suit(face))) for face in FRENCH_52
    }
    return Pack(
        {**faces, JOKER: Symbol(*SIZE, _joker()), None: Symbol(*SIZE, back("french", SIZE, 7, 9))},
        parts,
    )


def _index(shown: str) -> str:
    return index(
        shown, (16.5, 34) if len(shown) == 1 else (17, 34), 32, 18 if len(shown) == 1 else 22, SIZE
    )


def _card(emblem: str, middle: tuple[float, float], wide: float) -> str:
    """Return an empty card with an emblem in two corners."""
    corner = use(emblem, middle, (wide, wide))
    return f"{whole('french-ground')}{corner}<g{turned(SIZE)}>{corner}</g>"


def _face(number: str, letter: str) -> str:
    emblem, coloured = f"f-{letter}", f' color="{ink(f"french-{letter}")}"'
    card = whole(f"french-card-{letter}") + whole(f"french-index-{number}", coloured)
    if number == "A":
        return card + use(emblem, (MIDDLE, 70), (50, 50))
    if number not in PIPS:
        return card + _court(number, emblem, coloured)
    wide = 17 if len(PIPS[number]) > 8 else 20
    upper = "".join(use(emblem, place, (wide, wide)) for place in PIPS[number] if place[1] <= 70)
    lower = "".join(
        use(emblem, (100 - x, 140 - y), (wide, wide)) for x, y in PIPS[number] if y > 70
    )
    return f"{card}{upper}<g{turned(SIZE)}>{lower}</g>"


def _court(number: str, emblem: str, coloured: str) -> str:
    half = use(f"french-figure-{number}", (50, 37.4), (56, 65.3), coloured) + use(
        emblem, (80, 23), (22, 22)
    )
    return f"{half}<g{turned(SIZE)}>{half}</g>{path('M24 70H76', line='gold', width=3.4)}"


def _joker() -> str:
    figure = f'<g transform="translate(17.6 19)scale(1.08)">{courts.JESTER.content}</g>'
    return _card("french-star", (16, 20), 22) + figure
