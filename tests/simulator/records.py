"""Entries and logs as the watch reads them: from their bytes alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from engine.core.moves import Seat
from p2p.table.log import ENTRY_LIMIT
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import unpack

Key: TypeAlias = "tuple[tuple[Any, ...], int, Seat]"


class Broken(Exception):
    """Something that must hold does not: the sentence says what."""


def demand(holds: bool, sentence: str) -> None:
    """Raise Broken unless it holds."""
    if not holds:
        raise Broken(sentence)


@dataclass(frozen=True)
class Word:
    """An entry, read without checking anything."""

    place: tuple[Any, ...]
    stage: int
    seat: Seat
    head: bytes
    body: dict[str, Any] = field(compare=False, repr=False)
    data: bytes = field(repr=False)

    @property
    def key(self) -> Key:
        """A place for which a seat may say one thing."""
        return (self.place, self.stage, self.seat)

    def __str__(self) -> str:
        return (
            f"{[item for item in self.place if not isinstance(item, bytes | tuple)]} stage "
            f"{self.stage}"
        )


@dataclass(frozen=True)
class Record:
    """A whole record of a log: a step with all its words, or an epoch with reasons, flushes and
    stands."""

    name: str
    words: tuple[Word, ...]

    @property
    def stays(self) -> set[Seat]:
        """The seats that stay, of an epoch."""
        return {word.seat for word in self.words if word.place == self.words[-1].place}


@lru_cache(maxsize=8192)
def read(data: bytes) -> Word:
    """Read an entry."""
    _match, place, stage, seat, head, body, _signature = unpack(data, ENTRY_LIMIT)
    return Word(_frozen(place), stage, seat, head, body, data)


def key_of(data: bytes) -> Key:
    """Return what an entry is said for. Malformed, ValueError or TypeError if it is none."""
    return read(data).key


def records_of(log: bytes) -> tuple[Record, ...]:
    """Return the whole records of a log."""
    found = [_record(data) for data in split_records(log)[0][1:]]
    return tuple(record for record in found if record.name in ("step", "epoch"))


def seals_in(log: bytes) -> set[Seat]:
    """Return the seats that have sealed a log."""
    found = [_record(data) for data in split_records(log)[0][1:]]
    return {word.seat for record in found if record.name == "seals" for word in record.words}


def common(one: Sequence[Record], other: Sequence[Record]) -> int:
    """Return how many records two logs share."""
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    return at


def in_agreement(seat: Seat, ours: Sequence[Record], other: Seat, theirs: Sequence[Record]) -> bool:
    """Whether the logs of two honest seats are one match: one is a beginning of the other.

    Or one of them went, and does not know it yet: records that it had last may be known to nobody
    who stays.
    """
    at = common(ours, theirs)
    if at == min(len(ours), len(theirs)):
        return True
    one, two = ours[at], theirs[at]
    return (two.name == "epoch" and seat not in two.stays) or (
        one.name == "epoch" and other not in one.stays
    )


def signed_both(one: Record, other: Record) -> set[Seat]:
    """Return the seats that have signed two stories, given the first records in which two logs
    differ."""
    theirs = {word.key: word.data for word in other.words}
    return {word.seat for word in one.words if theirs.get(word.key, word.data) != word.data}


@lru_cache(maxsize=8192)
def _record(data: bytes) -> Record:
    ((name, entries),) = unpack(data, RECORD_LIMIT).items()
    return Record(name, tuple(read(entry) for entry in entries))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if type(value) is list else value
