"""Faults in entries of the epoch before, in a step that our change dropped.

A seat that stood on a change, but has not made it yet, may find such a fault. Then it waits for our
flush for a round that names the liar as gone. So we judge these entries too, once a flush does
that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from p2p.table.epochs import Epochs
from p2p.table.faults import Desync, Fault, Forgotten
from p2p.table.inbox import Inbox
from p2p.table.progress import Progress


class Held(Protocol):
    """The match as its table holds it now."""

    epochs: Epochs
    inbox: Inbox
    progress: Progress

    def anew(self, inbox: Inbox) -> Progress:
        """Return a new progress at the beginning of the match."""


class Hindsight:
    """The last step of the epoch before, as far as its entries lead."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._begins_at = 0
        """The number of records with which the present epoch began."""
        self._learned = -1

    def faults(self, held: Held) -> Iterator[tuple[Fault, Progress]]:
        """Give the faults in these entries if a flush asks for them, each with its progress.

        This is repeated whenever more is known.
        """
        if not held.epochs.names_more() or self._learned == held.inbox.learned:
            return
        self._learned = held.inbox.learned
        progress = self._before_the_change(held)
        progress.inbox.hear(held.inbox)
        more = True
        while more:
            try:
                more = progress.sort() or progress.listen() or progress.close()
                more = more or progress.make_ahead(None)
            except Fault as fault:
                yield fault, progress
            except (Desync, Forgotten):
                more = False

    def _before_the_change(self, held: Held) -> Progress:
        """Return a progress at the last record of the epoch before, or beyond."""
        begins_at = held.epochs.line.begins_at
        if self._progress is None or self._begins_at != begins_at:
            self._begins_at = begins_at
            records = held.progress.records[: begins_at - 1]
            taken = {entry.data for record in records for entry in record.entries}
            self._progress = held.anew(held.inbox.afresh(held.epochs.now.number - 1, taken))
            for record in records:
                self._progress.take(record)
        return self._progress
