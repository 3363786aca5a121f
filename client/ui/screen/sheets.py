"""The sheet above a page and the line being typed, on the full screen.

The match goes on behind them.
"""

from __future__ import annotations

from client.i18n.translation import _, keys_in_brackets
from client.ui.drawing.canvas import Canvas, Rect
from client.ui.screen.obeying import foreseen
from client.ui.screen.overlay import CountSheet
from client.ui.screen.reading import LessonSheet, held_sheet, lesson_sheet
from client.ui.screen.state import Overlay, Page, ScreenState, TypedLine
from client.ui.wrap import wrapped


def draw(state: ScreenState, canvas: Canvas) -> None:
    """Draw the sheet above the page, if there is one, and the line being typed."""
    if (overlay := shown(state)) is not None:
        overlay.draw(state, canvas)
    if state.typed is not None:
        _typed(state, canvas, state.typed)


def shown(state: ScreenState) -> Overlay | None:
    """Return the sheet above the page: an opened one, else the count, else a page of a lesson."""
    if state.overlay is not None:
        return state.overlay.now(state)
    if state.page is not Page.PLAY:
        return None
    if state.held:
        return held_sheet(state)
    if state.count.lines:
        # after a move of the next deal the moment belongs to that
        ended = state.moment if state.count.open else None
        title = " · ".join([_("The count"), *([ended.text] if ended else [])])
        return CountSheet(title, state.count.lines)
    return lesson_sheet(state) if state.lesson else None


def rows_above(state: ScreenState, canvas: Canvas) -> int:
    """Return the number of rows that a page of a lesson takes, or 0 if none is read.

    The table can then be drawn below it.
    """
    overlay = shown(state)
    if not isinstance(overlay, LessonSheet):
        return 0
    return overlay.place(canvas, overlay.broken(canvas), 0).bottom - 1


def keys(state: ScreenState, canvas: Canvas | None = None) -> list[tuple[str, str]]:
    """Return the keys that mean something while a sheet lies on the page; none without a sheet.

    A sheet that fits the canvas has nothing to scroll; without a canvas its size is not known.
    """
    if (overlay := shown(state)) is None:
        return []
    return overlay.keys(state, fits=canvas is not None and overlay.fits(canvas))


def _typed(state: ScreenState, canvas: Canvas, line: TypedLine) -> None:
    y, typed = canvas.height - 1, line.text
    canvas.fill(Rect(0, y, canvas.width, 1), "typed")
    if wish := state.notice or entry_hint(state, line):
        asked = wrapped(wish, canvas.width - 2)
        for row, words in enumerate(asked, y - len(asked)):
            canvas.fill(Rect(0, row, canvas.width, 1), "foot")
            canvas.write(1, row, words, "foot", canvas.width - 2)
    x = canvas.write(1, y, entry_label(state, line), "key")
    space = canvas.width - x - 2
    at, style = max(0, len(typed) - line.caret), "choice" if line.prefilled and typed else "typed"
    first = min(at, max(0, len(typed) - space))
    x = canvas.write(x, y, typed[first:at], style)
    x = canvas.write(x, y, typed[at : at + 1] or " ", "cursor")
    canvas.write(x, y, typed[at + 1 :], style, canvas.width - x)


def entry_label(state: ScreenState, line: TypedLine) -> str:
    """Return what stands before the line being typed."""
    asks = {
        "move": "> ",
        "talk": _("Say: "),
        "nick": _("Your name: "),
        "first-nick": _("Your name: "),
        "table": _("Name of the table: "),
        "join": _("Invite: ") if state.kept.on_phone else _("Address or invite: "),
        "visitor": _("Name of the player: "),
    }
    return asks[line.kind]


def entry_hint(state: ScreenState, line: TypedLine) -> str:
    """Return the sentence above the line being typed, if it needs one.

    It explains a name, names the mistake in an address or an invite, or says what a move would do.
    """
    if line.kind == "first-nick" and state.kept.on_phone:
        return _("The others see this name.")
    if line.kind == "first-nick":
        return keys_in_brackets(_("The others see this name. Type another, or keep it (Enter)."))
    if line.kind == "move":
        return foreseen(state, line.text)[0]
    return state.notice if line.kind == "join" else ""
