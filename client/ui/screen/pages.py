"""The page and the sheet on the screen.

A page is a module with `draw`, and `press` for its own keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import wrap

from client.i18n.translation import _
from client.session.messages import Command
from client.ui.drawing.canvas import Canvas
from client.ui.screen import history, lobby, opening, phones, play, settings, sheets, table_setup
from client.ui.screen.parts import clear_foot, foot_line
from client.ui.screen.state import Page, ScreenState
from client.ui.screen.table_words import our_turn

LEAST = (60, 20)
"""Columns and rows without which nothing is drawn but a sentence."""

DRAW: Mapping[Page, Callable[[ScreenState, Canvas], None]] = {
    Page.LOBBY: lobby.draw,
    Page.OPEN: opening.draw,
    Page.TABLE_SETUP: table_setup.draw,
    Page.PLAY: play.draw,
    Page.HISTORY: history.draw,
    Page.REPLAY: history.draw_step,
    Page.SETTINGS: settings.draw,
    Page.PHONES: phones.draw,
}
PRESS: Mapping[
    Page, Callable[[ScreenState, str], tuple[ScreenState, tuple[Command, ...]] | None]
] = {
    Page.LOBBY: lobby.press,
    Page.OPEN: opening.press,
    Page.TABLE_SETUP: table_setup.press,
    Page.HISTORY: history.press,
    Page.REPLAY: history.press_step,
    Page.SETTINGS: settings.press,
    Page.PHONES: phones.press,
}
"""The keys of every page except the table: those are in `client.ui.screen.keys` and in its game."""


def draw(state: ScreenState, columns: int, rows: int) -> Canvas:
    """Return what is to be seen, on a screen of so many columns and rows."""
    canvas = Canvas(columns, rows)
    if columns < LEAST[0] or rows < LEAST[1]:
        small = _(
            "This window is too small: it has {columns}×{rows} characters, and the program needs "
            "{least}. Enlarge it, or press Ctrl-C to end (twice in a match)."
        )
        least = f"{LEAST[0]}×{LEAST[1]}"
        lines = wrap(small.format(columns=columns, rows=rows, least=least), columns)
        if len(lines) > rows:
            both = f"{columns}×{rows} < {least}"
            lines = [both if columns >= len(both) else least, "Ctrl-C"][:rows]
        for row, line in enumerate(lines):
            canvas.centre(canvas.rect, max(0, (rows - len(lines)) // 2) + row, line)
        return canvas
    DRAW[state.page](state, canvas)
    if state.typed is not None or sheets.shown(state) is not None:
        clear_foot(canvas)
    sheets.draw(state, canvas)
    if state.typed is None and (shown := sheets.keys(state, canvas)):
        foot_line(canvas, shown, state.notice)
    return canvas


def title(state: ScreenState) -> str:
    """Return what stands above the window."""
    if state.place is Page.PLAY and state.match.asked and not state.done:
        return f"▶ {our_turn(state.match)} · Sobremesa"
    return "Sobremesa"
