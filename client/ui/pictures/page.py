"""The frame of every page but the table: the heading, the panels, the buttons and the notice.

The panels stand in the middle, the buttons and the notice below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from client.ui.drawing.picture import CHOOSE, Area, Control, Panel, Words
from client.ui.pictures.controls import controls, pressed
from client.ui.pictures.parts import HEAD, Parts, bar_height, body, inert
from client.ui.pictures.typed import entry_controls, entry_of, notice_of
from client.ui.screen.pages import PRESS
from client.ui.screen.state import ScreenState

Pairs = Sequence[tuple[str, str]]
"""Keys and their effects, as the last line of the full screen has them."""
ANYWHERE = ("f1",)
"""The keys that mean something on every page."""


def framed(
    state: ScreenState,
    area: Area,
    heading: Words,
    keys: Pairs,
    panels: Callable[[Area], Iterable[Panel]],
    score: Words = (),
) -> Parts:
    """Return the parts of a page.

    `panels` lays out the panels in the area that the heading and the buttons leave.

    While a line is typed, or something is waited for, the panels are only to be read.
    """
    entry = entry_of(state)
    if state.busy:
        keys = [pair for pair in keys if pair[0] == "Esc"]
    buttons = entry_controls() if entry else _buttons(state, controls(keys, pressed(panels(area))))
    notice = notice_of(state)
    bar = bar_height(buttons, area, notice, entry=entry)
    found = tuple(panels(body(area, HEAD, bar)))
    return Parts(
        heading=heading,
        score=score,
        panels=tuple(inert(panel) for panel in found) if entry or state.busy else found,
        controls=buttons,
        notice=notice,
        entry=entry,
        bar=bar,
    )


def _buttons(state: ScreenState, found: Iterable[Control]) -> tuple[Control, ...]:
    """Return buttons, off where their key means nothing now.

    For example, no computer player can be sent away where there is none.
    """
    press = PRESS[state.page]
    return tuple(
        replace(
            control,
            enabled=bool(state.busy)
            or control.keys[0] in ANYWHERE
            or press(state, control.keys[0]) is not None,
        )
        for control in found
    )


def row_id(item: str) -> str:
    """Return the id of an item's row; the items of sheets have others."""
    return f"item:{item}"


def choose(item: str, *then: str) -> tuple[str, ...]:
    """Return the keys that choose an item, and then do something with it."""
    return (CHOOSE + item, *then)
