"""Domino tiles, upright: the higher number above, pips in ivory."""

from __future__ import annotations

from client.ui.browser.art.colours import ink
from client.ui.browser.art.svg import Pack, Symbol, circle, ground, path, rosette, turned, whole
from engine.core.cards import DOUBLE_NINE, pips

SIZE = (50, 100)
LEFT, MIDDLE, RIGHT = 11, 25, 39
UP, CENTRE, DOWN = 11, 25, 39
WIDE = 11.2
"""The diameter of a pip: nine of them fill a half, and are counted on the smallest tiles."""
SIX = tuple((x, y) for y in (UP, CENTRE, DOWN) for x in (LEFT, RIGHT))
PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((MIDDLE, CENTRE),),
    2: ((LEFT, UP), (RIGHT, DOWN)),
    3: ((LEFT, UP), (MIDDLE, CENTRE), (RIGHT, DOWN)),
    4: ((LEFT, UP), (RIGHT, UP), (LEFT, DOWN), (RIGHT, DOWN)),
    5: ((LEFT, UP), (RIGHT, UP), (MIDDLE, CENTRE), (LEFT, DOWN), (RIGHT, DOWN)),
    6: SIX,
    7: (*SIX, (MIDDLE, CENTRE)),
    8: (*SIX, (MIDDLE, UP), (MIDDLE, DOWN)),
    9: (*SIX, (MIDDLE, UP), (MIDDLE, CENTRE), (MIDDLE, DOWN)),
}
"""Where the upper half of a tile has its pips; a six has its rows along the tile, and seven
to nine fill the row between them."""


def pack() -> Pack:
    """Return all that is drawn of the dominoes."""
    parts = {"domino-tile": Symbol(*SIZE, _tile())}
    parts |= {f"domino-half-{count}": Symbol(*SIZE, _half(count)) for count in PLACES if count}
    faces: dict[str | None, Symbol] = {
        face: Symbol(*SIZE, _face(*pips(face))) for face in DOUBLE_NINE
    }
    return Pack({**faces, None: Symbol(*SIZE, _back())}, parts)


def _tile() -> str:
    bar = path("M6 50H44", line="tile-edge", width=1.6)
    return (
        ground(SIZE, "tile", "tile-edge", 6) + bar + circle(25, 50, 2.4, "gold", "tile-edge", 0.8)
    )


def _half(count: int) -> str:
    """Return pips as dots: lines without length whose ends are round."""
    dots = path("".join(f"M{x} {y}h0" for x, y in PLACES[count]), line="tile-pip", width=WIDE)
    return f'<g stroke-linecap="round">{dots}</g>'


def _face(high: int, low: int) -> str:
    upper = whole(f"domino-half-{high}") if high else ""
    lower = whole(f"domino-half-{low}", turned(SIZE)) if low else ""
    return whole("domino-tile") + upper + lower


def _back() -> str:
    frame = path(
        "M9 5H41a4 4 0 0 1 4 4V91a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4Z",
        line="tile-back-line",
        width=1.2,
    )
    flower = f'<g fill="{ink("tile-back-line")}">{rosette(25, 50, 15)}</g>'
    rings = (
        circle(25, 50, 17.5, line="tile-back-line")
        + circle(25, 18, 4, "tile-back-line")
        + circle(25, 82, 4, "tile-back-line")
    )
    return ground(SIZE, "tile-back", "tile-edge", 6) + frame + flower + rings
