"""What every head of a match stands for: the one place and stage that may be written on it.

Law: an entry is judged only on the head that it names; whoever writes something else on a head that we know speaks out of
turn, whenever that comes to light.
"""

from __future__ import annotations

from p2p.table.faults import OutOfTurn
from p2p.table.log import Entry, Place, Spot, is_call


class Heads:
    """The heads that a table has come to, and the stages that are over."""

    def __init__(self) -> None:
        self._spots: dict[bytes, Spot | None] = {}
        self._closed: set[Spot] = set()

    def place(self, head: bytes) -> Place | None:
        """Return the place that may be written on a head; None if this match has not had it, or it stands for nothing."""
        spot = self._spots.get(head)
        return None if spot is None else spot[0]

    def known(self, head: bytes) -> bool:
        """Whether this match has had that head."""
        return head in self._spots

    def closed(self, spot: Spot) -> bool:
        """Whether all have spoken for this spot."""
        return spot in self._closed

    def close(self, spot: Spot) -> None:
        """Note that all have spoken for this spot."""
        self._closed.add(spot)

    def reopen(self, place: Place) -> None:
        """Note that what was said for a place is to be heard anew: a deck that had been dropped is wanted after all."""
        self._closed = {spot for spot in self._closed if spot[0] != place}

    def learn(self, head: bytes, spot: Spot | None) -> None:
        """Note what a head stands for; None is nothing (a deck has heads of its own)."""
        self._spots[head] = spot

    def check(self, entry: Entry) -> None:
        """Raise OutOfTurn if an entry is written on a head that stands for something else."""
        if entry.head in self._spots and not is_call(entry.place) and self._spots[entry.head] != entry.spot:
            raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))
