"""The sheets above a page as pictures, and the line being typed.

The sheets are lists, text, the count, questions, and the invite with its code.
"""

from __future__ import annotations

from dataclasses import replace

from client.ui.drawing.canvas import columns_of
from client.ui.drawing.picture import Area, Control, Panel, Row
from client.ui.pictures.controls import controls, pressed
from client.ui.pictures.page import choose
from client.ui.pictures.parts import (
    GAP,
    HEAD,
    LETTER,
    PADDING,
    PHONE,
    TITLE,
    Parts,
    bar_height,
    body,
    centred,
    inert,
    list_height,
    stacked,
    text_height,
    words,
)
from client.ui.pictures.table import SIDE, WIDE, foot
from client.ui.pictures.typed import entry_controls, entry_of, notice_of
from client.ui.screen import qr, sheets
from client.ui.screen.parts import Item
from client.ui.screen.state import Overlay, ScreenState
from client.ui.wrap import wrapped

CODE = 340
"""Pixels of the sheet with a QR code, if the window has them: the code is nearly as wide."""
TABLE_LINE = 20
"""Pixels of a line of a table of characters."""
SHARE = 0.6
"""The share of the space that a page of a lesson takes at most where it lies on the table, so that
our own cards stay in sight below it."""


def sheet_parts(state: ScreenState, area: Area) -> Parts | None:
    """Return the parts of the sheet above a page, and of the line being typed.

    Return None if there is neither.
    """
    overlay, entry = sheets.shown(state), entry_of(state)
    if overlay is None and entry is None:
        return None
    buttons = entry_controls() if overlay is None or entry else _controls(state, overlay, area)
    notice = notice_of(state)
    bar = bar_height(buttons, area, notice, entry=entry)
    panels = () if overlay is None else (_panel(state, overlay, area, bar),)
    return Parts(
        panels=tuple(map(inert, panels)) if entry else panels,
        controls=buttons,
        notice=notice,
        entry=entry,
        bar=bar,
    )


def _controls(state: ScreenState, overlay: Overlay, area: Area) -> tuple[Control, ...]:
    """Return the buttons of a sheet: those of a question are its answers."""
    return controls(sheets.keys(state), pressed([_panel(state, overlay, area, 0)]))


def _panel(state: ScreenState, overlay: Overlay, window: Area, bar: int) -> Panel:
    """Return the sheet, as high as it needs.

    A page of a lesson lies beside or below the table, a count at the top, and other sheets in the
    centre.
    """
    space = body(window, HEAD, bar)
    if overlay.kind == "invite":
        return _invite(state, overlay, space)
    items = sheets.choices(state, overlay)
    wanted = overlay.cursor % len(items) if items else 0
    rows = tuple(_row(overlay, item, here=place == wanted) for place, item in enumerate(items))
    lines = overlay.lines
    table, middle = (
        overlay.kind == "count",
        _lesson(window, space) if overlay.kind == "lesson" else centred(space),
    )
    if overlay.kind == "lesson" and window.width <= PHONE:
        lines = tuple(line for line in lines if line)
    if table:
        lines = _broken(lines, (middle.width - 2 * PADDING) // LETTER)
    height = (
        (text_height(lines, middle.width) if not table else len(lines) * TABLE_LINE)
        + 2 * PADDING
        + TITLE * bool(overlay.title)
    )
    if rows:
        height += list_height(rows, middle.width)
    return Panel(
        f"sheet:{overlay.kind}",
        _kind(overlay),
        stacked(middle, [height])[0]
        if overlay.kind in ("count", "lesson")
        else _amid(middle, height),
        words(overlay.title),
        lines=tuple(words(line) for line in _trimmed(lines)),
        rows=rows,
        columns=max(map(columns_of, lines), default=0) if table else 0,
        modal=True,
    )


def _lesson(window: Area, space: Area) -> Area:
    """Return the place of a page of a lesson.

    Beside or below the table, it covers only the latest lines, if there is room.
    """
    if window.width >= WIDE:
        return Area(space.right - SIDE + GAP, space.y, SIDE - GAP, space.height)
    below = foot(window, lesson=True)
    top = window.height - below
    return (
        centred(Area(space.x, top, space.width, space.bottom - top))
        if below
        else _upper(centred(space))
    )


def _kind(overlay: Overlay) -> str:
    if overlay.kind == "alarm":
        return "alarm"
    newest = overlay.kind == "text" and overlay.lines and overlay.scroll < 0
    return "log" if newest else "sheet"  # a log is opened at its end


def _row(overlay: Overlay, item: Item, *, here: bool) -> Row:
    """Return an item: a click does it.

    Of the words to compare it chooses only, for trust has a button of its own. A moment of an
    analysis it chooses first, so that its better move can be read.
    """
    chosen_only = overlay.kind == "words" or (overlay.kind == "analysis" and not here)
    keys = choose(item.id) if chosen_only else choose(item.id, "enter")
    return Row(f"sheet:{item.id}", words(str(item.text)), words(item.about, "dim"), here, keys)


def _invite(state: ScreenState, overlay: Overlay, space: Area) -> Panel:
    """Return the invite as a code for a camera, and as text."""
    middle = centred(space, CODE)
    line = words(state.invite, "strong")
    height = middle.width + text_height((state.invite,), middle.width) + TITLE + 3 * PADDING
    svg = qr.svg(state.invite, overlay.title)
    area = _amid(middle, height)
    return Panel(
        "sheet:invite", "code", area, words(overlay.title), lines=(line,), svg=svg, modal=True
    )


def _broken(lines: tuple[str, ...], columns: int) -> tuple[str, ...]:
    """Return the lines of a table, with the sentences between its rows broken to `columns`."""
    return tuple(
        part
        for line in lines
        for part in (wrapped(line, columns) if "  " not in line.strip() else [line])
    )


def _trimmed(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return lines without empty ones at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _upper(area: Area) -> Area:
    """Return the upper part of an area, or the whole area if it is narrow."""
    return replace(area, height=int(area.height * SHARE)) if area.width >= SIDE else area


def _amid(space: Area, height: int) -> Area:
    place = stacked(space, [height])[0]
    return replace(place, y=space.y + (space.height - place.height) // 2)
