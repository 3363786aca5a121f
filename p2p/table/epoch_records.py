"""The questions of an epoch to its table about the records of the match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from engine.core.moves import Seat
from p2p.table.epoch_entries import Flush


class Records(Protocol):
    """The records of one epoch, as a table knows them.

    A known fact stays known. Whenever more is known, the table calls `Epoch.learn`.
    """

    def heads_to(self, head: bytes) -> Sequence[bytes]:
        """Return the heads of records from the first of the epoch to a known one."""

    def holders(self, head: bytes) -> Collection[Seat]:
        """Return the holders of the deck whose record has this head; for other records, none."""

    def leads_to(self, flush: Flush) -> bool:
        """Whether a flush is on a known head, and names its number."""

    def explains(self, flush: Flush) -> bool:
        """Whether the entries that a flush names as reasons are known."""

    def has_entry(self, seat: Seat, head: bytes) -> bool:
        """Whether a seat's entry on the head of this stage is known, with all that it names."""

    def owing(self, head: bytes) -> Collection[Seat]:
        """Return the seats that owe an entry at a stage that we have reached; otherwise none."""

    def turn(self, seat: Seat, head: bytes) -> int:
        """Return at how many earlier stages of this epoch a seat owed an entry."""

    @property
    def stage(self) -> bytes | None:
        """The head of the stage at which the match waits; None once the rules have ended."""

    @property
    def settled(self) -> bytes:
        """The head of the last settled record of this epoch."""
