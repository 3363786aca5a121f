"""The fields of forms in a browser: a value that a field can have is set, no other."""

from __future__ import annotations

from client.session.messages import Command
from client.ui.screen import history, opening, settings
from client.ui.screen.state import Page, ScreenState

Value = str | bool | int


def set_field(
    state: ScreenState, field: str, value: Value
) -> tuple[ScreenState, tuple[Command, ...]]:
    """Return the state with a field of the page set, and the commands that follow."""
    if state.busy or state.typed is not None:
        return state, ()
    if state.overlay is not None:
        of_settings = isinstance(state.overlay, settings.SettingsSheet) and field != "nick"
        return settings.set_field(state, field, value) if of_settings else (state, ())
    if state.page is Page.SETTINGS:
        return settings.set_field(state, field, value)
    if state.page is Page.OPEN:
        return opening.set_field(state, field, value)
    if state.page is Page.REPLAY and field == "step" and type(value) is int:
        return history.at(state, value), ()
    return state, ()
