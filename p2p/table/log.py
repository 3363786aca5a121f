"""Entries, the only thing a seat ever says in a match, and the file that keeps them.

An entry is `[match, place, stage, seat, head, body, signature]` in canonical msgpack. Its place is `["step", n]`,
`["deck", n, d0]` for a deck's own chain, `["leave"]`, `["expel", n, seats…]`, `["cut", seats…]` or `["seal", n]`. Its head
is the running hash that it was written on.

A log file is a row of records, each a u32 length and a canonical value: first the terms with their signatures, then one
record a step with its entries in order of stage and seat, at the end the seals. Where seats have gone there is a `cut`: what
was said beyond the last whole step, by what right they went, and the flushes of those who remain (`p2p.table.leaving`). A
file that only convicts ends with a `verdict`: the entries that show a fault.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from crypto.errors import CryptoError
from crypto.identity import Identity, verify
from p2p.table.faults import BadSignature
from p2p.table.terms import HASH, Terms, h
from p2p.wire import Malformed, pack, shape, unpack

ENTRY_CONTEXT = "sobremesa/1 entry"
ENTRY_LIMIT = 60 * 1024
"""Bytes; the largest entry, a shuffle of 165 cards, has 32 kB."""
RECORD_LIMIT = 4 * 1024 * 1024
NUMBER_LIMIT = 1 << 31
STAGE_LIMIT = 64

Place: TypeAlias = tuple[Any, ...]
Spot: TypeAlias = "tuple[Place, int]"
"""A place and a stage: what a head stands for."""
Body: TypeAlias = dict[str, Any]

LEAVE: Place = ("leave",)
EXPEL, CUT, SEAL = "expel", "cut", "seal"
RECORDS = ("step", "cut", "seals", "verdict")


def step_place(number: int) -> Place:
    """Return the place of a step, counted from 1."""
    return ("step", number)


def deck_place(number: int, start: bytes) -> Place:
    """Return the place of a deck's chain: its number and the hash that it begins on."""
    return ("deck", number, start)


def expel_place(step: int, seats: Iterable[int]) -> Place:
    """Return the place of a vote, cast in this step, to go on without these seats."""
    return (EXPEL, step, *sorted(seats))


def cut_place(gone: Iterable[int]) -> Place:
    """Return the place of the flushes for a cut after which all of these seats have gone."""
    return (CUT, *sorted(gone))


def seal_place(number: int) -> Place:
    """Return the place of the seals that stand where the step of this number would."""
    return (SEAL, number)


@dataclass(frozen=True)
class Entry:
    """Something a seat has said and signed. `data` are its bytes, signature included; they are what is hashed and compared."""

    match: bytes
    place: Place
    stage: int
    seat: int
    head: bytes
    body: Body = field(repr=False)
    data: bytes = field(repr=False)

    @property
    def key(self) -> tuple[Place, int, int]:
        """What a seat may sign one entry for: the place, the stage, the seat."""
        return (self.place, self.stage, self.seat)

    @property
    def spot(self) -> Spot:
        """The place and the stage, whoever speaks there."""
        return (self.place, self.stage)

    @cached_property
    def hash(self) -> bytes:
        """The hash by which other entries name this one: 32 bytes."""
        return h("entry", self.data)


def make_entry(identity: Identity, match: bytes, spot: Spot, seat: int, head: bytes, body: Body) -> Entry:
    """Sign what a seat says at a spot, on a head."""
    place, stage = spot
    fields = [match, list(place), stage, seat, head, body]
    data = pack([*fields, identity.sign(ENTRY_CONTEXT, pack(fields))])
    return Entry(match, place, stage, seat, head, body, data)


def read_entry(terms: Terms, match: bytes, data: bytes) -> Entry:
    """Read an entry of this match and check its signature. Malformed or BadSignature, both charged to whoever brought it."""
    value = unpack(data, ENTRY_LIMIT)
    if type(value) is not list or [type(item) for item in value] != [bytes, list, int, int, bytes, dict, bytes]:
        raise Malformed("not an entry")
    told, place, stage, seat, head, body, signature = value
    if told != match:
        raise Malformed("an entry of another match")
    if not 0 <= stage < STAGE_LIMIT or not 0 <= seat < len(terms.places) or len(head) != 32:
        raise Malformed("an entry with a stage, seat or head that cannot be")
    _check_place(place, stage, len(terms.places))
    try:
        verify(terms.places[seat].public, ENTRY_CONTEXT, pack(value[:-1]), signature)
    except CryptoError as error:
        raise BadSignature(f"not signed by p{seat + 1}") from error
    return Entry(told, tuple(place), stage, seat, head, body, data)


def _check_place(place: list[Any], stage: int, seats: int) -> None:
    kinds = [type(item) for item in place]
    numbered = len(kinds) >= 2 and kinds[1] is int and 1 <= place[1] < NUMBER_LIMIT
    match place[:1] if kinds[:1] == [str] else []:
        case ["leave"]:
            good = len(place) == 1 and not stage
        case ["seal"]:
            good = numbered and len(place) == 2 and not stage
        case ["step"]:
            good = numbered and len(place) == 2
        case ["deck"]:
            good = numbered and kinds[2:] == [bytes] and len(place[2]) == HASH
        case ["expel"]:
            good = numbered and _are_seats(place[2:], seats) and not stage
        case ["cut"]:
            good = _are_seats(place[1:], seats) and not stage
        case _:
            good = False
    if not good:
        raise Malformed("an entry for a place that cannot be")


def _are_seats(items: list[Any], seats: int) -> bool:
    """Whether these are one or more seats of a match, in order."""
    good = bool(items) and all(type(item) is int and 0 <= item < seats for item in items)
    return good and items == sorted(set(items))


def record(value: Any) -> bytes:
    """Return a record of a log or journal file."""
    data = pack(value)
    return struct.pack(">I", len(data)) + data


def opening_record(terms: Terms, signatures: Sequence[bytes]) -> bytes:
    """Return the first record of a log."""
    return record({"sobremesa": 1, "terms": terms.encode(), "signatures": list(signatures)})


def entries_record(name: str, entries: Iterable[Entry]) -> bytes:
    """Return a record of entries: one of RECORDS."""
    return record({name: [entry.data for entry in entries]})


@dataclass(frozen=True)
class LogFile:
    """What a log file says, well formed but not yet verified. `torn` counts the bytes of an unfinished last record."""

    terms: Terms
    signatures: tuple[bytes, ...]
    records: tuple[tuple[str, tuple[bytes, ...]], ...]
    torn: int


NO_LOG = "this is no Sobremesa log, or its beginning is damaged"
"""What a person reads who has named another file."""


def split_records(data: bytes, limit: int = RECORD_LIMIT) -> tuple[list[bytes], int]:
    """Cut a file into its whole records; also return how many bytes of a torn one follow them."""
    found, at = [], 0
    while at + 4 <= len(data):
        (size,) = struct.unpack_from(">I", data, at)
        if size > limit:
            raise Malformed(f"a record of {size} bytes at byte {at}")
        if at + 4 + size > len(data):
            break
        found.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return found, len(data) - at


def read_log(data: bytes) -> LogFile:
    """Read a log file's form. Malformed, with the number of the record, if it is none."""
    if len(data) < 4 or not 0 < int.from_bytes(data[:4], "big") <= len(data) - 4:
        raise Malformed(NO_LOG)
    found, torn = split_records(data)
    try:
        opening = shape(unpack(found[0], RECORD_LIMIT), sobremesa=int, terms=bytes, signatures=list)
    except Malformed as error:
        raise Malformed(f"this is no Sobremesa log: {error}") from error
    if opening["sobremesa"] != 1:
        raise Malformed(f"a log of version {opening['sobremesa']}; this program reads version 1")
    signatures = opening["signatures"]
    if any(type(signature) is not bytes or len(signature) != 64 for signature in signatures):
        raise Malformed("record 1: a signature has 64 bytes")
    records = tuple(_entries(number, item) for number, item in enumerate(found[1:], 2))
    return LogFile(Terms.decode(opening["terms"]), tuple(signatures), records, torn)


def _entries(number: int, data: bytes) -> tuple[str, tuple[bytes, ...]]:
    value = unpack(data, RECORD_LIMIT)
    if type(value) is dict and len(value) == 1:
        ((name, entries),) = value.items()
        if name in RECORDS and type(entries) is list and entries and all(type(item) is bytes for item in entries):
            return name, tuple(entries)
    raise Malformed(f"record {number}: neither a step nor a cut, seals or a verdict")
