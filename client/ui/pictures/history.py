"""The buttons of a match that is stepped through."""

from __future__ import annotations

from dataclasses import replace

from client.ui.drawing.picture import Area, Control
from client.ui.pictures.controls import controls
from client.ui.pictures.parts import (
    Parts,
    bar_height,
)
from client.ui.screen import history
from client.ui.screen.state import ScreenState


def replay(state: ScreenState, area: Area) -> Parts:
    """Return the parts round the table of a match that is stepped through.

    The table is drawn as in a match.
    """
    buttons = replay_controls(state)
    step = state.busy or f"{history.title()} · {history.step_of(state)}"
    return Parts(controls=buttons, notice=state.notice or step, bar=bar_height(buttons, area, step))


def replay_controls(state: ScreenState) -> tuple[Control, ...]:
    """Return the buttons that go to another step, and back to the list.

    Those that lead nowhere are off.

    They are the keys of the last line; how far each goes stands on it in figures, which a narrow
    window has room for.
    """
    last = len(state.steps)
    figures = {
        "home": "1",
        "pageup": "−10",
        "left": "−1",
        "right": "+1",
        "pagedown": "+10",
        "end": str(last),
    }
    off = (
        {"home", "pageup", "left"}
        if state.step <= 0
        else {"right", "pagedown", "end"}
        if state.step + 1 >= last
        else set()
    )
    found = {
        control.keys[0]: control for control in controls(history.step_keys(state), cursor=False)
    }
    steps = [
        replace(found[key], label=label, enabled=key not in off)
        for key, label in figures.items()
        if key in found
    ]
    return (*steps, *(control for key, control in found.items() if key not in figures))
