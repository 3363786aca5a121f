"""Refusals as sentences that end a command: a table cannot be joined, or a player is rejected."""

from __future__ import annotations

from client.i18n.sentences import REFUSALS, VERSIONS, said
from client.i18n.translation import _
from client.session.status import RefusedError, Stop, VersionError
from p2p.net.text import clean
from p2p.table.lobby import TableRefused


def refusal(error: TableRefused) -> Stop:
    """Return the sentence for why a table cannot be joined, and with it the exit status."""
    if error.id in VERSIONS:
        return VersionError(said(error))
    if error.id in REFUSALS:
        return RefusedError(said(error))
    return RefusedError(_("the table cannot be joined: {why}").format(why=clean(error.id, 40)))
