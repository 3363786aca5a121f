"""Verify a log: a table without seats processes its entries.

No part of a record may be left over or out of order. The verdict says what the log proves. A log is
complete only if every seat sealed it, left by its own entry, or is convicted by its entries. A
shorter log is valid as far as it goes; the verdict names the missing parts and the departures that
rest on votes. The first error raises `BadLog`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from crypto.errors import CryptoError
from crypto.group import Group
from engine.core.errors import Explained
from engine.core.options import BadOption
from engine.games import UnknownGame
from p2p.table.events import Accused, Differs, Event, Gone, How, Mixed, Moved, Proved
from p2p.table.evidence import pair_of
from p2p.table.faults import BadSignature, Equivocation, FalseFlush, Fault
from p2p.table.log import LEAVE, Entry, LogFile, RecordName, read_entry, read_log, record
from p2p.table.table import Table
from p2p.table.terms import OtherVersion
from p2p.wire import PROTOCOL, Malformed


class BadLog(Explained):
    """The log is invalid: the error, its place, and the seat if it is a seat's fault."""


class OtherLog(BadLog):
    """A log of another version of the protocol or the rules; nothing in it was checked."""


Missing: TypeAlias = Literal["", "convicts", "torn", "seals", "end", "beginning"]
"""Why a log that is valid as far as it goes is incomplete: it only convicts, its last record is
incomplete, the match is over but not all have signed its end, is not over, or has not begun."""


@dataclass
class Verdict:
    """The result of verifying a log."""

    table: Table
    checked: Counter[str] = field(default_factory=Counter)
    """How many steps, shuffles, claims and moves; a move is a choice, as in an outline."""
    missing: Missing = ""
    waiting: tuple[int, ...] = ()
    """The seats whose entry is missing: a move, a seal, or a flush."""
    faults: list[Fault] = field(default_factory=list)
    """The faults that it proves, in the order of the log."""
    gone: list[Departure] = field(default_factory=list)
    """The seats that went, in the order of the log."""
    convicts: bool = False
    """Whether this log only convicts a seat."""
    left: tuple[int, ...] = ()
    """The seats that left by leaves that no record of the log has."""

    @property
    def voted_out(self) -> list[Departure]:
        """The seats that others voted out; that is their decision, and no proof."""
        return [one for one in self.gone if one.how == "voted"]

    @property
    def complete(self) -> bool:
        """Whether every seat sealed it, left by its own entry, or is convicted."""
        return not self.missing and not self.voted_out


@dataclass(frozen=True)
class Departure:
    """A seat that went, as in `Gone`."""

    seat: int
    how: How
    record: int
    """The number of the record that says so, counted as steps are."""
    voters: tuple[int, ...] = ()
    electorate: int = 0


def verify_log(
    data: bytes,
    group: Group | None = None,
    progress: Callable[[int, int], None] | None = None,
    watch: Callable[[Table, list[Event]], None] | None = None,
) -> Verdict:
    """Verify a log file, cheap checks first: form, signatures and order, then proofs and rules.

    `watch` is called with the table after each verified record, and its events, as in `replay_log`.
    Raises BadLog.
    """
    log = read_form(data)
    table, records = _table_of(log, group), _read_entries(log)
    names = [name for name, _entries in records]
    checked = Counter(steps=names.count("step"))
    verdict = Verdict(table, checked, convicts="verdict" in names)
    for number, events in enumerate(_replayed(table, records)):
        for event in events:
            _count(verdict, event)
        if watch:
            watch(table, events)
        if progress and number < len(records):
            progress(number, len(records))
    verdict.missing, verdict.waiting = _missing(verdict, log), table.waiting
    return verdict


def take_leaves(table: Table, entries: Iterable[Entry]) -> tuple[int, ...]:
    """Give a table with a whole log the later leaves; return the seats that left by them.

    A seat that the log, or its own entries, put out of the match has not left.
    """
    leaves = [one for one in entries if one.kind == LEAVE and one.seat not in table.gone]
    for one in leaves:
        table.receive(one.data)
    table.proceed()
    return tuple(sorted({one.seat for one in leaves if table.how(one.seat) == "left"}))


def add_leaves(verdict: Verdict, take: Callable[[Table], tuple[int, ...]]) -> None:
    """Add the leaves that `take` gives the table of a verdict.

    All who stay must answer a leave. Nobody plays at this table, so it does not know that.
    """
    if verdict.convicts:
        return
    verdict.left = take(verdict.table)
    for event in verdict.table.events():
        _count(verdict, event)
    out = {*verdict.left, *(fault.seat for fault in verdict.faults)}
    waiting = verdict.table.staying if verdict.left else verdict.table.waiting
    verdict.waiting = tuple(seat for seat in waiting if seat not in out)


def replay_log(data: bytes, group: Group | None = None) -> Iterator[tuple[Table, list[Event]]]:
    """Replay a log: give the table after each record, with its events.

    Raises BadLog at the first error.
    """
    log = read_form(data)
    table, records = _table_of(log, group), _read_entries(log)
    for events in _replayed(table, records):
        yield table, events


def read_form(data: bytes) -> LogFile:
    """Read the form of a log of this version; check nothing else. Raises BadLog."""
    try:
        log = read_log(data)
    except OtherVersion as error:
        raise OtherLog("log-of-other-protocol", theirs=error.theirs, ours=error.ours) from error
    except Malformed as error:
        raise BadLog("malformed-log", error=error) from error
    if log.terms.protocol != PROTOCOL:
        raise OtherLog("log-of-other-protocol", theirs=log.terms.protocol, ours=PROTOCOL)
    return log


def _read_entries(log: LogFile) -> list[tuple[RecordName, list[Entry]]]:
    """Check form, signature and match of every entry, and return them by record."""
    match = log.terms.match
    records: list[tuple[RecordName, list[Entry]]] = []
    for number, (name, entries) in enumerate(log.records, 2):
        if records and records[-1][0] == "verdict":
            raise BadLog("after-verdict", number=number)
        records.append((name, []))
        for place, data in enumerate(entries, 1):
            try:
                records[-1][1].append(read_entry(log.terms, match, data))
            except (Malformed, BadSignature) as error:
                raise BadLog("bad-entry", number=number, place=place, error=error) from error
    return records


def check_terms(log: LogFile) -> None:
    """Raise BadLog unless this program plays by the terms of a log, and every seat signed them."""
    try:
        log.terms.check_game()
        log.terms.check_signatures(log.signatures)
    except CryptoError as error:
        raise BadLog("unsigned-terms", error=error) from error
    except OtherVersion as error:
        raise OtherLog("bad-terms", error=error) from error
    except UnknownGame as error:
        raise OtherLog("log-of-other-game", game=repr(log.terms.game)) from error
    except (Malformed, BadOption) as error:
        raise BadLog("bad-terms", error=error) from error


def _table_of(log: LogFile, group: Group | None) -> Table:
    """Return a table for a log before its first record, without a seat. Raises BadLog."""
    check_terms(log)
    return Table(log.terms, log.signatures, None, None, no_entropy, group)


def no_entropy(size: int) -> bytes:
    """Fail: a spectator draws no randomness."""
    raise AssertionError(f"a spectator draws no randomness ({size} bytes)")


def _replayed(
    table: Table, records: Sequence[tuple[RecordName, list[Entry]]]
) -> Iterator[list[Event]]:
    """Give the first events of a table, then those of each record that it processes."""
    yield table.events()
    for number, (name, entries) in enumerate(records, 2):
        yield _replay(table, number, name, entries)


def _replay(table: Table, number: int, name: RecordName, entries: list[Entry]) -> list[Event]:
    """Process one record, which must be complete, in order, and of the named kind."""
    if table.mark[2] or table.sealed or (table.over and name == "epoch"):
        raise BadLog("after-end", number=number)
    mark, is_beyond = table.mark, table.beyond_now()
    table.data_to_store()
    table.replay(name, entries)
    events = table.events()
    for event in events:
        if isinstance(event, Accused) and name not in ("epoch", "verdict"):
            raise BadLog("fault-in-record", number=number, fault=event.fault, kind=event.fault.id)
        if isinstance(event, Differs) and name not in ("epoch", "verdict"):
            raise _differs(number, event)
    epoch, steps, seals = table.mark
    one_more = steps == mark[1] + 1
    convicts = any(isinstance(event, Accused) for event in events)
    done = {
        "step": one_more and epoch == mark[0],
        "epoch": one_more and epoch == mark[0] + 1,
        "seals": seals == len(entries) and steps == mark[1],
        "verdict": convicts and _convicts_with_all(entries, events, mark[1], is_beyond),
    }
    if not done[name]:
        raise _incomplete(number, table, name)
    if name != "verdict" and table.log_update(mark)[1] != record(
        {name: [entry.data for entry in entries]}
    ):
        # On its own, the table would have written another record.
        raise BadLog("entries-out-of-order", number=number)
    return events


def _convicts_with_all(
    entries: list[Entry], events: list[Event], steps: int, is_beyond: Callable[[Entry], bool]
) -> bool:
    """Whether a verdict after `steps` records has only entries that convict one seat.

    Two contradicting entries need no record of the match. Other faults come with the entries since
    the last record (`is_beyond`), which may be whole steps that a change dropped.
    """
    faults = [event.fault for event in events if isinstance(event, Accused)]
    if len(faults) != 1 or len({entry.data for entry in entries}) != len(entries):
        return False
    pair = pair_of(entries, faults[0].seat)
    if pair or isinstance(faults[0], Equivocation | FalseFlush):
        return len(pair) == len(entries) and steps == 0
    return all(entry.data in faults[0].evidence or is_beyond(entry) for entry in entries)


def _differs(number: int, event: Differs) -> BadLog:
    if event.seat is None:
        return BadLog("no-such-card", number=number)
    return BadLog("entry-does-not-follow", number=number, seat=event.seat + 1)


def _incomplete(number: int, table: Table, name: RecordName) -> BadLog:
    if name == "seals":
        return BadLog("early-seals", number=number)
    if name == "verdict":
        return BadLog("convicts-nobody", number=number)
    seats = ", ".join(f"p{seat + 1}" for seat in table.waiting) or "-"
    if name == "epoch":
        return BadLog("epoch-not-shown", number=number)
    return BadLog("step-not-whole", number=number, step=table.steps + 1, seats=seats)


def _count(verdict: Verdict, event: Event) -> None:
    names: dict[type[Any], str] = {Mixed: "shuffles", Moved: "moves", Proved: "claims"}
    if type(event) in names and not (isinstance(event, Moved) and event.auto):
        verdict.checked[names[type(event)]] += 1
    if isinstance(event, Accused):
        verdict.faults.append(event.fault)
    elif isinstance(event, Gone):
        verdict.gone.append(
            Departure(event.seat, event.how, verdict.table.steps, event.voters, event.electorate)
        )


def _missing(verdict: Verdict, log: LogFile) -> Missing:
    """Return why a log that is valid as far as it goes is incomplete."""
    table = verdict.table
    if verdict.convicts:
        return "convicts"
    if log.torn:
        return "torn"
    if table.run.over and not table.sealed:
        return "seals"
    if not table.sealed:
        return "end" if table.begun else "beginning"
    return ""
