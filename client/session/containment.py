"""Containment: an error of this program that a peer brings about ends one link, and nothing else.

Every place that handles what one peer has sent uses it. An error of a table while it takes its next
step is not contained: nobody knows what the table would sign after it.
"""

from __future__ import annotations

from client.session.messages import Notice
from client.session.status import ends
from client.storage import error_log
from client.storage.home import Home
from p2p.table.lobby import TableRefused

BROKEN = "an error of this program"
"""The reason with which the link to the peer is closed."""


def contained(home: Home, error: Exception, peer: bytes = b"") -> Notice:
    """Write down an unexpected error, of this peer, and return the sentence about it.

    An error that ends a command in good order is raised again.
    """
    if isinstance(error, TableRefused) or ends(error) is not None:
        raise error
    error_log.note(home.path, error)
    return written(home, peer)


def written(home: Home, peer: bytes = b"") -> Notice:
    """Return the sentence about an unexpected error that has been written down."""
    return Notice("contained", {"path": str(home.path / error_log.NAME)}, peer)
