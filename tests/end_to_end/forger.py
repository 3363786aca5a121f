"""A forger, alone and offline (A5): `python -m tests.end_to_end.forger HOME LOG OUT`.

With the key of one seat and the log of a match that it has lost it goes on from the middle of that
log, votes all others out by its single vote, and writes a log in which it has won and which it has
sealed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from pathlib import Path

from client.storage.home import Home
from engine.core.moves import Seat
from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import Call, ChangeRound
from p2p.table.log import read_entry, read_log, split_records
from p2p.table.table import Table


class Tyrant(Epoch):
    """An epoch in which one vote is enough."""

    def votes_owed(self) -> tuple[Call, ...]:
        here = self.records.stage
        assert here is not None
        return tuple((seat, here) for seat in self.members if seat != self.own)

    def carried(self, gone: frozenset[Seat]) -> frozenset[Call]:
        return frozenset(call for call in self.calls() if self.own in self.voters(call))

    def _owes(self, call: Call, gone: frozenset[Seat]) -> bool:
        return True

    def _may_go_on(self, of: ChangeRound, stays: Collection[Seat]) -> bool:
        return True


def forge(home: Path, log: bytes) -> bytes:
    """Return a log of the same match that ends as its forger likes."""
    identity, read = Home(home).identity, read_log(log)
    seat = next(
        seat
        for seat, place in enumerate(read.terms.participants)
        if place.public == identity.public
    )
    table = Table(read.terms, read.signatures, None, None, os.urandom)
    half = len(read.records) // 2
    for name, entries in read.records[:half]:
        table.replay(name, [read_entry(read.terms, read.terms.match, data) for data in entries])
    table.data_to_store()
    now = table.epochs.now
    table.seat = now.own = seat
    table.identity, now.__class__ = identity, Tyrant
    for other in now.members:
        if other != seat:
            table.vote(other)
    table.proceed()
    table.data_to_store()
    assert table.run.over, "it has won"
    assert table.sealed, "and it has sealed that"
    return table.log_update(None)[1]


if __name__ == "__main__":
    home, log, out = sys.argv[1:]
    forged = forge(Path(home), Path(log).read_bytes())
    assert len(split_records(forged)[0]) > 2
    Path(out).write_bytes(forged)
