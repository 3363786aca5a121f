"""The entries about the members of a match: rounds, flushes, stands, and their outcomes.

A *point* is the position at which others wait for a seat, as 32 bytes: the head of a stage (its
entry is missing), the id of a round (its flush), or the point of a stand (its stand). A *call* is a
seat and a point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from engine.core.moves import Seat
from p2p.table.hashing import h

LATE_ROW = 3
"""This many late calls in a row remove a seat, even if it signs."""
LATE_ALL = 9
"""This many late calls in a match remove a seat, even if it signs."""

Point: TypeAlias = bytes
Call: TypeAlias = tuple[Seat, Point]


@dataclass(frozen=True)
class ChangeRound:
    """The knowledge of a member that signs a flush: three tuples, which only grow.

    `gone` are seats that left or are convicted. `called` are calls that more than half of the
    electorate voted for. `heard` are those of them whose entry is known after all.
    """

    gone: tuple[Seat, ...] = ()
    called: tuple[Call, ...] = ()
    heard: tuple[Call, ...] = ()

    @property
    def can_be(self) -> bool:
        """Whether a member can reach this round at all."""
        return (
            bool(self.gone or self.called)
            and not any(seat in self.gone for seat, _ in self.called)
            and set(self.heard) <= set(self.called)
        )

    @cached_property
    def unheard(self) -> tuple[Call, ...]:
        """The calls whose entry is still missing."""
        return tuple(call for call in self.called if call not in self.heard)

    def precedes(self, other: ChangeRound) -> bool:
        """Whether a member can get from this round to the other, or they are equal."""
        if self.gone != other.gone:
            return set(self.gone) < set(other.gone)
        return set(self.called) <= set(other.called) and set(self.heard) <= set(other.heard)

    def id(self, match: bytes, epoch: int) -> Point:
        """Return the point at which members wait for each other's flushes."""
        calls = [[list(call) for call in some] for some in (self.called, self.heard)]
        return h("round", match, epoch, list(self.gone), *calls)


@dataclass(frozen=True)
class Flush:
    """A member's promise to make no change of an earlier round.

    `head` is that of its last record, and `records` the number of its records. `done` is the id of
    the round whose change it made in this epoch, or empty. `reasons` are the hashes of the entries
    that show why seats go in this round. `data` is the signed entry.
    """

    seat: Seat
    round: ChangeRound
    head: bytes
    done: bytes = b""
    reasons: tuple[bytes, ...] = ()
    records: int = 0
    data: bytes = field(default=b"", repr=False)

    def denies(self, other: Flush) -> bool:
        """Whether no honest seat can have signed both in one epoch."""
        if not self.round.precedes(other.round) and not other.round.precedes(self.round):
            return True
        if self.round.gone and other.round.gone and self.head != other.head:
            return True  # no further record is settled after such a flush
        return b"" != self.done != other.done != b""


@dataclass(frozen=True)
class Stand:
    """A member's consent to the outcome of a round: `on` is the id of an `Outcome`."""

    seat: Seat
    round: ChangeRound
    on: bytes


@dataclass(frozen=True)
class Change:
    """The end of an epoch: the flushes of all who stay, and the seats that go.

    `base` is the head of the record after which the next epoch begins.
    """

    round: ChangeRound
    flushes: tuple[Flush, ...]
    base: bytes
    goes: tuple[Seat, ...]

    @property
    def stays(self) -> tuple[Seat, ...]:
        """The seats that continue, sorted."""
        return tuple(flush.seat for flush in self.flushes)

    @cached_property
    def k(self) -> bytes:
        """The head between the flushes and the stands."""
        return h("stage", self.base, [flush.data for flush in self.flushes])


@dataclass(frozen=True)
class Outcome:
    """The result of the flushes for a round: its own change, or that of an earlier round.

    A seat that stays may have made the change of the earlier round. `flushes` are those for `round`
    of the seats that stay in both.
    """

    round: ChangeRound
    flushes: tuple[Flush, ...]
    change: Change

    @property
    def stays(self) -> tuple[Seat, ...]:
        """The seats whose stands it requires, sorted."""
        return tuple(flush.seat for flush in self.flushes)

    @property
    def adopts(self) -> bool:
        """Whether the change is that of an earlier round."""
        return self.change.round != self.round

    @cached_property
    def id(self) -> bytes:
        """The id to stand on: the k of the change, or a hash with the later flushes."""
        if not self.adopts:
            return self.change.k
        return h("adopt", self.change.k, [flush.data for flush in self.flushes])


def stand_point(of: Point, on: bytes) -> Point:
    """Return the point at which members wait for each other's stands.

    `of` is the id of the round, `on` the id to stand on.
    """
    return h("stand", of, on)


def base_of(
    chains: Mapping[Seat, Sequence[bytes]], holders: Callable[[bytes], Collection[Seat]]
) -> bytes:
    """Return the record from which members continue, given each one's chain of heads.

    It is the furthest record if the others lead to it, else the last that all share. A seat does
    not count if it lacks a deck that more than half have, and does not hold that deck: the rules
    had put it out of play, and it could undo everything since. `holders` returns the holders of the
    deck with a head.
    """
    counts = Counter(head for chain in chains.values() for head in chain)
    decks = [head for head, count in counts.items() if 2 * count > len(chains) and holders(head)]
    whole = [
        chain
        for seat, chain in chains.items()
        if all(head in chain or seat in holders(head) for head in decks)
    ]
    furthest = max(whole, key=len)
    if all(chain[-1] in furthest for chain in whole):
        return furthest[-1]
    return next(head for head in reversed(furthest) if all(head in chain for chain in whole))


def rows_of(turns: Sequence[int], others: int) -> list[int]:
    """Return the number of a seat's late calls in each row, the last row last.

    `turns` are the indexes of those at stages, among the stages in which the seat owed an entry.
    `others`, at rounds and stands, are added to the longest row, so that no row gets shorter when
    more is known.
    """
    rows = list[int]()
    for turn in sorted(turns):
        if turn - 1 in turns:
            rows[-1] += 1
        else:
            rows.append(1)
    longest = max(range(len(rows)), key=lambda at: (rows[at], at), default=0)
    return [*rows[:longest], sum(rows[longest : longest + 1]) + others, *rows[longest + 1 :]]


def is_too_late(rows: Sequence[int], calls: int) -> bool:
    """Whether a seat goes for its late calls in each row, and in the match."""
    return max(rows) >= LATE_ROW or calls >= LATE_ALL
