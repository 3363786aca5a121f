"""The route to a table that a player types: an address, or an invite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p.net.addresses import Address, parse_address
from p2p.net.invite import PREFIX, looks_like_invite, parse_invite


@dataclass(frozen=True)
class Route:
    """How to reach a table."""

    addresses: Sequence[Address]
    expect: bytes | None = None
    secret: bytes = field(default=b"", repr=False)
    found: str = "address"


def direct(where: str) -> Route | None:
    """Return the route that an invite or an address names; None if it is a table's name.

    A player who copies an invite may copy the words before it too. Raises BadAddress or
    NotAnInvite.
    """
    if copied := re.search(rf"\s{PREFIX}-", where, re.IGNORECASE):
        # spaces replace these words: an error names an index in the typed text
        where = " " * copied.start() + where[copied.start() :]
    if looks_like_invite(where):
        invite = parse_invite(where)
        return Route(invite.addresses, invite.id_prefix, invite.secret, found="invite")
    if any(mark in where for mark in ".:") or where == "localhost":
        return Route(parse_address(where))
    return None
