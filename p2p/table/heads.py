"""The stage for which each head of a match stands: entries on that head must belong to it.

Law: an entry is judged only on the head that it names. A seat that signs another stage on a head
that we know acts out of turn, whenever that comes to light.
"""

from __future__ import annotations

from p2p.table.faults import OutOfTurn
from p2p.table.log import Entry, Place, StageKey, is_call


class Heads:
    """The heads that a table has come to, and the stages that are over."""

    def __init__(self) -> None:
        self._stage_keys: dict[bytes, StageKey | None] = {}
        self._closed: set[StageKey] = set()

    def place(self, head: bytes) -> Place | None:
        """Return the place that may be written on a head, or None.

        It is None if this match has not had the head, or the head stands for nothing.
        """
        stage_key = self._stage_keys.get(head)
        return None if stage_key is None else stage_key[0]

    def known(self, head: bytes) -> bool:
        """Whether this match has had that head."""
        return head in self._stage_keys

    def closed(self, stage_key: StageKey) -> bool:
        """Whether all seats have signed for this stage."""
        return stage_key in self._closed

    def close(self, stage_key: StageKey) -> None:
        """Note that all seats have signed for this stage."""
        self._closed.add(stage_key)

    def reopen(self, place: Place) -> None:
        """Open the stages of a place again: a deck that had been dropped is wanted after all."""
        self._closed = {stage_key for stage_key in self._closed if stage_key[0] != place}

    def learn(self, head: bytes, stage_key: StageKey | None) -> None:
        """Note what a head stands for; None is nothing (a deck has heads of its own)."""
        self._stage_keys[head] = stage_key

    def check(self, entry: Entry) -> None:
        """Raise OutOfTurn if an entry is written on a head that stands for something else."""
        if (
            entry.head in self._stage_keys
            and not is_call(entry.place)
            and self._stage_keys[entry.head] != entry.stage_key
        ):
            raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))
