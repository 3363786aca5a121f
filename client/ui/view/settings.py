"""The settings as a view: those that mean something in a browser."""

from __future__ import annotations

from collections.abc import Iterable

from client.i18n.translation import _
from client.storage.settings import Settings
from client.ui.screen import settings
from client.ui.screen.state import Page, ScreenState
from client.ui.view.action import Card, back
from client.ui.view.parts import Field, Section, View
from p2p.net.names import NICK_COLUMNS

SUITS = (
    tuple(Card("spanish", f"7{suit}") for suit in "oceb"),
    tuple(Card("french", f"Q{suit}") for suit in "hdcs"),
)
"""A card of each suit of both packs."""
MOVES = ("presses", "motion")
"""The settings of how a move is made and seen."""


def view(state: ScreenState) -> View:
    """Return the settings."""
    return View(
        Page.SETTINGS.value,
        "Sobremesa",
        heading=settings.title(),
        lines=(_("saved on this machine"),),
        back=back(),
        sections=(
            Section("you", _("You"), fields=_fields(state, ("nick", "language"))),
            Section("sight", _("Display"), fields=_fields(state, settings.SIGHT)),
            Section("moves", _("At the table"), fields=_fields(state, MOVES)),
        ),
    )


def at_a_table(state: ScreenState) -> tuple[Field, ...]:
    """Return those that can be changed at a table."""
    return _fields(state, (*settings.SIGHT, *MOVES, "language"))


def look(chosen: Settings) -> dict[str, str]:
    """Return how a page shows things, by the names that its style sheets have for it."""
    return {
        "theme": chosen.theme,
        "letters": "large" if chosen.large_letters else "",
        "cards": "large" if chosen.large_cards else "",
        "suits": "four" if chosen.four_colours else "",
        "scheme": chosen.scheme,
        "motion": chosen.motion,
    }


def _fields(state: ScreenState, names: Iterable[str]) -> tuple[Field, ...]:
    return tuple(_field(state, name) for name in names)


def _field(state: ScreenState, name: str) -> Field:
    label, about = map(_, settings.FIELDS[name])
    now, values = getattr(state.kept.settings, name), settings.values_of(name)
    if name == "nick":
        nick = state.kept.called or state.kept.settings.nick
        return Field(name, "text", label, about, nick, limit=NICK_COLUMNS)
    if values == [True, False]:
        cards = SUITS if name == "four_colours" else ()
        return Field(name, "switch", label, about, on=now, cards=cards)
    choices = tuple((value, settings.value_text(name, value)) for value in values)
    return Field(name, "choice", label, about, now, choices=choices)
