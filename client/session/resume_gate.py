"""When who comes back into a match may speak again: pure, so that it can be tested without a clock.

Our disk may be a copy that is older than our last words. Whoever has heard them shows them to us; what we said then we must
not say otherwise now. So we first listen to all others; and if some are away, to those who are there, for a while.
"""

from __future__ import annotations

import math
from collections.abc import Set

GRACE_S = 3.0
"""Seconds in which further peers may show what they hold of us, once one has."""


class ResumeGate:
    """Who has shown us all that it holds."""

    def __init__(self) -> None:
        self._complete: set[bytes] = set()
        self._named: dict[bytes, int] = {}
        self._until = math.inf

    def named(self, peer: bytes, records: int) -> None:
        """A peer has said how many records it has."""
        self._named[peer] = max(records, self._named.get(peer, 0))

    def shown(self, peer: bytes, now: float) -> None:
        """A peer has shown all that it holds."""
        if not self._complete:
            self._until = now + GRACE_S
        self._complete.add(peer)

    def over(self, others: Set[bytes], now: float, records: int) -> bool:
        """Whether all of these have been heard out, or one of them has and the others had their time.

        A peer that has named more records than the `records` that we have by now has not shown them: its answer counts for
        nothing. Where nobody else is in the match any more nobody has anything to show.
        """
        complete = {peer for peer in self._complete if self._named.get(peer, 0) <= records}
        return complete >= others or (bool(complete) and now >= self._until)
