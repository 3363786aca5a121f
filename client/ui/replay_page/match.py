"""A match for a page: its verdict, and its steps as one seat saw them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from client.session.analysis import Analysis
from client.ui.replay import NONE, Follower, Played, Shares
from engine.core.moves import Face, Seat, Slot
from p2p.table.events import Event
from p2p.table.log import LogFile
from p2p.table.replay import BadLog, Verdict, read_form, replay_log, verify_log
from p2p.table.seen import SeenFaces
from p2p.table.table import Table
from p2p.table.tail import joined, split_records


@dataclass(frozen=True)
class Match:
    """A match that has been played again. Either `verdict` or `error` is there."""

    log: LogFile
    seat: Seat | None
    steps: tuple[Played, ...]
    verdict: Verdict | None = None
    error: BadLog | None = None
    records: tuple[int, ...] = ()
    """The number of each step's record, from 0."""
    analysis: Analysis | None = None
    shares: Mapping[Slot, bytes] = field(default_factory=dict, repr=False)
    """The kept shares of the seat that open cards of it which never became public."""


def read_match(
    data: bytes, seat: Seat | None, *, anyway: bool = False, shares: Shares = NONE
) -> Match:
    """Verify a log and play it; `shares` are kept shares of the seat.

    BadLog; with `anyway` only if nothing of it can be shown: else it goes up to the bad record.
    """
    try:
        return _read(data, seat, shares)
    except BadLog as error:
        if not anyway or "number" not in error.facts:
            raise
        steps = _before(data, seat, error)
        if not steps:
            raise
        return Match(read_form(data), seat, steps, error=error)


def _read(data: bytes, seat: Seat | None, shares: Shares = NONE) -> Match:
    if seat is None:
        steps = _Steps(None, {})
        verdict = verify_log(data, watch=steps.take)
        return Match(read_form(data), None, steps.done(), verdict, records=tuple(steps.records))
    seen = SeenFaces(seat, shares)
    verdict = verify_log(data, watch=seen.take)
    if seen.needed and not verdict.table.over:  # nobody gives away a hand that is still played
        return _read(data, seat)
    steps = _Steps(seat, seen.faces)
    for table, events in replay_log(data):
        steps.take(table, events)
    return Match(
        read_form(data),
        seat,
        steps.done(),
        verdict,
        records=tuple(steps.records),
        shares=seen.needed,
    )


def _before(data: bytes, seat: Seat | None, error: BadLog) -> tuple[Played, ...]:
    """Return the steps of the records before the one with an error."""
    good = split_records(data)[0][: int(str(error.facts["number"])) - 1]
    try:
        return _read(joined(good), seat).steps
    except BadLog:  # an entry is read before the proofs of the records before it are looked at
        return ()


class _Steps:
    """Collects the steps that show anything."""

    def __init__(self, seat: Seat | None, faces: Mapping[Slot, Face]) -> None:
        self._follower = Follower(seat, faces, stranger=True)
        self._found: list[Played] = []
        self.records: list[int] = []
        self._taken = 0
        self._table: Table | None = None

    def take(self, table: Table, events: list[Event]) -> None:
        self._table = table
        shown = [step for step in self._follower.follow(table, events) if step.lines()]
        self._found += shown
        self.records += [self._taken] * len(shown)
        self._taken += 1

    def done(self) -> tuple[Played, ...]:
        """Return the steps; those of a log without all seals end with a sentence."""
        return (*self._found, *(self._follower.end(self._table) if self._table is not None else ()))
