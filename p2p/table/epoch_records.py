"""The questions of an epoch to its table about the records of the match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from engine.core.moves import Seat
from p2p.table.epoch_entries import Flush


class Records(Protocol):
    """The records of one epoch, as a table knows them.

    The answers only grow: a known fact stays known. After each growth the table calls
    `Epoch.learn`.
    """

    def known(self, head: bytes) -> bool:
        """Whether a record of this epoch with this head is ours, or follows from held entries."""

    def line(self, head: bytes) -> Sequence[bytes]:
        """Return the heads of records from the first of the epoch to a known one."""

    def holders(self, head: bytes) -> Collection[Seat]:
        """Return the holders of the deck that is the record with this head; of others nobody."""

    def leads_to(self, flush: Flush) -> bool:
        """Whether a flush is on a known head, and says the number of that."""

    def explains(self, flush: Flush) -> bool:
        """Whether the entries that a flush names as reasons are known."""

    def word(self, seat: Seat, head: bytes) -> bool:
        """Whether a word of this seat on the head of this stage is known, and all that it names."""

    def owing(self, head: bytes) -> Collection[Seat]:
        """Return the seats that owe a word at a stage that we have come to in this epoch.

        If it is no such stage there are none.
        """

    def turn(self, seat: Seat, head: bytes) -> int:
        """Return at how many stages of this epoch a seat owed a word before this one."""

    @property
    def stage(self) -> bytes | None:
        """The head of the stage at which the match waits; None when the rules have ended."""

    @property
    def settled(self) -> bytes:
        """The head of the last record of this epoch that is settled."""
