"""An invite as a picture that a telephone can read, and as text."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from client.i18n.translation import _
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.wrap import wrapped
from p2p.net.text import columns

if TYPE_CHECKING:
    import segno

QUIET = 2
"""Light modules around it."""
WHITE = 4
"""The same in a drawing, which has room for as many as the standard asks for."""
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def draw_code(canvas: Canvas, text: str, title: str, *, picture: bool = True) -> None:
    """Draw a QR code in the middle of the screen, two modules to a character.

    The text stands below. Without room for both, draw only the text, and say why.

    Light modules are drawn as full characters, so that it can be read on a dark terminal and on a
    light one.
    """
    light = modules(text)
    lines = (
        wrapped(text, canvas.width - 6)
        if len(text) <= canvas.width - 6
        else _cut(text, canvas.width - 6)
    )
    rows = -(-len(light) // 2)
    space = (
        picture and canvas.width - 4 >= len(light) and canvas.height - 2 >= rows + len(lines) + 2
    )
    why = (
        []
        if space
        else wrapped(
            _without(len(light) + 4, rows + len(lines) + 4, picture=picture), canvas.width - 6
        )
    )
    width = max(len(light) if space else 0, *map(columns, (*lines, *why))) + 4
    height = (rows if space else 0) + len(lines) + len(why) + 2
    place = Rect((canvas.width - width) // 2, max(0, (canvas.height - height) // 2), width, height)
    inside = canvas.box(place, "strong", title)
    if space:
        x = inside.x + (inside.width - len(light)) // 2
        draw_modules(canvas, x, inside.y, light)
    written = [*((line, "strong") for line in lines), *((line, "dim") for line in why)]
    for row, (line, style) in enumerate(written, inside.bottom - len(written)):
        canvas.centre(inside, row, line, style)


def modules(text: str) -> list[list[bool]]:
    """Return the rows of a QR code with its quiet zone: whether each module is light."""
    return [[not dark for dark in row] for row in _code(text).matrix_iter(border=QUIET)]


def draw_modules(canvas: Canvas, x: int, y: int, light: list[list[bool]]) -> None:
    """Draw a QR code, two modules to a character, from this corner on."""
    for row in range(0, len(light), 2):
        above = light[row]
        below = light[row + 1] if row + 1 < len(light) else [False] * len(light)
        halves = "".join(HALVES[pair] for pair in zip(above, below, strict=True))
        canvas.write(x, y + row // 2, halves, "code")


def _without(wide: int, high: int, *, picture: bool) -> str:
    """Say why there is no picture."""
    if not picture:
        return _("No QR code: this terminal shows ASCII only.")
    needs = _("The QR code needs {columns} columns and {rows} rows.")
    return needs.format(columns=wide, rows=high)


def svg(text: str, title: str) -> str:
    """Return a QR code as a drawing, black on white, as wide as its place."""
    drawing = io.BytesIO()
    _code(text).save(
        drawing,
        "svg",
        border=WHITE,
        dark="#000",
        light="#fff",
        title=title,
        omitsize=True,
        xmldecl=False,
        svgclass=None,
        lineclass=None,
    )
    return drawing.getvalue().decode().strip()


def _code(text: str) -> segno.QRCode:
    import segno  # noqa: PLC0415 - only for an invite: with it come urllib and http

    return segno.make(text, error="l", micro=False)


def _cut(text: str, width: int) -> list[str]:
    return [text[place : place + width] for place in range(0, len(text), width)]
