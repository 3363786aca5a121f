"""Every moment at which a peer of a calm match can die, one after the other: each store, before and
after its sync, each send.

The others first come to rest without it, or, for every second moment, it is back at once. A seat
may leave meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crypto.group import Group
from engine.core.moves import Seat
from tests.simulator.matches import Kind
from tests.simulator.peer import Crash
from tests.simulator.world import World

LEAVER = 1
"""The seat that leaves, if one does."""
BEFORE = 2
"""Moments of each seat before somebody leaves that are tried too."""


@dataclass(frozen=True)
class Point:
    """A seat's moment, counted from 0, and which part of the bytes being written was lucky: none,
    half, or all of it."""

    seat: Seat
    number: int
    name: str
    kept: float = 0

    def __str__(self) -> str:
        return f"p{self.seat + 1}'s moment {self.number} ({self.name}, {self.kept} of it kept)"


class Calm(World):
    """A match in fine weather, in which one peer dies once, and one leaves when it has had so many
    whole records."""

    def __init__(
        self,
        kind: Kind,
        seed: int,
        group: Group | None,
        point: Point | None = None,
        *,
        leaving: int | None = None,
    ) -> None:
        super().__init__(kind, seed, group)
        self.point, self.leaving = point, leaving
        self.passed: list[list[str]] = [[] for _ in self.peers]
        """The moments of each seat, by name."""
        self.before: list[int] = []
        """How many of them had passed when one left."""
        self.moment = self._moment
        if point is not None:
            self.kept = lambda size: round(size * point.kept)

    def play(self) -> None:
        """Play the match to its end."""
        for peer in self.peers:
            self.start(peer.seat)
        self.clear_up()
        back_at_once = self.point is not None and self.point.number % 2 == 1
        while self._leave() or self.one_thing() or self.dead() or self.ask_again():
            if self.dead() and (back_at_once or not self.stirring()):
                self.clear_up()
        self.check_end()

    def _leave(self) -> bool:
        """Let the one that leaves do so, if it is time; again if it has died before anybody knew.
        Return whether it did."""
        table = self.peers[LEAVER].table
        if self.leaving is None or table is None or table.steps < self.leaving:
            return False
        self.before = self.before or [len(names) for names in self.passed]
        return self.leave(LEAVER)

    def dead(self) -> bool:
        """Whether somebody is not here."""
        return any(peer.table is None for peer in self.peers)

    def stirring(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.under_way() or self.busy() or self.asked())

    def _moment(self, seat: Seat, name: str) -> None:
        number = len(self.passed[seat])
        self.passed[seat].append(name)
        if self.point is not None and (seat, number) == (self.point.seat, self.point.number):
            raise Crash


def points(
    kind: Kind, seed: int, group: Group | None, leaving: int | None = None
) -> Iterator[Point]:
    """List the moments of this match; if one leaves only those from shortly before that on."""
    calm = Calm(kind, seed, group, leaving=leaving)
    calm.play()
    first = [max(0, number - BEFORE) for number in calm.before] or [0] * len(calm.peers)
    for seat, names in enumerate(calm.passed):
        for number, name in list(enumerate(names))[first[seat] :]:
            for kept in (0, 0.5, 1) if name.endswith("written") else (0,):
                yield Point(seat, number, name, kept)


def moments_to_leave(kind: Kind, seed: int, group: Group | None) -> range:
    """Return after how many whole records somebody may leave this match."""
    calm = Calm(kind, seed, group)
    calm.play()
    return range(calm.peers[LEAVER].here().steps)
