"""An alarm in the words of a window: the event, its meaning for our player, the next step."""

from __future__ import annotations

from collections.abc import Mapping

from client.i18n.sentences import FAULTS
from client.i18n.translation import _, later
from client.ui.games.charges import rule_broken
from client.ui.model import Model
from client.ui.screen.overlay import AlarmSheet
from client.ui.view.parts import Text
from client.ui.view.sentences import drawn
from p2p.table.events import Accused, Differs
from p2p.table.faults import Fault

PLAIN: Mapping[str, str] = {
    "BadForm": later("{who} sent something that makes no sense."),
    "BadProof": later(
        "Every shuffle and every card comes with a proof that it is right. {who} sent a false one."
    ),
    "Equivocation": later("{who} told two different stories of the same moment."),
}
"""The faults whose usual sentence speaks of the protocol."""


def told(model: Model, overlay: AlarmSheet) -> tuple[str, tuple[Text, ...]]:
    """Return the title and the sentences of an alarm."""
    match overlay.event:
        case Accused(fault) if fault.seat != model.names.me:
            return _("A cheat, or a broken program"), _accused(model, fault)
        case Differs(None):
            return overlay.title, (
                _("A card turned up that is not in the pack."),
                _("That is an error in the program. No player has done anything wrong."),
                _("Leave the match by the menu. Please keep its log, and report the error."),
            )
        case Differs(int() as seat):
            return overlay.title, (
                _("Your program and that of {who} no longer agree on this match.").format(
                    who=model.names[seat]
                ),
                _("Nobody is accused. One of the programs may have an error or another version."),
                _(
                    "Compare the versions and update the older program. If the match does not go "
                    "on, leave it by the menu."
                ),
            )
    return overlay.title, overlay.lines


def _accused(model: Model, fault: Fault) -> tuple[Text, ...]:
    who = model.names[fault.seat]
    follows = later("You need do nothing: the match stays as it is.")
    if model.must_go(fault.seat):
        follows = later("You need do nothing: {who} has to leave the match.")
    return (
        _(PLAIN.get(fault.id, FAULTS[fault.id])).format(who=who),
        *(drawn(model.game, line) for line in rule_broken(model.game, model.names, fault)),
        _(
            "Your program noticed it and did not accept it. You have done nothing wrong, and "
            "nobody else is accused."
        ),
        _(follows).format(who=who),
        _("The signed evidence is kept with the match, so that you can prove it to anybody."),
    )
