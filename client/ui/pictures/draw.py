"""The picture of a screen state: the page or the table, the sheet above it, the buttons below."""

from __future__ import annotations

from dataclasses import replace

from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import Area, Picture, Words
from client.ui.pictures import table
from client.ui.pictures.controls import controls, pressed
from client.ui.pictures.pages import page_parts
from client.ui.pictures.parts import HEAD, LETTER, Parts, bar_height, text_of, together
from client.ui.pictures.sheets import sheet_parts
from client.ui.screen import pages
from client.ui.screen.state import Page, ScreenState

TWO_LINES = 68
"""Pixels of the heading of a table, where the score stands below it."""
ANNOUNCED = 12
"""Lines of the plain face that go with a picture."""


def picture_of(state: ScreenState, width: int, height: int) -> Picture:
    """Return what is to be seen in a window of so many CSS pixels."""
    window = Area(0, 0, width, height)
    title = pages.title(state)
    above = sheet_parts(state, window)
    if state.page not in (Page.PLAY, Page.REPLAY):
        found = together(state.page.value, title, window, page_parts(state, window), above)
        return replace(found, announce=tuple(line for line in (found.notice,) if line))
    shown = state
    round_it = Parts()
    if state.page is Page.REPLAY:
        model, said = state.steps[state.step]
        shown = replace(state, match=model, log=said, moment=None)
        round_it = page_parts(state, window)
    return _table(shown, window, title, round_it, above)


def table_alone(state: ScreenState, width: int, height: int) -> Picture:
    """Return the table without buttons, as a page shows it that has its own."""
    heading, score = table.heading(state)
    head = _head(heading, score, width)
    tabled = table.table(state, Area(0, head, width, max(1, height - head)))
    drawn = tabled.drawn
    return Picture(
        width,
        height,
        state.page.value,
        pages.title(state),
        heading,
        score,
        drawn.pieces,
        drawn.texts,
        drawn.panels,
        call=tabled.call,
        origin=tabled.origin,
        head=head,
    )


def _head(heading: Words, score: Words, width: int) -> int:
    return HEAD if columns_of(text_of(heading) + text_of(score)) * LETTER < width - 40 else TWO_LINES


def _table(state: ScreenState, window: Area, title: str, round_it: Parts, above: Parts | None) -> Picture:
    """Return the picture of a table: its buttons are known when its pieces are, and the space for these when the buttons are."""
    heading, score = table.heading(state)
    notice = round_it.notice or state.busy or state.notice
    buttons = round_it.controls or controls(table.keys(state))
    bar = bar_height(buttons, window, notice)
    if above is not None:
        bar = max(bar, above.bar)
    head = _head(heading, score, window.width)
    tabled = table.table(state, Area(0, head, window.width, max(1, window.height - head - bar)))
    drawn = tabled.drawn
    if not round_it.controls:
        buttons = controls(table.keys(state), drawn=pressed(drawn.panels, drawn.pieces) - {"enter"})
    below = Parts(heading, score, drawn.texts, drawn.panels, buttons, notice, bar=bar, head=head)
    if state.typed is not None:  # a key that a card presses would be typed
        drawn = replace(drawn, pieces=tuple(replace(piece, keys=()) for piece in drawn.pieces))
    found = together(state.page.value, title, window, below, above)
    return replace(found, pieces=drawn.pieces, call=tabled.call, origin=tabled.origin, announce=state.log[-ANNOUNCED:], bar=bar)
