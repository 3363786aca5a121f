"""The search for the point at which records of flushed members diverge.

Only equivocation of a seat can cause this.

A seat that has flushed on another branch shows its entries. We follow them with the other story of
each pair that we hold, from the record before on, until we come to the head that was flushed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from p2p.table.inbox import Inbox
from p2p.table.log import DECK, STEP, Entry
from p2p.table.progress import Progress

PAIRS = 32
"""So many pairs of stories are followed from one line, the latest of those that have parted it."""
LINES = 48
"""So many lines are followed; a seat whose head needs more has shown nothing, and is voted on."""


def branches(ours: Progress, inbox: Inbox, anew: Callable[[Inbox], Progress]) -> Iterator[Progress]:
    """Give the lines that follow from other stories than ours that we hold in this epoch.

    A second story leads from a line only where the first is among its words, or where the line
    lacks just this word. A seat can tell any number of others, which displace none of these.
    """
    pairs = [
        (one, two)
        for one, two in inbox.stories()
        if one.place[0] in (STEP, DECK) and one.place[1] == ours.here.epoch
    ]
    lines: list[tuple[Progress, list[Entry]]] = [(ours, [])]
    tried = set[frozenset[bytes]]()
    for line, chosen in lines:  # it grows
        least = max((_records_before(ours, entry) for entry in chosen), default=0)
        for two in _parting(line, pairs, least):
            story = frozenset(entry.data for entry in (*chosen, two))
            if story not in tried and len(tried) < LINES:
                tried.add(story)
                after = _follow(ours, [*chosen, two], inbox, anew)
                lines.append((after, [*chosen, two]))
                yield after


def _parting(line: Progress, pairs: list[tuple[Entry, Entry]], least: int) -> list[Entry]:
    """Return the second stories that lead from a line after so many records, the latest first."""
    records = (entry for record in line.records for entry in record.entries)
    said = {entry.data for entry in (*records, *line.context())}
    found = [
        two
        for one, two in pairs
        if (one.data in said or line.lacks(two)) and _records_before(line, two) >= least
    ]
    return sorted(found, key=lambda two: _records_before(line, two))[::-1][:PAIRS]


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
    progress = anew(inbox.afresh(ours.here.epoch, taken, {entry.data for entry in second}))
    for record in records:
        progress.take_any(record)
    progress.drain_events()
    progress.go_on()
    return progress
