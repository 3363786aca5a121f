"""The view of a screen state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from client.ui.screen.state import Page, ScreenState
from client.ui.view import history, lobby, opening, phones, settings, setup
from client.ui.view.games import table_of
from client.ui.view.parts import View
from client.ui.view.sheets import sheet_of

VIEWS: Mapping[Page, Callable[[ScreenState], View]] = {
    Page.LOBBY: lobby.view,
    Page.HISTORY: history.view,
    Page.OPEN: opening.view,
    Page.SETTINGS: settings.view,
    Page.PHONES: phones.view,
    Page.TABLE_SETUP: setup.view,
}


def view_of(state: ScreenState) -> View:
    """Return the page with the sheet above it."""
    if state.page in VIEWS:
        sheet, view = sheet_of(state), VIEWS[state.page](state)
        view = replace(view, notice=view.notice or state.notice)
    else:
        from client.ui.view import table  # noqa: PLC0415 - the lobby shows no table: start-up time

        game = table_of(_game(state))
        sheet, view = table.sheet(state, game), table.view(state, game)
    elsewhere = state.page is Page.OPEN or (sheet is not None and sheet.entry is not None)
    return replace(view, sheet=sheet, notice="" if elsewhere else view.notice)


def step_of(state: ScreenState) -> View:
    """Return a step of a match that is over, as a page shows it that needs no program."""
    from client.ui.view import table  # noqa: PLC0415 - the lobby shows no table: start-up time

    return table.alone(state, table_of(state.match.game))


def _game(state: ScreenState) -> str:
    """Return the game at the table that is shown."""
    return (
        state.match.game
        if state.page is Page.PLAY
        else state.replay.steps[state.replay.step][0].game
    )
