"""Which page and which sheet lie on the screen, and who takes a key. A page is a module with `draw`, and `press` for its keys."""

from __future__ import annotations

from client.desk import Desk, Page
from client.screens import gather, lobby, play, sheets
from client.screens.canvas import Canvas
from client.words import _

LEAST = (60, 20)
"""Columns and rows without which nothing is drawn but a sentence."""


def draw(desk: Desk, columns: int, rows: int) -> Canvas:
    """Return what is to be seen, on a screen of so many columns and rows."""
    canvas = Canvas(columns, rows)
    if columns < LEAST[0] or rows < LEAST[1]:
        small = _("This window has {columns}×{rows} characters; the table needs {least}.")
        least = f"{LEAST[0]}×{LEAST[1]}"
        canvas.centre(canvas.rect, rows // 2, small.format(columns=columns, rows=rows, least=least))
        return canvas
    pages = {Page.LOBBY: lobby.draw, Page.GATHER: gather.draw, Page.PLAY: play.draw}
    pages[desk.page](desk, canvas)
    sheets.draw(desk, canvas)
    return canvas
