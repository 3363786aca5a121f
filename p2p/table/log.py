"""Entries, the only messages of a seat in a match, and the log file that stores them.

An entry is `[match, place, stage, seat, head, body, signature]` in canonical msgpack. Its place is
one of

    ["step", epoch, n]                 for the n-th record of the match
    ["deck", epoch, number, d0]        for a deck, on its own chain, which begins on d0
    ["seal", epoch, n]                 a seal, in place of the n-th record
    ["leave", epoch]                   the departure of a seat
    ["vote", epoch, point, seat]       a vote to continue without a seat awaited at that point
    ["flush", epoch, gone, called, heard]  a promise to make no change of an earlier round
    ["stand", epoch, gone, called, heard]  consent to the change whose id is the head

Its head is the running hash on which it was signed. A log file is a sequence of records, each a u32
length and a canonical value: first the terms with their signatures; a `step` for each step, with
its entries in order of stage and seat; an `epoch` for each change of members, with the reasons, the
flushes and the stands; at the end the `seals` received. A file that only convicts ends with a
`verdict`: the entries that show a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, cast

from crypto.errors import CryptoError
from crypto.identity import Identity, verify
from p2p.table.faults import BadSignature
from p2p.table.hashing import HASH, h
from p2p.table.tail import (
    RECORD_LIMIT,
    joined,
    record_at,
    signed_records,
    split_records,
    whole_records,
)
from p2p.table.terms import OtherVersion, Terms
from p2p.wire import MOST_SEATS, PROTOCOL, Malformed, pack, shape, unpack

ENTRY_CONTEXT = f"sobremesa/{PROTOCOL} entry"
ENTRY_LIMIT = 60 * 1024
"""Bytes. The largest entry, a shuffle of 165 cards, has 32 kB."""
NUMBER_LIMIT = 1 << 31
STAGE_LIMIT = 256
"""The number of stages for a deck of eight holders that burn three keys each is 250."""

VERDICT_LIMIT = 512
"""The most entries of a verdict."""
REASONS = 512
"""The most reasons that a flush may name. The record of a change has those of all who stay, at most
seven."""

Place: TypeAlias = tuple[Any, ...]
StageKey: TypeAlias = "tuple[Place, int]"
"""A place and a stage. Each head stands for one."""
Body: TypeAlias = dict[str, Any]

STEP, DECK, SEAL = "step", "deck", "seal"
LEAVE, VOTE, FLUSH, STAND = "leave", "vote", "flush", "stand"
RecordName: TypeAlias = Literal["step", "epoch", "seals", "verdict"]
RECORDS: dict[RecordName, int] = {
    "step": 1024,
    "epoch": 7 * (REASONS + 2),
    "seals": MOST_SEATS,
    "verdict": VERDICT_LIMIT,
}
"""The records after the first one of a log, with the most entries of each. They are counted before
signatures are checked, which takes 0.4 ms each."""
_BEGINNING = b"\x97\xc4\x20"
"""An array of seven, and a match id of 32 bytes: the start of every entry."""
CALLS_LIMIT = 256
"""The most calls that a round may name."""


def is_about_members(place: Place) -> bool:
    """Whether an entry for this place is about members; such entries wait for no stage."""
    return place[0] in (LEAVE, VOTE, FLUSH, STAND)


@dataclass(frozen=True)
class Entry:
    """A message signed by a seat.

    `data` are its bytes with the signature: these are hashed and compared.
    """

    match: bytes
    place: Place
    stage: int
    seat: int
    head: bytes
    body: Body = field(repr=False)
    data: bytes = field(repr=False)

    @property
    def kind(self) -> str:
        """The kind of its place, such as `STEP`."""
        return str(self.place[0])

    @property
    def epoch(self) -> int:
        """The number of the epoch that its place names."""
        return int(self.place[1])

    @property
    def number(self) -> int:
        """Of a step, deck or seal: the number of the record, or of the deck."""
        return int(self.place[2])

    @property
    def call(self) -> tuple[int, bytes]:
        """Of a vote: the seat, and the point at which it is awaited."""
        return self.place[3], self.place[2]

    @property
    def key(self) -> tuple[Place, int, int]:
        """The place, the stage and the seat: a seat may sign one entry for each key."""
        return (self.place, self.stage, self.seat)

    @property
    def stage_key(self) -> StageKey:
        """The place and the stage."""
        return (self.place, self.stage)

    @cached_property
    def hash(self) -> bytes:
        """The hash by which other entries name this one: 32 bytes."""
        return h("entry", self.data)


def make_entry(
    identity: Identity, match: bytes, stage_key: StageKey, seat: int, head: bytes, body: Body
) -> Entry:
    """Sign an entry of a seat for a stage, on a head."""
    place, stage = stage_key
    fields = [match, place, stage, seat, head, body]
    data = pack([*fields, identity.sign(ENTRY_CONTEXT, pack(fields))])
    return Entry(match, place, stage, seat, head, body, data)


def names_match(data: bytes, match: bytes) -> bool:
    """Whether these bytes begin as an entry of this match does; the rest is not read."""
    return data.startswith(_BEGINNING + match)


def read_entry(terms: Terms, match: bytes, data: bytes) -> Entry:
    """Read an entry of this match and check its signature.

    Raises Malformed or BadSignature; blame the peer that sent it.
    """
    entry, fields, signature = _read_form(terms, match, data)
    try:
        verify(terms.participants[entry.seat].public, ENTRY_CONTEXT, pack(fields), signature)
    except CryptoError as error:
        raise BadSignature("unsigned-entry", number=entry.seat + 1) from error
    return entry


def read_unsigned(terms: Terms, match: bytes, data: bytes) -> Entry:
    """Read an entry of this match, but check only its form. Raises Malformed.

    Use it to show what a log says, not to believe it.
    """
    return _read_form(terms, match, data)[0]


def _read_form(terms: Terms, match: bytes, data: bytes) -> tuple[Entry, list[Any], bytes]:
    """Return an entry, its signed fields, and the signature. Raises Malformed."""
    value = unpack(data, ENTRY_LIMIT)
    if type(value) is not list or [type(item) for item in value] != [
        bytes,
        list,
        int,
        int,
        bytes,
        dict,
        bytes,
    ]:
        raise Malformed("not an entry")
    named, place, stage, seat, head, body, signature = value
    if named != match:
        raise Malformed("an entry of another match")
    if not 0 <= stage < STAGE_LIMIT or not 0 <= seat < len(terms.participants) or len(head) != 32:
        raise Malformed("an entry with a stage, seat or head that cannot be")
    _check_place(place, stage, seat, len(terms.participants))
    return Entry(named, _frozen(place), stage, seat, head, body, data), value[:-1], signature


def _check_place(place: list[Any], stage: int, seat: int, seats: int) -> None:
    if (
        len(place) < 2
        or not _is_number(place[1], 0)
        or place[1] >= seats  # each change removes a seat
    ):
        raise Malformed("an entry for a place that cannot be")
    kind, rest = place[0], place[2:]
    if kind == STEP:
        good = len(rest) == 1 and _is_number(rest[0], 1)
    elif kind == DECK:
        good = len(rest) == 2 and _is_number(rest[0], 1) and _is_hash(rest[1])
    elif kind == SEAL:
        good = len(rest) == 1 and _is_number(rest[0], 1) and not stage
    elif kind == LEAVE:
        good = not rest and not stage
    elif kind == VOTE:
        good = (
            len(rest) == 2
            and _is_hash(rest[0])
            and _are_seats(rest[1:], seats)
            and rest[1] != seat
            and not stage
        )
    elif kind in (FLUSH, STAND):
        good = len(rest) == 3 and all(type(item) is list for item in rest) and not stage
        good = good and (not rest[0] or _are_seats(rest[0], seats))
        good = good and _are_calls(rest[1], seats) and _are_calls(rest[2], seats)
    else:
        good = False
    if not good:
        raise Malformed("an entry for a place that cannot be")


def _is_number(item: Any, least: int) -> bool:
    return type(item) is int and least <= item < NUMBER_LIMIT


def _is_hash(item: Any) -> bool:
    return type(item) is bytes and len(item) == HASH


def _are_seats(items: list[Any], seats: int) -> bool:
    """Whether these are one or more seats of a match, in order."""
    good = bool(items) and all(type(item) is int and 0 <= item < seats for item in items)
    return good and items == sorted(set(items))


def _are_calls(items: list[Any], seats: int) -> bool:
    """Whether these are calls, each a seat and a point, sorted and unique."""
    if len(items) > CALLS_LIMIT:
        return False
    for item in items:
        if (
            type(item) is not list
            or len(item) != 2
            or not _are_seats(item[:1], seats)
            or not _is_hash(item[1])
        ):
            return False
    calls = [(seat, point) for seat, point in items]
    return calls == sorted(set(calls))


def _frozen(value: Any) -> Any:
    """Return a value with all its lists as tuples."""
    return tuple(_frozen(item) for item in value) if type(value) is list else value


def record(value: Any) -> bytes:
    """Return a record of a log or journal file."""
    return joined([pack(value)])


def opening_record(terms: Terms, signatures: Sequence[bytes]) -> bytes:
    """Return the first record of a log."""
    return record({"sobremesa": PROTOCOL, "terms": terms.encode(), "signatures": list(signatures)})


def entries_record(name: RecordName, entries: Iterable[Entry]) -> bytes:
    """Return a record of entries."""
    return record({name: [entry.data for entry in entries]})


@dataclass(frozen=True)
class LogFile:
    """The contents of a log file, well formed but not verified.

    `torn` is the number of bytes of an incomplete last record.
    """

    terms: Terms
    signatures: tuple[bytes, ...]
    records: tuple[tuple[RecordName, tuple[bytes, ...]], ...]
    torn: int


NO_LOG = "this is not a Sobremesa log, or its beginning is damaged"
"""The message for a file that is no log."""


def read_log(data: bytes) -> LogFile:
    """Read the form of a log file. Malformed with the number of the bad record."""
    first = record_at(data, 0)
    if not first:
        raise Malformed(NO_LOG)
    try:
        opening = unpack(first, RECORD_LIMIT)
        _require_version(opening)
        shape(opening, sobremesa=int, terms=bytes, signatures=list)
    except OtherVersion:
        raise
    except Malformed as error:
        raise Malformed(f"this is no Sobremesa log: {error}") from error
    found, torn = split_records(data)
    signatures = opening["signatures"]
    if any(type(signature) is not bytes or len(signature) != 64 for signature in signatures):
        raise Malformed("record 1: a signature has 64 bytes")
    records = tuple(_entries(number, item) for number, item in enumerate(found[1:], 2))
    return LogFile(Terms.decode(opening["terms"]), tuple(signatures), records, torn)


def _require_version(opening: Any) -> None:
    """Require our version in the first record of a log. Raises OtherVersion.

    Nothing else is known about other versions.
    """
    theirs = opening.get("sobremesa") if type(opening) is dict else None
    if type(theirs) is int and theirs != PROTOCOL:
        raise OtherVersion(
            f"a log of protocol {theirs}; this program speaks {PROTOCOL}", theirs, PROTOCOL
        )


def sound_log(data: bytes) -> bytes:
    """Return a log without an incomplete last addition.

    Raises Damaged, OtherVersion or Malformed.
    """
    records = whole_records(data, _is_record)
    if records:
        terms = read_log(joined(records)).terms
        records = signed_records(records, lambda item: are_signed(terms, _all_in(item)))
    return joined(records)


def _is_record(data: bytes) -> bool:
    try:
        for entry in _all_in(data):
            unpack(entry, ENTRY_LIMIT)
    except Malformed:
        return False
    return True


def _all_in(item: bytes) -> tuple[bytes, ...]:
    """Return the entries of a record; the first record has none."""
    value = unpack(item, RECORD_LIMIT)
    return () if type(value) is dict and "sobremesa" in value else _entries(0, item)[1]


def are_signed(terms: Terms, entries: Iterable[bytes]) -> bool:
    """Whether entries are signed by their seats; the reader finds other errors."""
    try:
        for data in entries:
            read_entry(terms, terms.match, data)
    except BadSignature:
        return False
    except Malformed:
        return True
    return True


def _entries(number: int, data: bytes) -> tuple[RecordName, tuple[bytes, ...]]:
    value = unpack(data, RECORD_LIMIT)
    if type(value) is dict and len(value) == 1:
        ((name, entries),) = value.items()
        if (
            name in RECORDS
            and type(entries) is list
            and entries
            and all(type(item) is bytes for item in entries)
        ):
            if len(entries) > RECORDS[name]:
                raise Malformed(f"record {number}: more entries than it may have")
            return cast(RecordName, name), tuple(entries)
    raise Malformed(f"record {number}: neither a step nor an epoch, seals or a verdict")
