"""A departure: the file beside a log for a player that left before the others continued.

A leave enters the log with the resulting change, which the players who stay make. If they are away,
our log ends before it. So the file keeps the signed entries that our tables held beyond the log,
our leave first, and the head of the log's end: a leave itself names the head with which its epoch
began. All of this is public. From this file the history, `replay` and `verify` know that our player
left, and a returning player learns it.

Anybody can put a file beside a log. So it counts only if every entry in it is of that match and
signed by its seat; and it adds nothing to a log that reaches the end of its match.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from client.storage.match_log import read_terms
from client.storage.regular import open_regular
from engine.core.errors import Explained
from engine.core.moves import Seat
from p2p.table.faults import BadSignature
from p2p.table.log import (
    LEAVE,
    Entry,
    names_match,
    read_entry,
    read_unsigned,
    record,
)
from p2p.table.replay import take_leaves
from p2p.table.table import Table
from p2p.table.tail import split_records
from p2p.table.terms import Terms
from p2p.wire import Malformed, shape, unpack

DEPARTURE = ".left"
LIMIT_BYTES = 1 << 20
"""The most bytes of the entries in such a file."""
_FORM_BYTES = 1 << 16
"""The most bytes besides the entries."""


class BadDeparture(Explained):
    """The file beside a log is no departure of its match."""


def beyond_log(table: Table) -> list[bytes]:
    """Return the entries that a table holds beyond its log, its own leave first."""
    held = table.held_since(table.steps)
    leaves = [data for data in held if _is_leave(table, data)]
    return list(dict.fromkeys([*leaves, *held]))


def _is_leave(table: Table, data: bytes) -> bool:
    entry = read_unsigned(table.terms, table.match, data)
    return entry.kind == LEAVE and entry.seat == table.seat


def departure(entries: Iterable[bytes], head: bytes) -> bytes:
    """Return the file with the head of the log's end and as many of these entries as fit."""
    kept, size = list[bytes](), 0
    for data in dict.fromkeys(entries):
        size += len(data)
        if size > LIMIT_BYTES:
            break
        kept.append(data)
    return record({"head": head, "left": kept})


def read_departure(log: Path, terms: Terms) -> tuple[bytes, list[Entry]]:
    """Return the head of the log's end, and the signed entries, in the departure beside a log.

    They are empty without such a file. The head is not signed. Raises BadDeparture.
    """
    try:
        with open_regular(log.with_suffix(DEPARTURE)) as file:
            data = file.read(LIMIT_BYTES + _FORM_BYTES)
    except FileNotFoundError:
        return b"", []
    except OSError as error:
        raise BadDeparture("unreadable-departure", error=error.strerror or error) from error
    try:
        head, entries = _parts_of(data)
        if all(names_match(one, terms.match) for one in entries):
            return head, [read_entry(terms, terms.match, one) for one in entries]
    except BadSignature as error:
        raise BadDeparture("unsigned-departure") from error
    except (Malformed, ValueError) as error:
        raise BadDeparture("damaged-departure") from error
    raise BadDeparture("departure-of-other-match")


def _parts_of(data: bytes) -> tuple[bytes, list[bytes]]:
    """Return the head and the entries in a departure. Raises Malformed or ValueError."""
    (found,), torn = split_records(data, LIMIT_BYTES + _FORM_BYTES)
    fields = shape(unpack(found, LIMIT_BYTES + _FORM_BYTES), head=bytes, left=list)
    if torn or any(type(one) is not bytes for one in fields["left"]):
        raise Malformed("no departure")
    return fields["head"], fields["left"]


def last_departure(logs: Path) -> float:
    """Return when our player last left a match, in seconds since 1970; 0.0 if never."""
    times = [0.0]
    for path in logs.glob(f"*{DEPARTURE}"):
        with suppress(OSError):  # just deleted, or a dangling link
            times.append(path.stat().st_mtime)
    return max(times)


def left_after(log: Path, table: Table) -> tuple[Seat, ...]:
    """Return the seats that left by the departure beside a log, and by no record of it.

    `table` has the whole log, and takes the leaves too. Raises BadDeparture.
    """
    return () if table.over else take_leaves(table, read_departure(log, table.terms)[1])


def has_left(log: Path, seat: Seat) -> bool:
    """Whether the departure beside a log says that this seat left; a bad one says nothing."""
    try:
        _head, entries = read_departure(log, read_terms(log))
    except (OSError, Malformed, BadDeparture):
        return False
    return any(entry.kind == LEAVE and entry.seat == seat for entry in entries)
