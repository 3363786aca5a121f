"""The menu of the full screen, and the moves that are made there, for tests."""

from __future__ import annotations

from client.session.messages import Act
from client.ui.screen import menu
from tests.screens.stage import Stage


def chosen(stage: Stage, name: str) -> Stage:
    """Open the menu and choose something of it."""
    stage.press("escape")
    assert stage.state.overlay is not None
    names = [item.id for item in stage.state.overlay.items(stage.state)]
    return stage.press(*["down"] * names.index(name), "enter")


def on_menu(stage: Stage) -> list[str]:
    """Return what the menu offers, without opening it."""
    return [item.id for item in menu.sheet().items(stage.state)]


def acts(stage: Stage) -> list:
    return [command for command in stage.commands if isinstance(command, Act)]
