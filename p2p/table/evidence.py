"""The entries that a log needs to show why a seat goes, or is convicted: none may be left over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from engine.core.moves import Seat
from p2p.table.calls import contradict
from p2p.table.log import DECK, LEAVE, STAND, STEP, Entry
from p2p.table.progress import Record


def pair_of(entries: Sequence[Entry], seat: Seat) -> tuple[Entry, ...]:
    """Return the first two entries of a seat that contradict each other; or nothing."""
    own = [entry for entry in entries if entry.seat == seat]
    return next((pair for pair in combinations(own, 2) if contradict(*pair)), ())


def beyond(records: Sequence[Record], view: int, head: bytes) -> Callable[[Entry], bool]:
    """Return whether an entry of a view is beyond these records, the last of which has this head.

    It is for a later step, or for a deck that none of the records has.
    """
    decks = sum(record.entries[0].place[0] == DECK for record in records)

    def is_beyond(entry: Entry) -> bool:
        kind, of, *rest = entry.place
        if of != view:
            return False
        return (
            (kind == STEP and rest[0] > len(records))
            or (kind == DECK and rest[0] > decks)
            or (kind == STAND and entry.head == head)
        )

    return is_beyond


def is_needed(entries: Sequence[Entry], gone: Sequence[Seat], chosen: Sequence[Entry]) -> bool:
    """Whether a view change needs each of these entries, and no other, to show that seats may go.

    `chosen` are entries of theirs that would be enough: leaves, votes, or evidence. Beside an
    entry that does not hold there stands what was said in the step, and for the deck, in which it
    was found: that may be long ago.
    """
    data, enough = {entry.data for entry in entries}, {entry.data for entry in chosen}
    pairs = {seat: pair_of(entries, seat) for seat in gone}
    needed = {entry.data for pair in pairs.values() for entry in pair}
    rest = [entry for entry in entries if entry.data in enough and not pairs.get(entry.seat)]
    needed |= {entry.data for entry in rest}
    shown = {entry.seat for entry in rest if entry.place[0] == LEAVE}
    wrong = any(not pair and seat not in shown for seat, pair in pairs.items())
    complete = all(entry.data in data or pairs.get(entry.seat) for entry in chosen)
    return (
        complete
        and len(data) == len(entries)
        and all(
            entry.data in needed or (wrong and entry.place[0] in (STEP, DECK, STAND))
            for entry in entries
        )
    )
