"""The terminal while everything is shown in a browser."""

from __future__ import annotations

from client.i18n.translation import _
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.screen.parts import foot_line, paragraph, title_line

BACK = ("b", "B", "escape")
"""The keys that bring it back."""


def draw(address: str, columns: int, rows: int) -> Canvas:
    """Return what is to be seen. The address is written as it is: it must be copied whole."""
    canvas = Canvas(columns, rows)
    title_line(canvas, "Sobremesa", "")
    lines = [
        (
            _(
                "Sobremesa is in your browser. If no window opened, open this address on this "
                "machine:"
            ),
            "",
        ),
        *(
            (address[start : start + columns - 2], "strong")
            for start in range(0, len(address), max(1, columns - 2))
        ),
        (_("It lets in one browser, once. A match goes on if you close the window there."), "dim"),
    ]
    y = 2
    for line, style in lines:
        y = paragraph(
            canvas, Rect(1, y, max(0, columns - 2), max(0, rows - 2 - y)), line, style
        ) + (1 if style != "strong" else 0)
    foot_line(canvas, [("b", _("back here"))])
    return canvas
