"""The time when a resumed seat may sign again. Pure: time is an argument.

Our disk may be an older copy that lacks our last entries. We must not sign others in their place.
So we first receive the entries of all other peers, or after a while, of the peers that are here.
The first peer that answers may lie, so linked peers are waited for too.
"""

from __future__ import annotations

import math
from collections.abc import Set

GRACE_S = 10.0
"""Seconds for more peers to get a link and show their entries, after the first peer has."""
LINKED_S = 30.0
"""The same for linked peers."""


class ResumeGate:
    """The peers that have shown us all their entries."""

    def __init__(self) -> None:
        self._complete: set[bytes] = set()
        self._named: dict[bytes, int] = {}
        self._since = math.inf
        """When the first peer showed its entries."""

    def named(self, peer: bytes, records: int) -> None:
        """Note a peer's number of records: fewer than before if it has gone back."""
        self._named[peer] = records

    def shown(self, peer: bytes, now: float) -> None:
        """Note that a peer has shown all its entries."""
        self._since = min(self._since, now)
        self._complete.add(peer)

    def over(self, others: Set[bytes], missing: Set[bytes], now: float, records: int) -> bool:
        """Whether enough of these peers have shown their entries.

        That is all of them, or one of them once the time of the others is over; it is shorter for
        those that are `missing`. An answer does not count if the peer has more records than we do
        (`records`), as it has not shown them all. Without other peers the gate is open.
        """
        complete = {peer for peer in self._complete if self._named.get(peer, 0) <= records}
        silent = others - complete
        time = LINKED_S if silent - missing else GRACE_S
        return not silent or (bool(complete) and now - self._since >= time)
