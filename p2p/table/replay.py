"""Verifying a log: a table nobody sits at is fed its entries, and nothing of a record may be left over or out of order.

The verdict says what the log proves. Only a log that is sealed by every seat still in the match is complete; whatever else
is good is good as far as it goes, and the verdict says what is missing. The first thing that is wrong is a `BadLog`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from crypto.errors import CryptoError
from crypto.group import Group
from engine.games import UnknownGame
from engine.options import BadOption
from p2p.table.events import Accused, Differs, Event, Gone, Mixed, Moved, Proved
from p2p.table.faults import BadSignature, Fault
from p2p.table.log import Entry, LogFile, read_entry, read_log, record
from p2p.table.table import Table
from p2p.table.terms import PROTOCOL
from p2p.wire import Malformed


class BadLog(Exception):
    """This is no good log: the sentence says what is wrong, where, and whose fault it is if it is a seat's.

    It is one line, and whatever a stranger wrote into the log is printable in it.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in sentence))


@dataclass
class Verdict:
    """What a log proves. `missing` says in one sentence why it is not complete; empty when it is."""

    table: Table
    checked: Counter[str] = field(default_factory=Counter)
    missing: str = ""
    missing_seals: tuple[int, ...] = ()
    faults: list[Fault] = field(default_factory=list)
    """What it proves against seats, in the order of the log."""
    gone: list[tuple[int, str]] = field(default_factory=list)
    """Who went, and how: `left`, `convicted` or `expelled`, by the word of the others."""
    sentence_only: bool = False
    """Whether this file only convicts."""

    @property
    def complete(self) -> bool:
        """Whether every seat still in the match has sealed it."""
        return not self.missing


def verify_log(data: bytes, group: Group | None = None, progress: Callable[[int, int], None] | None = None) -> Verdict:
    """Verify a log file, cheap checks first: form, signatures and order, then proofs and rules. BadLog if it does not hold."""
    log = _read(data)
    verdict = Verdict(_table(log, group))
    records = _read_entries(log)
    for number, (name, entries) in enumerate(records, 2):
        if progress:
            progress(number - 2, len(records))
        for event in _replay(verdict.table, number, name, entries):
            _count(verdict, event)
        verdict.checked["steps"] += name == "step"
        verdict.sentence_only |= name == "verdict"
    verdict.missing = _missing(verdict.table, log)
    if verdict.table.run.over:
        verdict.missing_seals = verdict.table.waiting
    return verdict


def replay_log(data: bytes, group: Group | None = None) -> Iterator[tuple[Table, list[Event]]]:
    """Play a log step by step: the table after each record, and what happened in it. BadLog where it does not hold."""
    log = _read(data)
    records = _read_entries(log)
    table = _table(log, group)
    yield table, table.events()
    for number, (name, entries) in enumerate(records, 2):
        yield table, _replay(table, number, name, entries)


def _read(data: bytes) -> LogFile:
    try:
        log = read_log(data)
    except Malformed as error:
        raise BadLog(str(error)) from error
    if log.terms.protocol != PROTOCOL:
        raise BadLog(f"a log of protocol {log.terms.protocol}; this program speaks {PROTOCOL}")
    return log


def _read_entries(log: LogFile) -> list[tuple[str, list[Entry]]]:
    """Check form, signature and match of every entry, before any proof is looked at, and return them by record."""
    match = log.terms.match
    records: list[tuple[str, list[Entry]]] = []
    for number, (name, entries) in enumerate(log.records, 2):
        if records and records[-1][0] == "verdict":
            raise BadLog(f"record {number}: something follows a verdict")
        records.append((name, []))
        for place, data in enumerate(entries, 1):
            try:
                records[-1][1].append(read_entry(log.terms, match, data))
            except (Malformed, BadSignature) as error:
                raise BadLog(f"record {number}, entry {place}: {error}") from error
    return records


def _table(log: LogFile, group: Group | None) -> Table:
    try:
        return Table(log.terms, log.signatures, None, None, _no_entropy, group)
    except CryptoError as error:
        raise BadLog(f"the terms are not signed by all seats: {error}") from error
    except (Malformed, UnknownGame, BadOption) as error:
        raise BadLog(f"the terms: {error}") from error


def _no_entropy(size: int) -> bytes:
    raise AssertionError(f"an onlooker draws no randomness ({size} bytes)")


def _replay(table: Table, number: int, name: str, entries: list[Entry]) -> list[Event]:
    """Feed one record; it must be taken whole, in its order, and do just what its name says."""
    where = f"record {number}"
    if table.sealed or (table.going and name != "cut"):
        raise BadLog(f"{where}: something follows the end of the match")
    before = table.steps
    table.data_to_store()
    table.replay(name, entries)
    events = table.events()
    for event in events:
        if isinstance(event, Accused) and name not in ("cut", "verdict"):
            raise BadLog(f"{where}: {_blame(event.fault)}")
        if isinstance(event, Differs) and name not in ("cut", "verdict"):
            raise BadLog(f"{where}: {_differs(event)}")
    one_more = table.steps == before + 1
    convicts = any(isinstance(event, Accused) for event in events)
    done = {"step": one_more, "cut": one_more and bool(table.gone), "seals": table.sealed, "verdict": convicts}
    if not done[name]:
        raise BadLog(f"{where}: {_unfinished(table, name)}")
    if name != "verdict" and table.data_to_store()[1] != record({name: [entry.data for entry in entries]}):
        # Left to itself, the table would have written another record.
        raise BadLog(f"{where}: its entries are not in the order of their stages and seats, or there are too many")
    return events


def _blame(fault: Fault) -> str:
    return f"{fault} ({fault.kind})"


def _differs(event: Differs) -> str:
    if event.seat is None:
        return "the proofs hold, but a card is none of the pack"
    return f"an entry of p{event.seat + 1} does not follow what stands before it"


def _unfinished(table: Table, name: str) -> str:
    if name == "seals":
        return "seals before the end of the match"
    if name == "verdict":
        return "it convicts nobody"
    waiting = ", ".join(f"p{seat + 1}" for seat in table.waiting)
    what = "the cut" if name == "cut" else f"step {table.steps + 1}"
    return f"{what} is not whole: entries of {waiting or 'nobody'} are missing"


def _count(verdict: Verdict, event: Event) -> None:
    names: dict[type[Any], str] = {Mixed: "shuffles", Moved: "moves", Proved: "claims"}
    if type(event) in names:
        verdict.checked[names[type(event)]] += 1
    if isinstance(event, Accused):
        verdict.faults.append(event.fault)
    elif isinstance(event, Gone):
        verdict.gone.append((event.seat, event.how))


def _missing(table: Table, log: LogFile) -> str:
    """Say why a log that is good as far as it goes is not complete."""
    if table.going:
        return f"it only convicts: {_blame(table.fault)}" if table.fault else "it only convicts"
    if log.torn:
        return f"the last record is torn: {log.torn} bytes of it are there"
    if table.run.over and not table.sealed:
        return "the match is over, but its seals are missing"
    if not table.sealed:
        return "the match is not over" if table.begun else "the match has not begun"
    return ""
