"""The stage for which each head of a match stands: entries on that head must belong to it.

An entry is judged only on the head that it names. A seat that signs for another stage on a head
that we know acts out of turn, whenever that is found.
"""

from __future__ import annotations

from p2p.table.faults import OutOfTurn
from p2p.table.log import Entry, Place, StageKey, is_about_members


class Heads:
    """The heads that a table has reached, and the stages that are closed."""

    def __init__(self) -> None:
        self._stage_keys: dict[bytes, StageKey | None] = {}
        self._closed: set[StageKey] = set()

    def known(self, head: bytes) -> bool:
        """Whether this match has reached that head."""
        return head in self._stage_keys

    def closed(self, stage_key: StageKey) -> bool:
        """Whether all seats signed for this stage."""
        return stage_key in self._closed

    def close(self, stage_key: StageKey) -> None:
        """Note that all seats signed for this stage."""
        self._closed.add(stage_key)

    def reopen(self, place: Place) -> None:
        """Reopen the stages of a place: a dropped deck is wanted after all."""
        self._closed = {stage_key for stage_key in self._closed if stage_key[0] != place}

    def learn(self, head: bytes, stage_key: StageKey | None) -> None:
        """Note the stage of a head, or None if it has none (a deck has heads of its own)."""
        self._stage_keys[head] = stage_key

    def check(self, entry: Entry) -> None:
        """Raise OutOfTurn if an entry is on a head that stands for something else."""
        if (
            entry.head in self._stage_keys
            and not is_about_members(entry.place)
            and self._stage_keys[entry.head] != entry.stage_key
        ):
            raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))
