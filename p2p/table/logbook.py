"""The bytes of a log file, and the part that a shorter file lacks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from p2p.table.log import Entry, entries_record

LogMark: TypeAlias = tuple[int, int, int]
"""How far a log file has come: epoch, records, seals. A file with a greater mark holds more."""


class LogBook:
    """The settled records of a match as bytes."""

    def __init__(self, opening: bytes) -> None:
        """Begin with the first record of the file."""
        self._data = bytearray(opening)
        self._ends = [len(opening)]
        """The end of each record; the opening is number 0."""
        self._bases: dict[int, int] = {}
        """The number of records with which each epoch began."""
        self._lowest: int | None = None
        """The fewest records kept by a cut since the last update; None without a cut."""

    @property
    def records(self) -> int:
        """The number of records, without the opening and the seals."""
        return len(self._ends) - 1

    def add(self, data: bytes) -> None:
        """Add a record."""
        self._data += data
        self._ends.append(len(self._data))

    def truncate(self, records: int) -> None:
        """Drop all but the first `records` records."""
        del self._data[self._ends[records] :]
        del self._ends[records + 1 :]
        self._lowest = records if self._lowest is None else min(self._lowest, records)

    def begin_epoch(self, epoch: int) -> None:
        """Note that the next record begins an epoch."""
        self._bases[epoch] = self.records

    def update(self, mark: LogMark | None, seals: Iterable[Entry]) -> tuple[int, bytes]:
        """Return the offset from which to replace a file with this mark, and the new bytes.

        A mark of None means an empty file.
        """
        at = 0
        if mark is not None:
            epoch, records, _seals = mark
            at = self._ends[
                min(
                    [
                        records,
                        self.records if self._lowest is None else self._lowest,
                        self.records,
                        *(base for began, base in self._bases.items() if began > epoch),
                    ]
                )
            ]
        self._lowest = None
        sealed = list(seals)
        return at, bytes(self._data[at:]) + (entries_record("seals", sealed) if sealed else b"")
