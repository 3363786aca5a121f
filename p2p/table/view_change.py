"""The data of a view change: rounds, flushes, changes (protocol 5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from engine.core.moves import Seat

Point: TypeAlias = bytes
Call: TypeAlias = tuple[Seat, Point]


@dataclass(frozen=True)
class ChangeRound:
    """A view change's purpose: members `gone` by their own words, and members `called` by votes.

    Of the calls those are `answered` whose missing word has turned up; a member with another call
    is `voted` out. All three are sorted and without repetition.
    """

    gone: tuple[Seat, ...]
    called: tuple[Call, ...] = ()
    answered: tuple[Call, ...] = ()

    @cached_property
    def voted(self) -> tuple[Seat, ...]:
        """The members that go by votes, sorted."""
        return tuple(
            sorted({seat for seat, _ in set(self.called) - set(self.answered)} - set(self.gone))
        )

    @cached_property
    def leaving(self) -> frozenset[Seat]:
        """The members that go."""
        return frozenset({*self.gone, *self.voted})

    @property
    def can_be(self) -> bool:
        """Whether it names somebody, calls nobody who is gone, and answers only calls in it."""
        calls_gone = any(seat in self.gone for seat, _ in self.called)
        return (
            bool(self.gone or self.called)
            and not calls_gone
            and set(self.answered) <= set(self.called)
        )

    def precedes(self, other: ChangeRound) -> bool:
        """Whether a member may come from this round to the other, or they are the same."""
        if self.gone != other.gone:
            return set(self.gone) < set(other.gone)
        return set(self.called) <= set(other.called) and set(self.answered) <= set(other.answered)


@dataclass(frozen=True)
class Flush:
    """A member's last word before a view change: its last record's head, and its record count.

    `done` is the id of the round of this view that it has completed already, empty if there is
    none. `entry` is the hash of the signed entry.
    """

    seat: Seat
    round: ChangeRound
    records: int
    head: bytes
    done: bytes = b""
    entry: bytes = b""


@dataclass(frozen=True)
class Change:
    """A decided view change: its round, and the flushes of all members that stay, in seat order."""

    round: ChangeRound
    flushes: tuple[Flush, ...]
