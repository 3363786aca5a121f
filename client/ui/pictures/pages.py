"""The module that draws each page.

The table is not among them (client.ui.pictures.draw draws it), nor are those that
client.ui.view describes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from client.ui.drawing.picture import Area
from client.ui.pictures import history
from client.ui.pictures.parts import Parts
from client.ui.screen.state import Page, ScreenState

PARTS: Mapping[Page, Callable[[ScreenState, Area], Parts]] = {
    Page.REPLAY: history.replay,
}


def page_parts(state: ScreenState, area: Area) -> Parts:
    """Return the parts of a page in a window: of a replay those round its table.

    KeyError for the table of a match.
    """
    return PARTS[state.page](state, area)
