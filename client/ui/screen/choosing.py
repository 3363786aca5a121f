"""Choose an item by its id, wherever it stands in its list, and type a whole line.

This serves clicks, and a browser's text field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os.path import commonprefix

from client.i18n.translation import _, later
from client.session import talk
from client.storage import nicks
from client.ui.plain.lines import completions
from client.ui.screen import history, lobby, opening, phones, settings
from client.ui.screen.parts import ListItem
from client.ui.screen.state import Page, ScreenState
from client.ui.update import TYPED_LIMIT
from p2p.net.names import NICK_COLUMNS
from p2p.net.text import even

ITEMS: Mapping[Page, Callable[[ScreenState], Sequence[ListItem]]] = {
    Page.LOBBY: lambda state: [*lobby.people(state), *lobby.here(state)],
    Page.OPEN: lambda state: opening.items(state.kept.form),
    Page.HISTORY: history.items,
    Page.SETTINGS: settings.items,
    Page.PHONES: phones.items,
}
"""The items of every page that has a list."""


FITS: Mapping[str, Callable[[str], bool]] = {
    "talk": talk.fits,
    "nick": nicks.fits,
    "first-nick": nicks.fits,
    "visitor": nicks.fits,
}
"""Whether a line fits, by its kind: of wide characters fewer do."""
_NICK = later("No room for more: a name has at most {limit} characters."), NICK_COLUMNS
LIMITS = {
    "talk": (
        later("No room for more: a remark has at most {limit} characters."),
        talk.TALK_CHARACTERS,
    ),
    "nick": _NICK,
    "first-nick": _NICK,
    "visitor": _NICK,
}
"""The sentence that says so, and its number."""


def choose(state: ScreenState, item: str) -> ScreenState:
    """Return the state with an item chosen, of the sheet if there is one, else of the page.

    The state is unchanged if the item is not there.
    """
    if state.typed is not None:
        return state
    if state.overlay is not None:
        choices = [choice.id for choice in state.overlay.items(state)]
        if item not in choices:
            return state
        return replace(state, overlay=state.overlay.at(state, choices.index(item)))
    if (
        state.page not in ITEMS
        or state.busy
        or not any(choice.id == item for choice in ITEMS[state.page](state))
    ):
        return state
    return replace(
        state, chosen=item, kept=replace(state.kept, form=replace(state.kept.form, typed=""))
    )


def write(state: ScreenState, before: str, behind: str = "") -> ScreenState:
    """Return the state with this text before and behind the cursor of the line that is being typed.

    The state is unchanged if none is. The text before the cursor stops when no more fits, and the
    state says so.
    """
    line = state.typed
    if line is None:
        return state
    before = even(" ".join(before.splitlines()))
    fitting, fits = before[: max(0, TYPED_LIMIT - len(behind))], FITS.get(line.kind)
    while fitting and fits is not None and not fits(fitting + behind):
        fitting = fitting[:-1]
    return replace(
        state,
        typed=replace(line, text=fitting + behind, caret=len(behind), prefilled=False),
        notice=_too_long(line.kind) if fitting != before else "",
    )


def completed(state: ScreenState, typed: str) -> str:
    """Return the common beginning of all moves and commands that begin so."""
    fitting = [line for line in completions(state.match) if line.startswith(typed)]
    return commonprefix(fitting) or typed  # noqa: RUF071 - lines, not paths


def _too_long(kind: str) -> str:
    """Say that no more fits into a line of this kind."""
    said, limit = LIMITS.get(
        kind,
        (later("No room for more: a line has at most {limit} characters."), TYPED_LIMIT),
    )
    return _(said).format(limit=limit)
