"""Choose an item by its id, wherever it stands in its list, and type a whole line.

This serves clicks, and a browser's text field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from client.session.patience import TALK_CHARACTERS
from client.ui.screen import analysis, history, lobby, opening, settings, sheets
from client.ui.screen.parts import Item
from client.ui.screen.state import Page, ScreenState
from client.ui.update import TYPED_LIMIT

ITEMS: Mapping[Page, Callable[[ScreenState], Sequence[Item]]] = {
    Page.LOBBY: lambda state: [*lobby.people(state), *lobby.here()],
    Page.OPEN: lambda state: opening.items(state.form),
    Page.HISTORY: history.items,
    Page.SETTINGS: settings.items,
}
"""The items of every page that has a list."""


def choose(state: ScreenState, item: str) -> ScreenState:
    """Return the state with an item chosen, of the sheet if there is one, else of the page.

    The state is unchanged if the item is not there.
    """
    if state.typed is not None:
        return state
    if state.overlay is not None:
        choices = [choice.id for choice in sheets.choices(state, state.overlay)]
        if item not in choices:
            return state
        cursor = choices.index(item)
        chosen = (
            analysis.sheet(state, cursor)
            if state.overlay.kind == "analysis"
            else replace(state.overlay, cursor=cursor)
        )
        return replace(state, overlay=chosen)
    if (
        state.page not in ITEMS
        or state.busy
        or not any(choice.id == item for choice in ITEMS[state.page](state))
    ):
        return state
    return replace(state, chosen=item, form=replace(state.form, typed=""))


def write(state: ScreenState, text: str) -> ScreenState:
    """Return the state with this text as the line that is being typed, if one is."""
    if state.typed is None:
        return state
    limit = TALK_CHARACTERS if state.typing == "talk" else TYPED_LIMIT
    typed = " ".join(text.splitlines())[:limit]
    return replace(state, typed=typed, caret=0, prefilled=False, notice="")
