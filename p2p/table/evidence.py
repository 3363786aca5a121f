"""The entries that a log needs to show why a seat goes or is convicted, and no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from engine.core.moves import Seat
from p2p.table.log import DECK, STEP, Entry
from p2p.table.member_entries import contradict
from p2p.table.record import Record


def pair_of(entries: Sequence[Entry], seat: Seat) -> tuple[Entry, ...]:
    """Return the first two entries of a seat that contradict each other, or nothing."""
    own = [entry for entry in entries if entry.seat == seat]
    return next((pair for pair in combinations(own, 2) if contradict(*pair)), ())


def beyond(records: Sequence[Record], epoch: int) -> Callable[[Entry], bool]:
    """Return a test for entries that are for a later step or deck than these records."""
    decks = sum(record.entries[0].kind == DECK for record in records)
    last = {STEP: len(records), DECK: decks}

    def is_beyond(entry: Entry) -> bool:
        kind, of, *rest = entry.place
        return bool(of == epoch and kind in last and rest[0] > last[kind])

    return is_beyond
