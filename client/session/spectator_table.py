"""A match as those see it who have no seat: a table nobody of ours sits at, and its log on disk.

Nothing here knows a network or a task; what takes time is called in a worker thread, one call at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import _
from client.storage.home import Home, StoreError
from client.storage.incident_report import IncidentReport, write_down
from client.storage.match_files import MatchFiles
from crypto.group import Group
from p2p.table.events import Event
from p2p.table.faults import BadSignature
from p2p.table.log import read_entry, read_log
from p2p.table.onlooking import Ask, Shown
from p2p.table.table import Table
from p2p.wire import Malformed


class SpectatorTable:
    """Where one looks on from. All that is shown is verified as a player verifies it."""

    def __init__(self, shown: Shown, home: Home, group: Group | None = None) -> None:
        """Look on at a match from its beginning, or from where its log on disk ends. StoreError."""
        terms = shown.terms
        self.terms, self.match = terms, terms.match
        self.files = MatchFiles(home, self.match, ())
        self.table = Table(terms, shown.signatures, None, None, no_entropy, group)
        try:
            _no_journals, log = self.files.take_up(terms)
            records = read_log(log).records if log else ()
            self.table.take_up(
                b"", [(name, [read_entry(terms, self.match, data) for data in entries]) for name, entries in records]
            )
        except (Malformed, BadSignature) as error:
            raise StoreError(
                _("{path} does not belong to what is shown of its match: {why}").format(path=self.files.log, why=error)
            ) from error
        self.before = self.table.events()
        """What has happened as far as the log on disk goes."""
        self.reports: list[IncidentReport] = []
        """What was written down, and nobody has been told of."""

    def ask(self) -> Ask:
        """Return what we have, for who can show us more."""
        return Ask(self.match, self.table.steps, self.table.head)

    def look(self, entries: Sequence[bytes]) -> list[Event]:
        """Take in what was shown, and return what has happened. StoreError; Malformed or BadSignature if no seat has said it."""
        try:
            for data in entries:
                if self.table.receive(data):
                    self.table.proceed()
            while self.table.make_ahead():  # what convicts a seat may stand in the next deck
                self.table.proceed()
        finally:
            self._store()
        events = self.table.events()
        self.reports += write_down(self.files, self.table, events)
        return events

    def close(self) -> None:
        """Close the log."""
        self.files.close(finished=False)

    def _store(self) -> None:
        """Write what is whole. What a seat would now say or keep to itself is nothing that we have."""
        self.table.data_to_store()
        self.files.log_file.write(self.table)
        self.reports += [("branch", path) for path in self.files.log_file.branches()]
        self.table.data_to_send()


def no_entropy(size: int) -> bytes:
    """Fail: an onlooker draws no randomness."""
    raise AssertionError(f"an onlooker draws no randomness ({size} bytes)")
