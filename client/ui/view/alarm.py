"""An alarm in the words of a window: the next step, the event, its meaning for our player."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.sentences import FAULTS
from client.i18n.translation import _, later, letter
from client.ui.games.charges import rule_broken
from client.ui.games.screen import CHOOSE
from client.ui.model import Model
from client.ui.plain.filling import cost_of_leaving
from client.ui.screen.newcomer import about_version
from client.ui.screen.overlay import AlarmSheet
from client.ui.screen.parts import capital
from client.ui.screen.state import ScreenState
from client.ui.screen.table_words import TO_LOBBY
from client.ui.view.action import Action
from client.ui.view.parts import Sheet, Text
from client.ui.view.sentences import drawn
from p2p.table.events import Accused, Differs, OutOfKeys
from p2p.table.faults import Fault

PLAIN: Mapping[str, str] = {
    "BadForm": later("{who} sent something that makes no sense."),
    "BadProof": later(
        "Every shuffle and every card comes with a proof that nobody cheated. The proof from {who} "
        "is false."
    ),
    "Equivocation": later("{who} told different players different things about the same moment."),
}
"""The faults whose usual sentence speaks of the protocol."""


def sheet(state: ScreenState, overlay: AlarmSheet) -> Sheet:
    """Return an alarm, with a button for its advice; that one puts a typed line away too."""
    read = Action("key:enter", _("back to the table"), ("enter",), "main", key="enter")
    table = ("enter", *(["escape"] if state.typed is not None else []))
    actions: tuple[Action, ...] = (read,)
    if isinstance(overlay.event, Differs) and state.bound:
        ways = (*table, "escape", CHOOSE + "leave", "enter")
        actions = Action("leave", _("leave the match"), ways, "leave"), read
    elif isinstance(overlay.event, Differs | OutOfKeys) and state.done:
        stay = Action("key:escape", read.label, ("escape",), "plain", key="escape")
        keys = (*table, letter(TO_LOBBY))
        actions = stay, Action("lobby", _("to the lobby"), keys, "main", key="enter")
    # where programs differ nobody is accused: it has the head of any sheet
    differs = isinstance(overlay.event, Differs) and overlay.event.seat is not None
    name = "differs" if differs else overlay.NAME
    return Sheet(name, *told(state.match, overlay), actions=actions)


def told(model: Model, overlay: AlarmSheet) -> tuple[str, tuple[Text, ...]]:
    """Return the title and the sentences of an alarm; the first one says what to do.

    Where two programs differ, it says how.
    """
    match overlay.event:
        case Accused(fault) if fault.seat != model.names.me:
            return _("Somebody is cheating, or a program is broken"), _accused(model, fault)
        case Differs(None):
            return overlay.title, (
                _("Go to the lobby, and begin another match."),
                _("A card turned up that is not in the pack."),
                _("That is a bug in the program: no player has done anything wrong."),
                _(
                    "Please report the bug. The log that shows it stays with the match, under "
                    "“Past matches”."
                ),
                about_version(),
            )
        case Differs(int() as seat):
            return overlay.title, (
                _("Your program and that of {who} see this match differently.").format(
                    who=model.names[seat]
                ),
                _("Nobody is accused: one of the programs may have a bug, or be out of date."),
                _(
                    "Ask {who} for the version: the player with the older one updates Sobremesa, "
                    "and comes back to the match."
                ).format(who=model.names[seat]),
                about_version(),
                _("{who} finds the version in the lobby: the question mark, “{about}”.").format(
                    who=model.names[seat], about=capital(_("what is this?"))
                ),
                _("If the match still does not go on, leave it."),
                cost_of_leaving(model),
            )
    return overlay.title, overlay.lines


def _accused(model: Model, fault: Fault) -> tuple[Text, ...]:
    who = model.names[fault.seat]
    follows = later("You do not need to do anything: the match stays as it is.")
    if model.must_go(fault.seat):
        follows = later("You do not need to do anything: {who} has to leave the match.")
    return (
        _(follows).format(who=who),
        _(PLAIN.get(fault.id, FAULTS[fault.id])).format(who=who),
        *(drawn(model.game, line) for line in rule_broken(model.game, model.names, fault)),
        _(
            "Your program noticed this and rejected it. You have done nothing wrong, and nobody "
            "else is accused."
        ),
        _(
            "The evidence, signed by {who}, is kept with the match: you can show it to anybody."
        ).format(who=who),
    )
