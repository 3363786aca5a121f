"""The rule that a convicted player has broken, in sentences."""

from __future__ import annotations

from client.i18n.translation import _
from client.ui.games import words_of
from client.ui.model import Names
from p2p.table.faults import Fault, IllegalPlay


def rule_broken(game: str, names: Names, fault: Fault) -> list[str]:
    """Say which rule of the game a fault has broken; nothing of a fault against the protocol."""
    if not isinstance(fault, IllegalPlay):
        return []
    found = [words_of(game).broken_rule(names, fault.seat, fault.rule)]
    if fault.late:
        found.append(_("It came to light later in the match."))
    return found
