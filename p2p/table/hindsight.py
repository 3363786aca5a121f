"""Faults in entries of the epoch before, in a step that our change dropped.

A member that has not made our change yet may convict a seat by such an entry, and then waits for
our flush for a round without that seat. So when its flush names a seat as gone that we have not
convicted, we judge these entries too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from p2p.table.epochs import Epochs
from p2p.table.faults import Desync, Fault, Forgotten
from p2p.table.inbox import Inbox
from p2p.table.progress import Progress


class Hindsight:
    """The last step of the epoch before, as far as its entries lead."""

    def __init__(self, anew: Callable[[Inbox], Progress]) -> None:
        self._anew = anew
        self._progress: Progress | None = None
        self._begins_at = 0
        """The number of records with which the present epoch began."""
        self._learned = -1

    def faults(
        self, epochs: Epochs, inbox: Inbox, ours: Progress
    ) -> Iterator[tuple[Fault, Progress]]:
        """Give the faults in these entries if a flush asks for them, each with its progress.

        The search is repeated whenever more is known.
        """
        if not epochs.names_more() or self._learned == inbox.learned:
            return
        self._learned = inbox.learned
        progress = self._before_the_change(epochs, inbox, ours)
        progress.inbox.hear(inbox)
        more = True
        while more:
            try:
                more = progress.sort() or progress.listen() or progress.close()
                more = more or progress.make_ahead(None)
            except Fault as fault:
                yield fault, progress
            except (Desync, Forgotten):
                more = False

    def _before_the_change(self, epochs: Epochs, inbox: Inbox, ours: Progress) -> Progress:
        """Return a progress at the last record of the epoch before, or beyond."""
        begins_at = epochs.records.begins_at
        if self._progress is None or self._begins_at != begins_at:
            self._begins_at = begins_at
            records = ours.records[: begins_at - 1]
            taken = {entry.data for record in records for entry in record.entries}
            self._progress = self._anew(inbox.afresh(epochs.now.number - 1, taken))
            for record in records:
                self._progress.take(record)
        return self._progress
