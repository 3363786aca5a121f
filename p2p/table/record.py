"""The records of a match: whole steps, and epochs with their reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.moves import Seat
from p2p.table.log import FLUSH, STAND, Entry, RecordName, entries_record


@dataclass(frozen=True)
class Record:
    """A step with all its entries, or an epoch with reasons, flushes and stands."""

    name: RecordName
    entries: tuple[Entry, ...]

    @property
    def data(self) -> bytes:
        """The record's bytes in a log file."""
        return entries_record(self.name, self.entries)


@dataclass(frozen=True)
class Parts:
    """The record of an epoch: reasons, then flushes and stands of those that stay."""

    reasons: list[Entry]
    flushes: list[Entry]
    stands: list[Entry]

    @property
    def stays(self) -> tuple[Seat, ...]:
        """The seats that stay."""
        return tuple(flush.seat for flush in self.flushes)


def parts_of(entries: Sequence[Entry]) -> Parts:
    """Return the parts of the record of an epoch, unchecked.

    Flushes and stands may be among the reasons too, to convict a seat that goes.
    """
    count = 0
    while count < len(entries) and entries[-1 - count].kind == STAND:
        count += 1
        before = entries[-2 * count : len(entries) - count]
        places = {entry.place[1:] for entry in entries[len(entries) - count :]}
        seats = [entry.seat for entry in entries[len(entries) - count :]]
        if len(places) == 1 and [one.seat for one in before] == seats:
            flushes = [one for one in before if one.place == (FLUSH, *entries[-1].place[1:])]
            if len(flushes) == count:
                return Parts(
                    list(entries[: -2 * count]), flushes, list(entries[len(entries) - count :])
                )
    return Parts(list(entries), [], [])
