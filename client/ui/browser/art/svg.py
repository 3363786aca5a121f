"""Pieces of SVG as text, with no style attribute, no gradient and no clip.

Those are blocked or lost in a sprite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from client.ui.browser.art.colours import ink

_NARROW = ("I", "J")


@dataclass(frozen=True)
class Symbol:
    """A drawing that others use: its size, in units of its own, and its content."""

    width: int
    height: int
    content: str

    def written(self, name: str) -> str:
        """Return the element, under its id."""
        return (
            f'<symbol id="{name}" viewBox="0 0 {self.width} {self.height}">{self.content}</symbol>'
        )


@dataclass(frozen=True)
class Pack:
    """A pack: all that is drawn of one kind.

    Faces and the back stand by face, None being the back, and the parts by id.
    """

    faces: Mapping[str | None, Symbol]
    parts: Mapping[str, Symbol]


def use(name: str, middle: tuple[float, float], size: tuple[float, float], more: str = "") -> str:
    """Return a use of a symbol about its middle, in a box of this width and height."""
    x, y = middle[0] - size[0] / 2, middle[1] - size[1] / 2
    return (
        f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{size[0]:g}" height="{size[1]:g}"{more}/>'
    )


def whole(name: str, more: str = "") -> str:
    """Return a use of a symbol that is as large as the card."""
    return f'<use href="#{name}"{more}/>'


def turned(size: tuple[float, float]) -> str:
    """Return the attribute that turns something upside down about the middle of a card."""
    return f' transform="rotate(180 {size[0] / 2:g} {size[1] / 2:g})"'


def path(data: str, fill: str = "none", line: str = "", width: float = 1) -> str:
    """Return a path; colours are names of `colours`, `none`, `currentColor` or plain."""
    return f'<path d="{data}" fill="{_colour(fill)}"{_stroke(line, width)}/>'


def circle(
    x: float, y: float, radius: float, fill: str = "none", line: str = "", width: float = 1
) -> str:
    """Return a circle, coloured as a path is."""
    stroke = _stroke(line, width)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{_colour(fill)}"{stroke}/>'


def index(
    written: str, middle: tuple[float, float], size: float, room: float, card: tuple[int, int]
) -> str:
    """Return an index in two corners of a card, in the colour of the text.

    `middle` is its middle and its base line in the upper corner.

    It is pressed into `room`, since fonts differ in their widths; a narrow letter is left as it is.
    """
    pressed = (
        "" if written in _NARROW else f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
    )
    one = (
        f'<text x="{middle[0]:g}" y="{middle[1]:g}"{pressed}>{escape(written, quote=False)}</text>'
    )
    font = (
        f'font-family="system-ui,sans-serif" font-weight="700" font-size="{size:g}" '
        f'text-anchor="middle"'
    )
    return f'<g {font} fill="currentColor">{one}<g{turned(card)}>{one}</g></g>'


def ground(size: tuple[int, int], fill: str, edge: str, corner: float) -> str:
    """Return an empty card or tile."""
    return (
        f'<rect x=".6" y=".6" width="{size[0] - 1.2:g}" height="{size[1] - 1.2:g}" rx="{corner:g}" '
        f'fill="{ink(fill)}" stroke="{ink(edge)}" stroke-width="1.2"/>'
    )


def lattice(x: int, y: int, columns: int, rows: int, cell: int) -> str:
    """Return the data of a path with diagonals through a field of square cells.

    Each diagonal goes from border to border.
    """
    right, bottom = x + columns * cell, y + rows * cell
    lines = []
    for step in range(1, columns + rows):
        across, down = min(step, columns), max(0, step - columns)
        back, under = max(0, step - rows), min(step, rows)
        lines.append(f"M{x + across * cell} {y + down * cell}L{x + back * cell} {y + under * cell}")
        lines.append(
            f"M{right - across * cell} {y + down * cell}L{right - back * cell} {y + under * cell}"
        )
    return "".join(lines) + f"M{x} {y}H{right}V{bottom}H{x}Z"


def rosette(x: float, y: float, radius: float) -> str:
    """Return a flower of six petals."""
    petal = f"M0 0A{radius:g} {radius:g} 0 0 1 0 {-radius:g}A{radius:g} {radius:g} 0 0 1 0 0"
    return "".join(
        f'<path d="{petal}" transform="translate({x:g} {y:g})rotate({angle})"/>'
        for angle in range(0, 360, 60)
    )


def back(kind: str, size: tuple[int, int], top: int, rows: int) -> str:
    """Return the back of a card: a lattice of so many rows, and a medal in its middle."""
    width, height = size
    x, y, line = width // 2, height // 2, f"{kind}-back-line"
    frame = f'x="4" y="4" width="{width - 8}" height="{height - 8}" rx="5"'
    return (
        ground(size, "card", "card-edge", 8)
        + f'<rect {frame} fill="{ink(f"{kind}-back")}"/>'
        + path(lattice(8, top, 6, rows, 14), line=line, width=1.2)
        + circle(x, y, 25, f"{kind}-back", line, 1.6)
        + circle(x, y, 21.5, line=line)
        + f'<g fill="{ink(line)}">{rosette(x, y, 20)}</g>'
    )


def _stroke(line: str, width: float) -> str:
    if not line:
        return ""
    return f' stroke="{_colour(line)}"' + (f' stroke-width="{width:g}"' if width != 1 else "")


def _colour(name: str) -> str:
    return name if name in ("none", "currentColor") or name.startswith("#") else ink(name)
