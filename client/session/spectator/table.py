"""A match without a seat of our own: its table, and its log on disk.

Nothing here knows a network or a task; a worker thread makes the slow calls, one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _
from client.session.work import Wait
from client.storage.home import Home, StoreError
from client.storage.incident_report import IncidentReport, write_down
from client.storage.match_files import MatchFiles
from crypto.group import Group
from p2p.table.events import Event
from p2p.table.faults import BadSignature
from p2p.table.log import read_entry, read_log
from p2p.table.replay import no_entropy
from p2p.table.spectating import WatchedMatch, WatchRequest
from p2p.table.table import Table
from p2p.wire import Malformed


class SpectatorTable:
    """The table of a spectator. It verifies every entry as a player does."""

    def __init__(self, shown: WatchedMatch, home: Home, group: Group | None = None) -> None:
        """Watch a match from its beginning, or from the end of its log on disk.

        Raises StoreError.
        """
        terms = shown.terms
        self.terms, self.match = terms, terms.match
        self.files = MatchFiles(home, self.match, ())
        self.table = Table(terms, shown.signatures, None, None, no_entropy, group)
        try:
            _no_journals, log = self.files.take_up(terms)
            records = read_log(log).records if log else ()
            self.table.take_up(
                b"",
                [
                    (name, [read_entry(terms, self.match, data) for data in entries])
                    for name, entries in records
                ],
            )
        except (Malformed, BadSignature) as error:
            raise StoreError(
                _("{path} does not fit the entries received for its match: {why}").format(
                    path=self.files.log, why=error
                )
            ) from error
        self.wait = Wait.of(self.table)
        """The state of the table after its last round of work; other threads may read it."""
        self.before = self.table.events()
        """The events of the log on disk."""
        self.reports: list[IncidentReport] = write_down(self.files, self.table, self.before)
        """Incident reports that our player has not been told of."""

    def ask(self) -> WatchRequest:
        """Return a request for the entries after ours."""
        return WatchRequest(self.match, self.wait.steps, self.wait.head)

    def verify(self, entries: Sequence[bytes]) -> list[Event]:
        """Verify entries, and return the events.

        StoreError; Malformed or BadSignature for a forged entry.
        """
        try:
            for data in entries:
                if self.table.receive(data):
                    self.table.proceed()
            while self.table.make_ahead():  # evidence may be in the next deck
                self.table.proceed()
        finally:
            self.wait = Wait.of(self.table)
            self._store()
        events = self.table.events()
        self.reports += write_down(self.files, self.table, events)
        return events

    def close(self) -> None:
        """Close the log, with the received seals. Raises StoreError."""
        try:
            if self.table.over:
                self.files.log_file.write(self.table, last=True)
        finally:
            self.files.close(finished=False)

    def _store(self) -> None:
        """Write the whole records. A spectator has no journal and no entries of its own."""
        self.table.data_to_store()
        self.files.log_file.write(self.table)
        self.reports += [("branch", path) for path in self.files.log_file.branches()]
        self.table.data_to_send()
