"""Containment: an error of ours that a peer provokes ends one link, and nothing else.

All code that handles a peer's data uses it. An error of a table in its next step is not contained:
nobody knows what the table would sign after it.
"""

from __future__ import annotations

from client.session.messages import Notice
from client.session.status import ends
from client.storage import error_log
from client.storage.home import Home
from p2p.table.lobby import TableRefused

BROKEN = "an error of this program"
"""The reason sent with the goodbye."""


def notice_or_raise(home: Home, error: Exception, peer: bytes) -> Notice:
    """Write down an unexpected error that this peer provoked, and return the notice.

    An error that ends a command in good order is raised again instead.
    """
    if isinstance(error, TableRefused) or ends(error) is not None:
        raise error
    error_log.note(home.path, error)
    return written(home, peer)


def written(home: Home, peer: bytes = b"") -> Notice:
    """Return the notice about an unexpected error that was written down."""
    return Notice("contained", {"path": str(home.path / error_log.NAME)}, peer)
