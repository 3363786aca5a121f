"""The contents of a page as data, and the meaning of everything that can be clicked.

Some pages are views, which the page lays out; the others are still pictures.
"""

from __future__ import annotations

from client.ui.browser.changes import Data, as_sent
from client.ui.drawing.picture import Picture
from client.ui.drawing.picture import as_data as picture_data
from client.ui.pictures.draw import picture_of
from client.ui.screen.state import ScreenState
from client.ui.view.action import Text
from client.ui.view.parts import View, as_data
from client.ui.view.sentences import aloud
from client.ui.view.views import has_view, view_of

Meaning = tuple[tuple[str, ...], Text | None, tuple[str, ...]]
"""The keys of a thing, its label or face, and the sheets that lie there.

A button that has come to confirm what it proposed means something else: thus a double click
confirms nothing.
"""

ANNOUNCED = 12
"""Lines of a match that are read aloud with a table, if they are new."""


def shown(state: ScreenState, width: int, height: int) -> tuple[Data, dict[str, Meaning]]:
    """Return what a window of this size shows, and its meanings by id."""
    if not has_view(state):
        picture = picture_of(state, width, height)
        return as_sent(picture_data(picture)) | {"view": None}, _of_picture(picture)
    view = view_of(state)
    data: Data = {"page": view.page, "title": view.title, "view": as_data(view), "pieces": {}}
    lines = view.table.log[-ANNOUNCED:] if view.table is not None else ()
    data["announce"] = [aloud(line) for line in lines]
    return data, _of_view(view)


def _of_view(view: View) -> dict[str, Meaning]:
    sheets = (f"{view.sheet.id} {view.sheet.title}",) if view.sheet is not None else ()
    return {name: (keys, said, sheets) for name, (keys, said) in view.clicks().items()}


def _of_picture(picture: Picture) -> dict[str, Meaning]:
    sheets = tuple(
        f"{panel.id} {''.join(span.text for span in panel.title)}"
        for panel in picture.panels
        if panel.modal
    )
    said = {control.id: f"{control.key} {control.label}" for control in picture.controls} | {
        piece.id: piece.face for piece in picture.pieces
    }
    return {name: (keys, said.get(name), sheets) for name, keys in picture.clicks().items()}
