"""The picture of a screen state: the page or the table, the sheet above it, the controls below."""

from __future__ import annotations

from client.ui.drawing.picture import Area, Picture
from client.ui.pictures import table
from client.ui.screen import pages
from client.ui.screen.state import ScreenState

ANNOUNCED = 12
"""Lines of the plain face that go with a picture."""


def picture_of(state: ScreenState, width: int, height: int) -> Picture:
    """Return what is to be seen in a window of so many CSS pixels."""
    head = 48
    bar = 64
    area = Area(0, head, width, height - head - bar)
    tabled = table.table(state, area)
    heading, score = table.heading(state)
    return Picture(
        width,
        height,
        state.page.value,
        pages.title(state),
        heading,
        score,
        tabled.drawn.pieces,
        tabled.drawn.texts,
        tabled.drawn.panels,
        notice=state.busy or state.notice,
        call=tabled.call,
        origin=tabled.origin,
        announce=state.log[-ANNOUNCED:],
        bar=bar,
        head=head,
    )
