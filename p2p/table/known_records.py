"""The records of one epoch, as a table knows them: its own, and those on other branches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Protocol

from engine.core.moves import Seat
from p2p.table.epoch_entries import Flush
from p2p.table.inbox import Inbox
from p2p.table.log import DECK, REASONS, Entry
from p2p.table.progress import Progress

REASONS_BYTES = 3 << 19
"""The most bytes of all reasons that a flush names. A proof may rest on a deck for which almost
half of the holders burnt all keys that they may, and the flushes of all seats must fit into one
record."""


class Held(Protocol):
    """The match as its table holds it now."""

    inbox: Inbox
    progress: Progress

    @property
    def head(self) -> bytes:
        """The head after the last settled record."""

    def entries_since(self, steps: int) -> list[Entry]:
        """Return all entries after the first `steps` records."""


class KnownRecords:
    """A table's answers to the questions of an epoch (`epoch_records.Records`)."""

    def __init__(self, held: Held, number: int, begins_at: int, head: bytes) -> None:
        """Begin an epoch on this head, that of record number `begins_at`."""
        self._held, self.number, self.begins_at, self.begin = held, number, begins_at, head
        self._before: dict[bytes, bytes] = {head: b""}
        """Each known head, with that of the record before it."""
        self._holders: dict[bytes, frozenset[Seat]] = {}
        """The holders of each deck, by the head of its record."""
        self._stages: dict[bytes, frozenset[Seat]] = {}
        """The heads of the stages that we have reached, in order, with the seats that owe an entry.
        """
        self._noted: tuple[Progress | None, int] = None, 0
        self._end: bytes | None = None
        self._reasons: dict[bytes, Entry] = {}
        """The entries that flushes name as reasons, by hash."""
        self._lacking: dict[tuple[bytes, ...], set[bytes]] = {}
        """The reasons of a flush that we lack, by hash."""

    def note(self, progress: Progress) -> None:
        """Learn the heads of a chain of records, on our branch or another."""
        trail = progress.trail[self.begins_at :]
        self._before |= {
            head: before for before, head in pairwise(trail) if head not in self._before
        }
        self._holders |= {
            head: frozenset(entry.seat for entry in record.entries)
            for head, record in zip(trail[1:], progress.records[self.begins_at :], strict=True)
            if record.entries[0].kind == DECK and head not in self._holders
        }

    def arrive(self, head: bytes, owed: frozenset[Seat]) -> None:
        """Note the head of a stage in which these seats owe an entry."""
        self._stages.setdefault(head, owed)

    def end(self, base: bytes) -> None:
        """End the epoch with this record, because a change is made."""
        self._learn_ours()
        self._end = base

    def known(self, head: bytes) -> bool:
        """Whether a record with this head is ours, or follows from entries that we hold."""
        self._learn_ours()
        return head in self._before

    def heads_to(self, head: bytes) -> Sequence[bytes]:
        """Return the heads of records from the first of the epoch to a known one."""
        found = [head]
        while before := self._before[found[-1]]:
            found.append(before)
        return found[::-1]

    def holders(self, head: bytes) -> Collection[Seat]:
        """Return the holders of the deck whose record has this head; for other records, none."""
        return self._holders.get(head, ())

    def reason(self, named: bytes) -> Entry:
        """Return an entry that a flush names as a reason, by its hash."""
        return self._reasons[named]

    def lacking(self, flush: Flush) -> list[bytes]:
        """Return the hashes of the reasons of a flush that we lack, sorted."""
        return sorted(self._lacking.get(flush.reasons, ()))

    def keep(self, entry: Entry) -> bool:
        """Keep an entry if a known flush names it and we lack it; return whether we do."""
        if not any(entry.hash in lacking for lacking in self._lacking.values()):
            return False
        for lacking in self._lacking.values():
            lacking.discard(entry.hash)
        self._reasons[entry.hash] = entry
        return True

    @property
    def reasons(self) -> Collection[Entry]:
        """The entries that flushes name as reasons, as far as they are here."""
        return self._reasons.values()

    def leads_to(self, flush: Flush) -> bool:
        """Whether a flush is on a known head, and names its number."""
        return self.known(flush.head) and flush.records == self.number_of(flush.head)

    def number_of(self, head: bytes) -> int:
        """Return how many records of the match lead to a known head."""
        return self.begins_at + len(self.heads_to(head)) - 1

    def explains(self, flush: Flush) -> bool:
        """Whether we have the reasons of a flush. Too many, or too long ones, are not kept."""
        reasons = flush.reasons
        if len(reasons) > REASONS:
            return False
        known = {named: self._reasons[named] for named in reasons if named in self._reasons}
        if len(known) < len(reasons):
            inbox = self._held.inbox
            seconds = (second for _first, second in inbox.stories())
            held = (*self._held.entries_since(self.begins_at), *inbox.known(), *seconds)
            found = {entry.hash: entry for entry in held}
            known |= {named: found[named] for named in reasons if named in found}
        self._lacking.pop(reasons, None)
        if sum(len(entry.data) for entry in known.values()) > REASONS_BYTES:
            return False
        self._reasons |= known
        if len(known) < len(reasons):
            self._lacking[reasons] = set(reasons) - known.keys()
        return len(known) == len(reasons)

    def has_entry(self, seat: Seat, head: bytes) -> bool:
        """Whether a seat's entry on the head of this stage is known, with all that it names."""
        spoke = self._held.inbox.spoke(self.number, head, seat)
        return spoke and not self._held.progress.names_what_we_lack(seat, head)

    def owing(self, head: bytes) -> Collection[Seat]:
        """Return the seats that owe an entry at a stage that we have reached in this epoch."""
        return self._stages.get(head, ())

    def turn(self, seat: Seat, head: bytes) -> int:
        """Return at how many earlier stages of this epoch a seat owed an entry."""
        heads = list(self._stages)
        return sum(seat in self._stages[before] for before in heads[: heads.index(head)])

    @property
    def stage(self) -> bytes | None:
        """The head of the stage at which the match waits; None once the rules have ended."""
        exchange = self._held.progress.exchange
        return exchange.head if exchange is not None and self._end is None else None

    @property
    def settled(self) -> bytes:
        """The head of the last settled record of this epoch."""
        return self._held.head if self._end is None else self._end

    def _learn_ours(self) -> None:
        progress = self._held.progress
        if self._end is None and self._noted != (progress, len(progress.trail)):
            self._noted = progress, len(progress.trail)
            self.note(progress)
