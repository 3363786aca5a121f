"""The entries about the members of a match: rounds, flushes, stands, and their outcomes.

A *point* is where the others wait for a seat, 32 bytes: the head of a stage (its word is missing),
the id of a round (its flush is missing), or the point of a stand (its stand is missing). A *call*
is a seat and a point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from engine.core.moves import Seat
from p2p.table.terms import h

LATE_ROW = 3
"""So many late calls in a row remove a seat, even if it signs."""
LATE_ALL = 9
"""So many late calls in a match remove a seat, even if it signs."""

Point: TypeAlias = bytes
Call: TypeAlias = tuple[Seat, Point]


@dataclass(frozen=True)
class ChangeRound:
    """The knowledge of a member that signs a flush: three sorted sets, which only grow.

    The seats that are `gone` have left or are convicted. More than half of the electorate has voted
    for each of the `called`. Of these the entry that was missing is known if they are `heard`.
    """

    gone: tuple[Seat, ...] = ()
    called: tuple[Call, ...] = ()
    heard: tuple[Call, ...] = ()

    @property
    def can_be(self) -> bool:
        """Whether a member can come to it at all."""
        calls_sorted = all(list(some) == sorted(set(some)) for some in (self.called, self.heard))
        return (
            bool(self.gone or self.called)
            and calls_sorted
            and list(self.gone) == sorted(set(self.gone))
            and not any(seat in self.gone for seat, _ in self.called)
            and set(self.heard) <= set(self.called)
        )

    @cached_property
    def unheard(self) -> tuple[Call, ...]:
        """The calls whose entry is still missing."""
        return tuple(call for call in self.called if call not in self.heard)

    def precedes(self, other: ChangeRound) -> bool:
        """Whether a member may come from this round to the other, or they are the same."""
        if self.gone != other.gone:
            return set(self.gone) < set(other.gone)
        return set(self.called) <= set(other.called) and set(self.heard) <= set(other.heard)

    def id(self, match: bytes, epoch: int) -> Point:
        """Return the point at which members wait for each other's flushes for this round."""
        calls = [[list(call) for call in some] for some in (self.called, self.heard)]
        return h("round", match, epoch, list(self.gone), *calls)


@dataclass(frozen=True)
class Flush:
    """A member's promise to make no change of an earlier round.

    `head` is of its last record, and `records` its number. `done` is the id of the round whose
    change it has made in this epoch, empty if there is none. `reasons` are the hashes of the
    entries that show why the seats that go in this round may go. `data` is the signed entry.
    """

    seat: Seat
    round: ChangeRound
    head: bytes
    done: bytes = b""
    reasons: tuple[bytes, ...] = ()
    records: int = 0
    data: bytes = field(default=b"", repr=False)

    def denies(self, other: Flush) -> bool:
        """Whether an honest seat cannot have signed both in one epoch."""
        if not self.round.precedes(other.round) and not other.round.precedes(self.round):
            return True
        if self.round.gone and other.round.gone and self.head != other.head:
            return True  # once it has flushed like that no further record is settled
        return b"" != self.done != other.done != b""


@dataclass(frozen=True)
class Stand:
    """A member's consent to the outcome of a round: `on` is the id of an `Outcome`."""

    seat: Seat
    round: ChangeRound
    on: bytes


@dataclass(frozen=True)
class Change:
    """An epoch's end: the flushes of all that stay, and the seats that go.

    `base` is the head of the record after which the next epoch begins.
    """

    round: ChangeRound
    flushes: tuple[Flush, ...]
    base: bytes
    goes: tuple[Seat, ...]

    @property
    def stays(self) -> tuple[Seat, ...]:
        """The seats that go on, sorted."""
        return tuple(flush.seat for flush in self.flushes)

    @cached_property
    def k(self) -> bytes:
        """The head between the flushes and the stands."""
        return h("stage", self.base, [flush.data for flush in self.flushes])


@dataclass(frozen=True)
class Outcome:
    """The outcome of the flushes for a round: its own change, or that of an earlier round.

    One of those that stay may have made the change of the earlier round. `flushes` are for `round`,
    of those that stay in both.
    """

    round: ChangeRound
    flushes: tuple[Flush, ...]
    change: Change

    @property
    def stays(self) -> tuple[Seat, ...]:
        """The seats whose stands it takes, sorted."""
        return tuple(flush.seat for flush in self.flushes)

    @property
    def adopts(self) -> bool:
        """Whether the change is that of an earlier round."""
        return self.change.round != self.round

    @cached_property
    def id(self) -> bytes:
        """The id for their stands: the k of the change, or a hash with the flushes since."""
        if not self.adopts:
            return self.change.k
        return h("adopt", self.change.k, [flush.data for flush in self.flushes])


def stand_point(of: Point, on: bytes) -> Point:
    """Return the point at which members wait for each other's stands.

    `of` is the id of the round, `on` the id on which they stand.
    """
    return h("stand", of, on)


def base_of(
    lines_of: Mapping[Seat, Sequence[bytes]], holders: Callable[[bytes], Collection[Seat]]
) -> bytes:
    """Return the record from which members go on, given the lines of records that each has.

    It is the furthest, if the others lead to it; else the last that all share. A seat is not asked
    that has not come to a deck which more than half have, and of which it is no holder: the rules
    had put it out of play, and it could take back all since then. `holders` are those of a deck
    with this head.
    """
    counts = Counter(head for line in lines_of.values() for head in line)
    decks = [head for head, lines in counts.items() if 2 * lines > len(lines_of) and holders(head)]
    lines = [
        line
        for seat, line in lines_of.items()
        if all(head in line or seat in holders(head) for head in decks)
    ]
    furthest = max(lines, key=len)
    if all(line[-1] in furthest for line in lines):
        return furthest[-1]
    return next(head for head in reversed(furthest) if all(head in line for line in lines))


def rows_of(turns: Sequence[int], others: int) -> list[int]:
    """Return how many late calls of a seat there are in each row, the last one last.

    `turns` are the numbers of those at stages, among all stages in which it owed a word; so many
    at rounds and stands are added to the longest row: so none grows shorter when more is known.
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
    """Whether a seat goes that was late so often in each row, and so often in the match."""
    return max(rows) >= LATE_ROW or calls >= LATE_ALL
