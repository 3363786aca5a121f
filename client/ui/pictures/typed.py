"""The line being typed: its label, the wish of the program, and the two buttons that end it."""

from __future__ import annotations

from client.i18n.translation import _, pgettext
from client.ui.drawing.picture import Control, Entry
from client.ui.pictures.controls import controls
from client.ui.screen import sheets
from client.ui.screen.state import ScreenState


def entry_of(state: ScreenState) -> Entry | None:
    """Return the line being typed, if there is one.

    A move has no question before it on the full screen, and a name here.
    """
    if state.typed is None:
        return None
    label = sheets.entry_label(state) if state.typing != "move" else _("Your move: ")
    caret = len(state.typed) - state.caret
    return Entry(label.strip().rstrip(":"), state.typed, sheets.entry_hint(state), caret)


def notice_of(state: ScreenState) -> str:
    """Return the notice below the line being typed: not the sentence that stands above it."""
    above = state.typed is not None and sheets.entry_hint(state) == state.notice
    return state.busy or ("" if above else state.notice)


def entry_controls() -> tuple[Control, ...]:
    """Return its buttons; all other keys type."""
    return controls([("Enter", pgettext("key", "continue")), ("Esc", _("back"))])
