"""Refusals: those that peers send, and the sentences with which they end a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from client.i18n.sentences import VERSIONS, said
from client.session.status import Status, Stop, leaves
from p2p.net.text import clean
from p2p.table.lobby import TableRefused
from p2p.wire import shape

REASONS = frozenset(
    {
        "already-seated",
        "blocked",
        "changed-key",
        "full",
        "no-spectators",
        "no-table",
        "not-invited",
        "not-signed",
        "one-seat",
        "other-match",
        "other-table",
        "playing",
        "too-many",
        "too-soon",
    }
)
"""The reasons that a peer may give; the other ids of `TableRefused` are our own."""


def read_refusal(message: dict[str, Any], *, invited: bool) -> TableRefused:
    """Return the refusal in a peer's message. Raises Malformed.

    A peer cannot use our own ids: any other reason is shown as the peer's words. A private table
    gives everybody it rejects the same answer. If we have an invite (`invited`) we know more: it
    admitted somebody else, or is for another table.
    """
    why = shape(message, t=str, why=str)["why"]
    if why == "not-invited" and invited:
        return TableRefused("old-invite")
    if why in REASONS:
        return TableRefused(why)
    return TableRefused("other-reason", why=clean(why, 40))


@contextmanager
def refusals_as_stops() -> Iterator[None]:
    """Turn a refusal, alone or in a group, into the end of a command."""
    try:
        yield
    except* TableRefused as group:
        first = next(leaf for leaf in leaves(group) if isinstance(leaf, TableRefused))
        raise refusal(first) from None


def refusal(error: TableRefused) -> Stop:
    """Return the sentence why a table cannot be joined, with the exit status."""
    return Stop(said(error), Status.VERSION if error.id in VERSIONS else Status.REFUSED)
