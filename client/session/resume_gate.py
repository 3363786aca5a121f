"""When a resumed seat may sign again. Pure: time is an argument.

Our disk may be an older copy that lacks our last entries. We must not sign other entries in their
place. So we first receive the entries of all other peers; if some are away, of the peers who are
there, for a while.
"""

from __future__ import annotations

import math
from collections.abc import Set

GRACE_S = 3.0
"""Seconds for further peers to show their entries, after the first peer has."""


class ResumeGate:
    """The peers that have shown us all their entries."""

    def __init__(self) -> None:
        self._complete: set[bytes] = set()
        self._named: dict[bytes, int] = {}
        self._until = math.inf

    def named(self, peer: bytes, records: int) -> None:
        """A peer has named its number of records: fewer than before if it has gone back."""
        self._named[peer] = records

    def shown(self, peer: bytes, now: float) -> None:
        """A peer has shown all its entries."""
        if not self._complete:
            self._until = now + GRACE_S
        self._complete.add(peer)

    def over(self, others: Set[bytes], now: float, records: int) -> bool:
        """Return whether enough of these peers have shown their entries.

        That is all of them, or one of them if the time of the others is over.

        An answer does not count if the peer has named more than the `records` that we have by now:
        it has not shown them all. Without other peers in the match the gate is open.
        """
        complete = {peer for peer in self._complete if self._named.get(peer, 0) <= records}
        return complete >= others or (bool(complete) and now >= self._until)
