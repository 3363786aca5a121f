"""The contents of a page as data, and the meaning of everything that can be clicked."""

from __future__ import annotations

from typing import Any

from client.ui.screen.state import ScreenState
from client.ui.view.action import Text
from client.ui.view.parts import as_data
from client.ui.view.sentences import aloud
from client.ui.view.views import view_of

Data = dict[str, Any]
Meaning = tuple[tuple[str, ...], Text, tuple[str, ...]]
"""The keys of a thing, its label or face, and the sheets that lie there.

A button that has come to confirm what it proposed means something else: thus a double click
confirms nothing.
"""

ANNOUNCED = 12
"""Lines of a match that are read aloud with a table, if they are new."""


def shown(state: ScreenState) -> tuple[Data, dict[str, Meaning]]:
    """Return what a window shows, and its meanings by id."""
    view = view_of(state)
    lines = view.table.log[-ANNOUNCED:] if view.table is not None else ()
    sheets = (f"{view.sheet.id} {view.sheet.title}",) if view.sheet is not None else ()
    return (
        {"view": as_data(view), "announce": [aloud(line) for line in lines]},
        {name: (keys, said, sheets) for name, (keys, said) in view.clicks().items()},
    )
