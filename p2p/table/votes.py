"""The votes of one epoch (protocol 5)."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Set

from engine.core.moves import Seat
from p2p.table.epoch_entries import Call

VOTES = 64
"""The most votes of one member that are kept, besides those that matter; the oldest are dropped."""


class Votes:
    """The calls for which members voted."""

    def __init__(self) -> None:
        self._voters: dict[Call, set[Seat]] = {}
        self._cast: dict[Seat, list[Call]] = {}
        """The calls of each voter, oldest first."""

    def of(self, call: Call) -> Set[Seat]:
        """Return the seats that voted for a call."""
        return self._voters.get(call, set())

    def items(self) -> ItemsView[Call, Set[Seat]]:
        """Return each call that has a vote, with its voters."""
        return self._voters.items()

    def __iter__(self) -> Iterator[Call]:
        return iter(self._voters)

    def add(self, voter: Seat, call: Call) -> None:
        """Add a vote."""
        self._voters.setdefault(call, set()).add(voter)
        self._cast.setdefault(voter, []).append(call)

    def forget(self, voter: Seat, decides: Callable[[Call], bool]) -> None:
        """If a member has cast too many votes, drop its oldest that does not matter."""
        cast = self._cast[voter]
        idle = (call for call in cast if not decides(call))
        call = next(idle, None) if len(cast) > VOTES else None
        if call is not None:
            cast.remove(call)
            self._voters[call].discard(voter)
            if not self._voters[call]:
                del self._voters[call]
