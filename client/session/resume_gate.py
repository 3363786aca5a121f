"""When a resumed seat may sign again. Pure: time is an argument.

Our disk may be an older copy that lacks our last entries. We must not sign other entries in their
place. So we first receive the entries of all other peers; if some are away, of the peers who are
there, for a while. The first peer that answers may lie: it decides nothing for those with a link.
"""

from __future__ import annotations

import math
from collections.abc import Set

GRACE_S = 10.0
"""Seconds for further peers to get a link and show their entries, after the first peer has."""
LINKED_S = 30.0
"""The same for peers with a link."""


class ResumeGate:
    """The peers that have shown us all their entries."""

    def __init__(self) -> None:
        self._complete: set[bytes] = set()
        self._named: dict[bytes, int] = {}
        self._since = math.inf
        """When the first peer has shown its entries."""

    def named(self, peer: bytes, records: int) -> None:
        """A peer has named its number of records: fewer than before if it has gone back."""
        self._named[peer] = records

    def shown(self, peer: bytes, now: float) -> None:
        """A peer has shown all its entries."""
        self._since = min(self._since, now)
        self._complete.add(peer)

    def over(self, others: Set[bytes], missing: Set[bytes], now: float, records: int) -> bool:
        """Return whether enough of these peers have shown their entries.

        That is all of them, or one of them if the time of the others is over: it is shorter for
        those that are `missing`, without a link or at other tables.

        An answer does not count if the peer has named more than the `records` that we have by now:
        it has not shown them all. Without other peers in the match the gate is open.
        """
        complete = {peer for peer in self._complete if self._named.get(peer, 0) <= records}
        silent = others - complete
        time = LINKED_S if silent - missing else GRACE_S
        return not silent or (bool(complete) and now - self._since >= time)
