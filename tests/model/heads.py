"""The stand-in records of the model: heads are numbers, and everything that leads to them is
known."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from p2p.table.epoch_entries import ChangeRound, Flush

Seats = tuple[int, ...]


class Entry(NamedTuple):
    """Something signed.

    Place and body: word (record, stage), (head, story) | leave | vote (seat, point) | flush round,
    (head, done) | stand round, its id | junk. `held` is for the checks alone: the calls
    whose entry its honest seat held when it flushed.
    """

    kind: str
    seat: int
    epoch: int
    place: Any = ()
    body: Any = ()
    held: frozenset[Any] = frozenset()

    @property
    def key(self) -> tuple[Any, ...]:
        return self[:4]

    @property
    def flush(self) -> Flush:
        return read_flush(self)

    def __repr__(self) -> str:
        parts = [self.kind, f"p{self.seat}", f"epoch {self.epoch}", tell(self.place)]
        return " ".join([*parts, tell(self.body)])


def tell(value: Any) -> str:
    """A part of an entry in few words."""
    if isinstance(value, bytes):
        return value.hex()[:8]
    if isinstance(value, ChangeRound):
        return f"[gone {value.gone} called {tell(value.called)} heard {tell(value.heard)}]"
    if isinstance(value, tuple):
        return "(" + " ".join(tell(part) for part in value) + ")"
    return str(value)


@lru_cache(100_000)
def read_flush(entry: Entry) -> Flush:
    head, done = entry.body
    data = hashlib.sha256(repr((*entry[:3], entry.place, entry.body)).encode()).digest()
    return Flush(entry.seat, entry.place, head, done, data=data)


class Record(NamedTuple):
    parent: bytes
    epoch: int
    members: Seats
    count: int
    """Records so far."""
    done: int
    """Steps of the rules so far."""


class Heads:
    """The heads of one world, and how they follow from each other."""

    def __init__(self, seats: Seats, schedule: tuple[tuple[Any, ...], ...]) -> None:
        self.schedule = schedule
        self.content: dict[bytes, tuple[Any, ...]] = {}
        self._numbers: dict[tuple[Any, ...], bytes] = {}
        self.records: dict[bytes, Record] = {}
        self.under: dict[bytes, bytes] = {}
        """Of each head of a stage, the record that it follows."""
        self.begin = self.of("begin", len(seats), schedule)
        self.record(self.begin, Record(b"", 0, seats, 0, 0))

    def of(self, *content: Any) -> bytes:
        if content not in self._numbers:
            number = len(self._numbers).to_bytes(4, "big")
            self._numbers[content], self.content[number] = number, content
        return self._numbers[content]

    def record(self, head: bytes, record: Record) -> None:
        self.records.setdefault(head, record)
        self.under[head] = head

    def back(self, head: bytes) -> Iterator[bytes]:
        """A head and all those before it, as far back as the beginning."""
        while self.content[head][0] != "begin":
            yield head
            head = self.content[head][1]
        yield head

    def line(self, head: bytes) -> list[bytes]:
        """The records up to a head."""
        return [one for one in self.back(head) if one in self.records][::-1]

    def ended(self, head: bytes) -> bool:
        return self.records[head].done == len(self.schedule)

    def speakers(self, head: bytes) -> list[Seats]:
        """The seats that owe a word in each stage of the step after a record."""
        record = self.records[head]
        kind, *who = self.schedule[record.done]
        if kind == "toss":
            return [record.members, record.members]
        if kind == "chain":
            return [(seat,) for seat in record.members]
        return [(who[0] if who[0] in record.members else record.members[0],)]
