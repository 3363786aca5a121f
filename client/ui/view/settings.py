"""The settings as a view: those that mean something in a browser."""

from __future__ import annotations

from client.i18n.translation import _
from client.ui.screen import settings
from client.ui.screen.state import Page, ScreenState
from client.ui.view.action import back
from client.ui.view.parts import Field, Section, View
from p2p.net.names import NICK_COLUMNS


def view(state: ScreenState) -> View:
    """Return the settings."""
    fields = {name: _field(state, name) for name in ("nick", "language", "scheme", "motion")}
    return View(
        Page.SETTINGS.value,
        "Sobremesa",
        heading=settings.title(),
        lines=(_("kept on this machine"),),
        back=back(),
        sections=(
            Section("you", _("You"), fields=(fields["nick"], fields["language"])),
            Section("sight", _("To see it well"), fields=(fields["scheme"], fields["motion"])),
        ),
    )


def _field(state: ScreenState, name: str) -> Field:
    label, about = settings.FIELDS[name]
    now, values = getattr(state.settings, name), settings.values_of(name)
    if name == "nick":
        nick = state.called or state.settings.nick
        return Field(name, "text", _(label), _(about), nick, limit=NICK_COLUMNS)
    if values == [True, False]:
        return Field(name, "switch", _(label), _(about), on=now)
    choices = tuple((value, settings.value_text(name, value)) for value in values)
    return Field(name, "choice", _(label), _(about), now, choices=choices)
