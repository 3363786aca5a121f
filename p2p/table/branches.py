"""The search for the point at which records of flushed members diverge.

Only equivocation of a seat can cause this.

A seat that has flushed on another branch shows its entries. We follow them with the other story of
each pair that we hold, from the record before on, until we come to the head that was flushed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from p2p.table.faults import Desync, Fault
from p2p.table.inbox import Inbox
from p2p.table.log import DECK, STEP, Entry
from p2p.table.progress import Progress
from p2p.table.view_change import Flush

PAIRS = 4
"""So many pairs of stories are followed; a seat whose head needs more has shown nothing, and is
voted on."""


def shared_records(
    ours: Progress, flushes: Sequence[Flush], inbox: Inbox, anew: Callable[[Inbox], Progress]
) -> tuple[Progress, int] | None:
    """Return from where a match goes on: a progress, and how many of its records count.

    None while a head is unknown.

    The furthest of the flushed heads if they lie on one chain, else the last record that all of
    them share.
    """
    found = [ours]
    heads = {flush.head for flush in flushes}
    if not all(head in ours.trail for head in heads):
        found += branches(ours, inbox, anew)
    for progress in found:
        if all(head in progress.trail for head in heads):
            return progress, max(progress.trail.index(head) for head in heads)
    on = [
        next((progress for progress in found if head in progress.trail), None)
        for head in sorted(heads)
    ]
    known = [progress for progress in on if progress is not None]
    if len(known) < len(on):
        return None
    shared = min(_common(ours, progress) for progress in known)
    return ours, min([shared, *(ours.trail.index(head) for head in heads if head in ours.trail)])


def _common(one: Progress, other: Progress) -> int:
    """Return how many records two share."""
    at = 0
    while (
        at + 1 < min(len(one.trail), len(other.trail)) and one.trail[at + 1] == other.trail[at + 1]
    ):
        at += 1
    return at


def branches(ours: Progress, inbox: Inbox, anew: Callable[[Inbox], Progress]) -> list[Progress]:
    """Return the chains that follow from the second stories that we hold in this view."""
    pairs = [
        (one, two)
        for one, two in inbox.pairs()
        if one.place[0] in (STEP, DECK) and one.place[1] == ours.here.view
    ][-PAIRS:]
    chosen = [some for size in range(1, len(pairs) + 1) for some in combinations(pairs, size)]
    return [_follow(ours, [two for _, two in some], inbox, anew) for some in chosen]


def _records_before(ours: Progress, entry: Entry) -> int:
    """Return how many of our records come before the step that an entry is for."""
    if entry.place[0] == STEP:
        return int(entry.place[2]) - 1
    numbers = (
        at for at, record in enumerate(ours.records) if record.entries[0].place == entry.place
    )
    return next(numbers, len(ours.records))


def _follow(
    ours: Progress, second: list[Entry], inbox: Inbox, anew: Callable[[Inbox], Progress]
) -> Progress:
    """Return a chain that follows these stories, as far as the words go that we hold."""
    start = min(_records_before(ours, entry) for entry in second)
    records = ours.records[:start]
    taken = {entry.data for record in records for entry in record.entries}
    progress = anew(inbox.afresh(ours.here.view, taken, {entry.data for entry in second}))
    for record in records:
        progress.take_any(record)
    progress.drain_events()
    more = True
    while more:
        try:
            more = progress.sort() or progress.listen() or progress.close()
        except Fault:
            more = True  # the liar's words are taken out one by one
        except Desync:
            more = False  # no table stands on this branch
    return progress
